import type { FieldType, Lang } from '../spec.ts';
import { inLang } from './text.ts';

/** A clause of a list as a field: “whether they confirmed” is the box “Confirmed”. */
export interface Clause {
  readonly label: string;
  readonly type: FieldType;
  /** The concept that it certainly stands for. */
  readonly concept?: string;
}

interface Rule {
  readonly pattern: RegExp;
  readonly make: (rest: string, lang: Lang) => Clause | null;
}

const who =
  "(?:they|he|she|it|we|i|you|someone|(?:the|a|each|every|this) \\p{L}{2,20}|that|sie|er|es|wir|ich|man|jemand|(?:der|die|das) \\p{L}{2,20}|ils|elles|il|elle|on|c[’']|ce|nous|je|j[’']|(?:la|le|l[’']|el) ?\\p{L}{2,20}|ya)";
const being =
  '(?:is|are|was|were|has been|have been|has|have|had|was|will be|been|already|have already|has already|ist|sind|est|sont|a été|ont été|está|están|es|son|ha sido|ha|han|fue|déjà)';
const closing =
  /\s+(?:already|yet|or not|ist|sind|wurden?|wird|werden|hat|haben|habe|war|schon|or|oder nicht|o no|ou non)$/iu;
const opening = new RegExp(
  `^(?:${who}(?:\\s+|(?<=[’'])))?(?:schon |bereits |already )?(?:${being}\\s+)?(?:schon |bereits |already |still |ya |déjà )?`,
  'iu',
);

/** What is left of a clause when its subject and its auxiliary verb are gone. */
function bare(rest: string): string {
  let text = rest.trim();
  for (let turn = 0; turn < 2; turn++) text = text.replace(closing, '');
  return text.replace(opening, '').trim();
}

const past =
  /^(?:paid|came|went|gave|got|left|made|sent|took|read|ate|won|lost|brought|could|can|will|would|should|did)$|(?:(?<!e)ed|s)$/iu;

/** “They need a partner” becomes “Needs a partner”. */
function englishState(rest: string): string {
  const [, subject, verb = '', more = ''] =
    /^(they|we|i|you|people|guests|members)\s+(\p{L}+)(.*)$/iu.exec(rest) ?? [];
  if (!subject || /^(?:are|were|have been|already)$/iu.test(verb)) return bare(rest);
  if (/^have$/iu.test(verb)) return `has${more}`.replace(/^has (?:been |already )?(?=\p{L}+ed$|paid$)/iu, '');
  if (past.test(verb)) return `${verb}${more}`.replace(closing, '');
  return `${verb}${/(?:[sxz]|ch|sh|o)$/iu.test(verb) ? 'es' : 's'}${more}`.replace(
    /(?<=[^aeiou])ys(?=\s|$)/u,
    'ies',
  );
}

/** “sie einen Partner brauchen” becomes “Braucht einen Partner”. */
function germanState(rest: string): string {
  const text = rest
    .replace(closing, '')
    .replace(/^(?:sie|er|es|man|jemand|wir|ich|der|die|das|den)\s+/iu, '')
    .replace(/^(?:schon|bereits|noch)\s+/iu, '')
    .trim();
  const parts = text.split(' ');
  const verb = parts.at(-1) ?? '';
  if (parts.length < 2 || !/^\p{Ll}+(?:en|t)$/u.test(verb)) return text;
  // “Beitrag bezahlt” is a state already, what somebody does begins with the verb.
  if (
    !/en$|^(?:braucht|hat|kommt|mag|isst|bringt|nimmt|hilft|fährt|besitzt)$/u.test(verb) ||
    /^ge/u.test(verb)
  )
    return text;
  const third = verb.endsWith('en') ? `${verb.slice(0, -2)}${/[td]en$/u.test(verb) ? 'et' : 't'}` : verb;
  return `${third} ${parts.slice(0, -1).join(' ')}`;
}

