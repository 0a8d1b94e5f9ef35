import { type Lang, langs } from '../spec.ts';
import { concepts } from './lexicon/concepts.ts';
import { entities } from './lexicon/entities.ts';

/** Misspellings that no rule of single letters finds, each followed by what is meant. */
const common =
  'singup signup|shuold should|shoud should|recipy recipe|recepy recipe|invoyce invoice|invoyces invoices|calender calendar|calander calendar|recepie recipe|recepies recipes|recipie recipe|recipies recipes|reciepe recipe|reciepes recipes|catagory category|catergory category|catagories categories|schedual schedule|shedule schedule|expences expenses|expence expense|expanses expenses|traker tracker|trackr tracker|wher where|whre where|wich which|adn and|teh the|wiht with|wth with|whith with|quantaty quantity|custumer customer|costumer customer|costumers customers|wieght weight|hieght height|maintainance maintenance|maintenence maintenance|buget budget|budjet budget|catgory category|excercise exercise|excercises exercises|emial email|adress address|adresses addresses|kathegorie kategorie|addresse adresse|depences dépenses|depenses dépenses|telefone telephone|pirority priority|proirity priority|tabel table|libary library|fisrt first|telphone telephone|gatos gastos|rezepte rezepte|termien termin|bezalt bezahlt|erledikt erledigt|recetta receta|reseta receta|resetas recetas|lsita lista|presio precio|cantida cantidad|quantitée quantité|catégori catégorie|rembousement remboursement';

const table = new Map(
  common.split('|').map((pair) => {
    const [wrong = '', right = ''] = pair.split(' ');
    return [wrong, right] as const;
  }),
);

/** Words of the lexicon that are long enough to be told from others when a letter is wrong. */
const spoken =
  'tracker|planner|calendar|schedule|inventory|invoice|invoices|budget|calculator|customer|customers|appointment|appointments|category|categories|quantity|description|reservation|reservations|dashboard|question|questions|checklist|expenses|exercise|exercises|ingredients|priority|priorities|deadline|telephone|einkaufsliste|haushaltsbuch|kategorie|rechnung|rechnungen|beschreibung|priorität|telefonnummer|aufgaben|termine|calendario|inventario|presupuesto|prioridad|descripción|calendrier|inventaire|catégorie|priorité|rendez-vous|ingrédients';
/** Each with the languages that it is of, a bit for each; none for those of `words`, whose language nobody has said. */
const right = new Map<string, number>();
const learn = (text: string, mask: number) => {
  for (const word of text.toLowerCase().split(/[^\p{L}]+/u))
    if (word.length >= 5) right.set(word, (right.get(word) ?? 0) | mask);
};
const anyLang = 2 ** langs.length - 1;
const noLang = 0;
const byLang = (texts: string) => {
  for (const [index, text] of texts.split('|').entries()) learn(text, 2 ** index);
};
for (const { labels, words = '' } of Object.values(concepts)) {
  byLang(labels);
  learn(words, noLang);
}
for (const { names, words } of entities) {
  byLang(names);
  learn(words, noLang);
}
learn(spoken, anyLang);

/** Words of their own that differ by a doubled or a moved letter from one of the lexicon. */
const sound = new Set(
  'diner|dinner|desert|dessert|latter|later|angel|angle|trial|trail|casual|causal|united|untied|masse|maße|pasta|silver|sliver|from|quiet|quite|salle|malle|ville|beten|ratten|raten|hütte|hüte|comma|coma|carro|caro|perro|pero|mitte|miete|bitte|biete|classes|glasses|first|firsts|lines|tracing|commands|enterprise|sending|begin|responsible|patent|patents|professor|preset|presets|meter|meters|marquee|compete|marcos|mediation|litter|riesen|lending|landing|solaire|winner|diners|hopping|hoping|tapping|taping|planed|planned|planing|planning|planer|planers|scrapping|scraping|matte|matten|rate|bette|betten|wagen|waggen|reise|riese|stelle|ställe|bares|barres|costa|cotas|notes|notte|nombres|hombres|series|contacts|contracts|contract|contracting|contacting|compiler|completed|competed|product|produces|dishes|wishes|cheeses|chess|chases|desire|desires|spenden|senden|gesendet|rechner|wohnungen|wehen'.split(
    '|',
  ),
);

const patterns = new Map<string, string | null>();
for (const word of right.keys())
  for (const wrong of nearSpellings(word)) {
    if (right.has(wrong)) continue;
    // Two words that a misspelling may stand for leave it open.
    patterns.set(wrong, patterns.has(wrong) && patterns.get(wrong) !== word ? null : word);
  }

/** A letter doubled or not doubled, two letters swapped, and in long words one left out. */
function nearSpellings(word: string): string[] {
  const near: string[] = [];
  for (let at = 0; at < word.length; at++) {
    const [before, letter = '', next = '', after] = [
      word.slice(0, at),
      word[at],
      word[at + 1],
      word.slice(at + 2),
    ];
    if (letter === next) near.push(before + letter + after);
    else {
      near.push(before + letter + letter + next + after);
      // The first letter is seldom wrong.
      if (at > 0 && next) near.push(before + next + letter + after);
      if (at > 0 && word.length >= 9 && 'aeiou'.includes(letter))
        for (const vowel of 'aeiou') if (vowel !== letter) near.push(before + vowel + next + after);
      if (at > 0 && word.length >= 8 && next) near.push(before + next + after);
    }
  }
  return near;
}

export interface Corrected {
  readonly text: string;
  /** What was read differently: “ammount → amount”. */
  readonly changes: readonly string[];
}

/**
 * The prompt with common words spelt as they are meant. Names keep their letters: what stands in quotes, in `name`,
 * or begins with a capital in the middle of a sentence, unless it is a misspelling that is no name.
 */
export function corrected(prompt: string, name: string | null, lang: Lang): Corrected {
  const changes = new Set<string>();
  const own = name ?? '';
  const heard = prompt.replace(/(?<!\p{L})sing(?=[ -]up (?:form|sheet|list|page))/giu, (word) => {
    changes.add('sing up → sign up');
    return word.startsWith('S') ? 'Sign' : 'sign';
  });
  const text = heard.replace(/["“„«][^"”“»]{0,80}["”“»]|\p{L}+/gu, (word, at: number) => {
    if (word.length < 3 || word.length > 30 || !/^\p{L}/u.test(word) || own.includes(word)) return word;
    const lower = word.toLowerCase();
    const capital = word !== lower && at > 0 && !/[.!?:]\s$/u.test(heard.slice(Math.max(0, at - 2), at));
    const near = right.has(lower) || sound.has(lower) ? undefined : patterns.get(lower);
    const spoken = near && (right.get(near) ?? 0) & (2 ** langs.indexOf(lang)) ? near : undefined;
    const meant = table.get(lower) ?? spoken;
    if (!meant || (capital && !(lang === 'de' && isNoun(word, meant)))) return word;
    changes.add(`${lower} → ${meant}`);
    return word === lower ? meant : meant.charAt(0).toUpperCase() + meant.slice(1);
  });
  return { text, changes: [...changes] };
}

/** German nouns have capitals; a long one that is a known word but for a doubled letter is no name. */
const isNoun = (word: string, meant: string) => word.length >= 6 && germanNouns.has(meant);
const germanNouns = new Set(
  [
    ...Object.values(concepts).map(({ labels, words = '' }) => `${labels}|${words}`),
    ...entities.map(({ names }) => names),
    spoken,
  ]
    .flatMap((texts) => texts.split(/[|/]/))
    .map((text) => text.toLowerCase()),
);
