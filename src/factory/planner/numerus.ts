import type { Lang } from '../spec.ts';
import { capitalised } from './text.ts';

/** German nouns that no rule of endings turns into one, and English and French ones: plural, then singular. */
const irregular: Readonly<Record<Lang, ReadonlyMap<string, string>>> = {
  en: pairs(
    'people person|children child|men man|women woman|mice mouse|geese goose|knives knife|shelves shelf|leaves leaf|calves calf|halves half|loaves loaf|lenses lens|buses bus|movies movie|cookies cookie|ties tie|pies pie|shoes shoe|horses horse|houses house|hoses hose|cases case|vases vase|nurses nurse|courses course|licenses license|leases lease|purchases purchase|expenses expense|releases release|roses rose|doses dose|exercises exercise|series series|sheep sheep|fish fish',
  ),
  de: pairs(
    'völker volk|listen liste|gegenstände gegenstand|bestände bestand|zustände zustand|stände stand|bücher buch|bäume baum|häuser haus|räder rad|fahrräder fahrrad|schläuche schlauch|gäste gast|hefte heft|schränke schrank|pläne plan|anträge antrag|verträge vertrag|einträge eintrag|vorfälle vorfall|unfälle unfall|einkäufe einkauf|verkäufe verkauf|brände brand|kinder kind|bilder bild|lieder lied|kleider kleid|felder feld|gärten garten|böden boden|öfen ofen|züge zug|flüge flug|ausflüge ausflug|läufe lauf|kurse kurs|teile teil|spiele spiel|geräte gerät|werkzeuge werkzeug|fahrzeuge fahrzeug|tiere tier|pferde pferd|hunde hund|schafe schaf|fische fisch|weine wein|steine stein|briefe brief|dienste dienst|einsätze einsatz|brände brand|wettkämpfe wettkampf|sätze satz|stühle stuhl|schlüssel schlüssel|noten note|boote boot|instrumente instrument|projekte projekt|produkte produkt|medikamente medikament|termine termin|rezepte rezept|proben probe|filme film|artikel artikel|parzellen parzelle|messer messer|tage tag|besuche besuch|versuche versuch|texte text|orte ort|punkte punkt|schritte schritt|ersatzteile ersatzteil|eier ei|kälber kalb|hühner huhn|lämmer lamm|müller müller',
  ),
  es: pairs('veces vez|luces luz|lápices lápiz|peces pez|jueves jueves|clubes club|árboles árbol'),
  fr: pairs(
    'travaux travail|vitraux vitrail|yeux œil|jeux jeu|vœux vœu|feux feu|bijoux bijou|genoux genou|cours cours|parcours parcours|fois fois|bras bras|repas repas|prix prix|bois bois|mois mois|poids poids|tapis tapis|souris souris|noix noix|voix voix|croix croix|choix choix|avis avis|pays pays|temps temps|colis colis|devis devis|essais essai',
  ),
};

function pairs(text: string): ReadonlyMap<string, string> {
  return new Map(text.split('|').map((pair) => pair.split(' ') as [string, string]));
}

type Endings = readonly (readonly [RegExp, string])[];

/** How plurals end, each with what the singular has instead; the first that fits is taken. */
const singularEndings: Readonly<Record<Lang, Endings>> = {
  en: [
    [/(?<=[^aeiou])ies$/u, 'y'],
    [/(?<=(?:ss|x|ch|sh|zz))es$/u, ''],
    [/(?<=[^su])s$/u, ''],
  ],
  de: [
    [/(?<=in)nen$/u, ''],
    [
      /(?<=(?:ung|heit|keit|schaft|ion|tät|or|ei|ur|uhr|son|ent|ant|ist|(?<![kgw])art|fahrt|zeit|arbeit|schrift|zahl|wahl|frau))en$/u,
      '',
    ],
    [/(?<=(?:el|er))n$/u, ''],
    [/(?<=\p{L}{3}e)n$/u, ''],
    [/(?<=[aiouy])s$/u, ''],
    [/(?<=(?:tr|m|k|p|b)s)$/u, ''],
  ],
  es: [
    [/iones$/u, 'ión'],
    [/ces$/u, 'z'],
    [/(?<=[nrldj])es$/u, ''],
    [/(?<=[aeiouáéó])s$/u, ''],
  ],
  fr: [
    [/(?<=eau)x$/u, ''],
    [/aux$/u, 'al'],
    [/(?<=[^s])s$/u, ''],
  ],
};