/** “ya ha pagado la cuota” stays “Ha pagado la cuota”, but “ya está pagado” is “Pagado”. */
function romanceState(rest: string): string {
  const short = bare(rest);
  if (short.split(' ').length <= 2) return short;
  return rest.replace(closing, '').replace(/^(?:(?:ya|déjà|ils?|elles?|on|ellos|ellas)\s+)+/iu, '');
}

const state = (rest: string, lang: Lang): Clause | null => {
  const label = lang === 'en' ? englishState(rest) : lang === 'de' ? germanState(rest) : romanceState(rest);
  return label ? { label, type: 'checkbox' } : null;
};

const named =
  (labels: string, type: FieldType, concept?: string) =>
  (_rest: string, lang: Lang): Clause => ({
    label: inLang(labels, lang),
    type,
    ...(concept ? { concept } : {}),
  });

const noun = (rest: string) =>
  rest
    .replace(
      /\s+(?:ge\p{L}{2,20}(?:t|en) (?:wurden?|worden|haben|hat|sind)|there|they|we|i|you|he|she|it|people|are|is|will|were|was|would|do|did|does|can|of them|kommen|kommt|mitkommen|sind|ist|hat|haben|wir|ich|sie|er|es|man|mitbringen|vienen|van|ha|han|he|hemos|vendrán|hay|son|traen|tiene[ns]?|viennent|seront|ils|il y|nous|sont|a)(?:\s.*)?$/iu,
      '',
    )
    .trim();

/** “How many they serve” counts by what is done with it. */
const done = (what: string, lang: Lang): Clause =>
  /\s(?:serves?|feeds?|reich\p{L}+)$/iu.test(what)
    ? { label: inLang('Servings|Portionen|Raciones|Portions', lang), type: 'number', concept: 'servings' }
    : { label: lang === 'de' ? `Wie viele ${what}` : `How many ${what}`, type: 'number' };

const counted = (rest: string, lang: Lang): Clause | null => {
  const what = noun(rest);
  if (!what) return null;
  if (/^(?:they|it|we|i|you|he|she|sie|es|er|wir|ich|man)\s/iu.test(what)) return done(what, lang);
  const front = /^[aeiouyhâéêî]/iu.test(what) ? 'Nombre d’' : 'Nombre de ';
  return {
    label: inLang(`Number of ${what}|Anzahl ${what}|Número de ${what}|${front}${what}`, lang),
    type: 'number',
  };
};

const dated = (rest: string, lang: Lang): Clause => {
  const what = lang === 'de' ? germanWhen(rest) : bare(rest);
  return what.split(/\s+/).length > 3 || what === ''
    ? { label: inLang('Date|Datum|Fecha|Date', lang), type: 'date', concept: 'date' }
    : /^(?:due|fällig|vence|dû|due back)$/iu.test(what)
      ? { label: what, type: 'date', concept: 'due' }
      : { label: what, type: 'date' };
};

const germanWhen = (rest: string) =>
  rest
    .replace(closing, '')
    .replace(/^(?:sie|er|es|man|wir|ich|(?:der|die|das) \p{L}{2,30})\s+/iu, '')
    .trim();

const rule = (source: string, make: Rule['make']): Rule => ({
  pattern: new RegExp(`^(?:${source})(?!\\p{L})\\s*(.*)$`, 'iu'),
  make,
});

