import type { Lang, TemplateName } from '../spec.ts';
import { shortened } from './text.ts';

const quoted =
  /"([^"]{2,60})"|“([^”]{2,60})”|„([^“”"]{2,60})[“”"]|«\s?([^»]{2,60}?)\s?»|‘([^’]{2,60})’(?!\p{L})|(?<![\p{L}\p{N}])'([^']{2,60})'(?![\p{L}])/u;

const before = `(?:${[
  'called|named|titled|entitled|name is|(?:name|call|title) it|by the name of|under the name(?: of)?|with the (?:name|title)|title is',
  'namens|genannt|mit dem (?:namen|titel)|unter dem namen|heißt|heisst|(?:name|titel) ist|es soll|nenne? (?:sie|es|ihn)',
  'llamad[ao]s?|titulad[ao]|(?:que )?se llam[ae]|con el (?:nombre|título)(?: de)?|de nombre|llámal[ao]|llamarl[ao]|nómbral[ao]|titúlal[ao]',
  "appelée?s?|nommée?|intitulée?|(?:qui )?s[’']appelle|du nom de|avec le titre|(?:appele[sz]?|appelle[sz]?|nomme[sz]?|intitule[sz]?)-l[ae]",
].join('|')})`;
const stops =
  '(?:with|that|which|where|for|to|and|in|on|using|including|has|it|mit|für|die|der|das|und|zum|zur|wo|con|para|que|y|donde|avec|pour|qui|et|où|dans)';
const called = new RegExp(
  `(?<![\\p{L}])${before}\\s*:?\\s+(.{2,60}?)(?=\\s*(?:[.,;:!?()\\n]|\\s[-–]\\s|$|(?<=\\s)${stops}(?![\\p{L}])))`,
  'iu',
);
/** “Title: Zap” in a clause of its own. */
const labelled =
  /(?:^|[.,;\n]\s*|\s[-–—]\s)(?:(?:the |der |el |le )?(?:[Tt]itle|[Nn]ame|[Aa]pp name|[Tt]itel|[Tt]ítulo|[Nn]ombre|[Tt]itre|[Nn]om))\s?:\s*(\p{Lu}[^.,;:!?\n]{1,58})(?=[.,;!\n]|$)/u;
/** “Sie soll Zap heißen”. */
const shall = /(?<!\p{L})(?:soll|sollte) (\p{Lu}[^.,;:!?\n]{1,58}?) heißen(?!\p{L})/u;
/** What leads to a name, with the comma or the “and” before it. */
const naming = new RegExp(
  `(?:,?\\s*(?:(?:and|und|y|et|please|bitte)\\s+)*(?<!\\p{L})(?:${before}|(?:(?:it|sie|es|er|die app) )?(?:soll|sollte)|(?:title|name|app name|titel|título|nombre|titre|nom)(?=\\s?:)))(?:\\s*:)?(?:\\s*["“„«‘'])?\\s*$`,
  'iu',
);
const spaced = new RegExp(`\\s${stops}$`, 'iu');

/** A name that the prompt states: in quotes, or after a word such as “called”. */
export function statedName(prompt: string): string | null {
  const inQuotes = quoted
    .exec(prompt)
    ?.slice(1)
    .find((part) => part !== undefined);
  const after =
    (shall.exec(prompt) ?? called.exec(prompt))?.[1]?.replace(spaced, '') ?? labelled.exec(prompt)?.[1];
  return (inQuotes && tidy(inQuotes)) || (after && tidy(after)) || null;
}

/** The prompt without its name and the words that give it: “…, call it Zap”. */
export function withoutName(prompt: string, name: string): string {
  const at = prompt.indexOf(name);
  if (at < 0) return prompt;
  const led = prompt.slice(0, at);
  const before = led.replace(naming, '');
  if (before === led) return prompt.replaceAll(name, ' ').trim();
  const after = prompt.slice(at + name.length).replace(/^["”“»’']?(?:\s+(?:heißen|nennen))?/iu, '');
  return `${before} ${after}`.replaceAll(name, ' ').trim();
}

/** “Meet Poll: find out …” begins with the name, in capitals; one word alone only says the template. */
const leading =
  /^(\p{Lu}[\p{L}\p{N}’'&]*(?:[ -](?:(?:of|and|the|de|la|und|für|et|du|des|y) )?\p{Lu}[\p{L}\p{N}’'&]*){1,4})\s?:\s/u;

/** The title that a prompt begins with, which still says what kind of app it is. */
export function leadingTitle(prompt: string): string | null {
  const found = leading.exec(prompt)?.[1];
  return found && !/^(?:I|Hi|Hello|Please|Make|Build|Create|Want|Need|Fields|Columns)(?!\p{L})/u.test(found)
    ? tidy(found)
    : null;
}

function tidy(name: string): string {
  return shortened(name.trim().replace(/^["'“„«]+|["'”“»]+$/gu, ''), 60).trim();
}

const article = {
  en: '(?:my |our |the |a |an )?',
  de: '(?:den |die |das |(?:mein|unser)(?:e[nrs]?)? )?',
  es: '(?:mi |nuestr[ao] |el |la |un |una )?',
  fr: "(?:mon |ma |notre |le |la |un |une |l[’'])?",
};

/** A word of what somebody does, before the name: “para la fotógrafa Ana Gil”. */
const calling = {
  en: '(?:[a-z]{3,}(?:er|or|ist|ian|ect) )?',
  de: '',
  es: '(?:\\p{Ll}{4,} )?',
  fr: '(?:\\p{Ll}{4,} )?',
};

/** What a person does, in up to three words: “wedding photographer Jana Weiss”. */
const anyCalling =
  '(?:(?!(?:from|with|and|near|based|who|that|aus|mit|und|der|die|con|desde|avec|qui|dans)\\s)[\\p{Ll}-]{3,} ){0,3}';

/** People are called by their work too: “für den Fotografen Jonas Weber”. */
const work =
  /^(?:Foto(?:graf|journalist)|Architekt|(?:Grafik|Web|Mode|Produkt|UX-)?[Dd]esigner|Künstler|Maler|Bildhauer|(?:Web|Software)?[Ee]ntwickler|Autor|Schriftsteller|Musiker|Sänger|Illustrator|Journalist|Schauspieler|Regisseur|Texter|Model)(?:en|in)?\s+(?=\p{Lu})/u;

/**
 * A proper name that a site is for: “a website for Bella Napoli”, “une page pour Chez Lucie”. German writes every noun
 * with a capital, so there it takes two in a row.
 */
export function properName(prompt: string, lang: Lang, template: TemplateName): string | null {
  const capital = "\\p{Lu}[\\p{L}\\p{N}’'&.-]*";
  const joined = `${capital}(?:\\s+(?:&|and|y|et|und|de|du|la|le|of|the|${capital})){0,4}`;
  const person = template === 'portfolio';
  const into = person
    ? { en: 'for|of|by', de: 'für|von|des|der', es: 'para|del?|por', fr: 'pour|de|du|par' }[lang]
    : { en: 'for|of', de: 'für', es: 'para|de', fr: 'pour|de' }[lang];
  const found = new RegExp(
    `(?<![\\p{L}])(?:${into})\\s+${article[lang]}${person ? anyCalling : calling[lang]}(${joined})`,
    'u',
  ).exec(prompt)?.[1];
  const name = found
    ?.replace(work, '')
    .replace(/\s+(?:and|y|et|und|de|du|la|le|of|the|&)$/u, '')
    .replace(/[.’']$/u, '');
  if (!name) return null;
  const manyWords = /\s/.test(name);
  if (lang === 'de' && !manyWords) return null;
  return /^(?:I|CV|FAQ|CSV|CRM|KPI|BMI|HIIT|Monday|Tuesday|Sunday|Saturday|Friday)$/.test(name)
    ? null
    : tidy(name);
}