/** How one becomes several. */
const pluralEndings: Readonly<Record<Lang, Endings>> = {
  en: [
    [/(?<=[^aeiou])y$/u, 'ies'],
    [/(?<=(?:s|x|ch|sh|z))$/u, 'es'],
    [/$/u, 's'],
  ],
  de: [
    [/(?<=(?:ung|heit|keit|schaft|ion|tät))$/u, 'en'],
    [/(?<=\p{Ll}in)$/u, 'nen'],
    [/(?<=e)$/u, 'n'],
    [/(?<=(?:er|el|en|chen))$/u, ''],
    [/(?<=[aiouy])$/u, 's'],
  ],
  es: [
    [/ión$/u, 'iones'],
    [/z$/u, 'ces'],
    [/(?<=[aeiouáéó])$/u, 's'],
    [/(?<=[^s])$/u, 'es'],
  ],
  fr: [
    [/(?<=eau)$/u, 'x'],
    [/al$/u, 'aux'],
    [/(?<=[^sxz])$/u, 's'],
  ],
};

function changed(word: string, endings: Endings): string {
  const rule = endings.find(([ending]) => ending.test(word));
  return rule ? word.replace(rule[0], rule[1]) : word;
}

/** The longest irregular word that this one ends in: “Feuerwehrschläuche” is made of “Schläuche”. */
function irregularIn(word: string, lang: Lang): string | null {
  const lower = word.toLowerCase();
  const known = [...irregular[lang]].find(
    ([plural]) => lower === plural || (lang === 'de' && lower.endsWith(plural) && plural.length > 4),
  );
  if (!known) return null;
  const [plural, singular] = known;
  const front = word.slice(0, word.length - plural.length);
  return front + (front === '' && /^\p{Lu}/u.test(word) ? capitalised(singular, lang) : singular);
}

const singularWord = (word: string, lang: Lang) =>
  irregularIn(word, lang) ?? changed(word, singularEndings[lang]);

function pluralWord(word: string, lang: Lang): string {
  const lower = word.toLowerCase();
  const known = [...irregular[lang]].find(([, singular]) => singular === lower)?.[0];
  if (known) return /^\p{Lu}/u.test(word) ? capitalised(known, lang) : known;
  return changed(word, pluralEndings[lang]);
}

/** What follows the noun in Spanish and French and stays as it is: “rutas en bici”. */
const complement = /\s(?:d[’'].*|(?:de|del|en|para|con|a|au|aux|à|du|des|pour|avec)(?:\s.*)?)$/iu;

/** Changes the noun of a phrase: the last word, in Spanish and French the first and the adjectives behind it. */
function inflected(phrase: string, lang: Lang, change: (word: string, lang: Lang) => string): string {
  const words = phrase.split(' ');
  if (lang === 'en' || lang === 'de')
    return [...words.slice(0, -1), change(words.at(-1) ?? '', lang)].join(' ');
  const rest = complement.exec(phrase)?.[0] ?? '';
  const noun = phrase.slice(0, phrase.length - rest.length);
  return (
    noun
      .split(' ')
      .map((word) => change(word, lang))
      .join(' ') + rest
  );
}

/** Singular and plural of a noun phrase that stands in either number. */
export function numerusOf(phrase: string, lang: Lang): readonly [singular: string, plural: string] {
  const singular = inflected(phrase, lang, singularWord);
  return singular === phrase && !isAlsoPlural(phrase, lang)
    ? [phrase, inflected(phrase, lang, pluralWord)]
    : [singular, phrase];
}

/** Words that are the same in both numbers. */
function isAlsoPlural(phrase: string, lang: Lang): boolean {
  const noun = lang === 'en' || lang === 'de' ? phrase.split(' ').at(-1) : phrase.split(' ')[0];
  const lower = noun?.toLowerCase() ?? '';
  return irregular[lang].get(lower) === lower || (lang === 'de' && /(?:el|er|en)$/u.test(lower));
}