/** Clauses that people list fields with, most exact first. */
const rules: readonly Rule[] = [
  rule(
    'how long|wie lange|cuánto (?:tiempo|dura|duró|tarda|tardó)|combien de temps',
    named('Duration (min)|Dauer (min)|Duración (min)|Durée (min)', 'number', 'minutes'),
  ),
  rule(
    'how far|wie weit',
    named('Distance (km)|Strecke (km)|Distancia (km)|Distance (km)', 'number', 'distance'),
  ),
  rule('how old|wie alt', named('Age|Alter|Edad|Âge', 'number', 'age')),
  rule(
    'how much (?=[^,]*\\bowes?\\b)',
    named('Amount owed|Offener Betrag|Importe pendiente|Montant dû', 'currency', 'amount'),
  ),
  rule(
    'how much (?=(?:it|they|i|we|he|she|that|the \\p{L}+) (?:cost|is|was|paid|pay|spen))|wie ?viel (?=[^,]*(?:kost|bezahlt|gezahlt|ausgegeben))|cuánto (?=(?:ha )?(?:cuest|cost|pag|gast|val))|combien (?=[^,]*(?:coût|pay|dépens|vaut))|what (?:it|they|i|we) (?:cost|paid|spent)',
    named('Cost|Kosten|Coste|Coût', 'currency', 'amount'),
  ),
  rule("how many|wie ?viele|cuánt[oa]s|combien (?:de |d[’'])", counted),
  rule(
    'how (?:well|good) (?:it|they|i|we)|how (?:i|we) (?:liked|enjoyed)|wie gut',
    named('Rating|Bewertung|Valoración|Note', 'rating', 'rating'),
  ),
  rule(
    'how (?:i|we|you|they) (?:feel|felt|am feeling)|wie (?:ich|man|wir) (?:mich|sich|uns)',
    named('Mood|Stimmung|Ánimo|Humeur', 'select', 'mood'),
  ),
  rule(
    "whether(?: or not)?|if(?= (?:they|he|she|it|we|i|you|the|someone))|ob|si(?= (?:ya|está|es|ha|han|ne[ck]es|tien|vien|va|quier|pued|trae|la|le|el|c[’']|l[’']|on|elle|ils?|nous|j))|s[’']ils?",
    state,
  ),
  rule('when|wann|cuándo|quand', dated),
  rule(
    '(?:a |an |eine? )?(?:check(?:box)?|tick(?: ?box)?|kästchen|casilla|case(?: à cocher)?) (?:for|to|für|zum|para|pour|if|when|once|ob|wenn|si|à)',
    (rest, lang) => state(rest, lang),
  ),
];

const either =
  /(?<!\s)(?:(?:\s*,)?\s+(?:or not|oder nicht|o no|ou (?:non|pas))|\s*[?]|\s*\(?\s?(?:yes\s?(?:\/|or)\s?no|y\/n|ja\s?(?:\/|oder)\s?nein|s[ií]\s?[/o]\s?no|oui\s?(?:\/|ou)\s?non|checkbox|tick ?box|check ?box|zum abhaken|ankreuzen|casilla|case à cocher)\s?\)?)\s*$/iu;

/** The field that a clause describes, or null if the item is no clause. */
export function clauseOf(item: string, lang: Lang): Clause | null {
  const text = item.trim();
  for (const { pattern, make } of rules) {
    const rest = pattern.exec(text)?.[1];
    if (rest !== undefined) return make(rest.trim(), lang);
  }
  if (!either.test(text)) return null;
  const label = bare(text.replace(either, '').replace(/^(?:whether|if|ob|si)\s+/iu, ''));
  return label ? { label, type: 'checkbox' } : null;
}

/** Verbs for ticking something off: asked for in a list they mean the box of each entry. */
export const ticking =
  /^(?:(?:to |zum |zu |können |que se puedan? |pouvoir |à )?(?:tick(?:ing)?(?: (?:them|it|items?))?(?: off)?|check(?:ing)?(?: (?:them|it|items?|things))? off|check(?:box|mark)(?:es|s)?|mark(?:ing)? (?:them |it )?as done|cross(?:ing)?(?: (?:them|it))? off|abhaken|abhakbar|abhakfunktion|ankreuzen|durchstreichen|zum abhaken|häkchen|tachar(?:l[oa]s?)?|marcar(?:l[oa]s?)?(?: como (?:hech[oa]s?|comprad[oa]s?))?|cocher|case(?:s)? à cocher|rayer|barrer|casillas?))(?: können| kann)?$/iu;
