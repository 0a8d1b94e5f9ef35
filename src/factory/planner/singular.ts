import type { Lang } from '../spec.ts';

/** How plurals end, each with what the singular has instead. The first that gives a known word is taken. */
const endings: Record<Lang, readonly (readonly [RegExp, string])[]> = {
  en: [
    [/ies$/u, 'y'],
    [/es$/u, ''],
    [/s$/u, ''],
  ],
  de: [
    [/en$/u, ''],
    [/n$/u, ''],
    [/er$/u, ''],
    [/e$/u, ''],
    [/s$/u, ''],
  ],
  es: [
    [/es$/u, ''],
    [/s$/u, ''],
  ],
  fr: [
    [/aux$/u, 'al'],
    [/[sx]$/u, ''],
  ],
};

/** What a word in the plural may be in the singular; of a phrase in Spanish or French every word changes. */
export function singulars(phrase: string, lang: Lang): string[] {
  const words = phrase.split(' ');
  return endings[lang].flatMap(([ending, instead]) => {
    const last = phrase.replace(ending, instead);
    const all = words.map((word) => (word.length > 3 ? word.replace(ending, instead) : word)).join(' ');
    const first = [words[0]?.replace(ending, instead) ?? '', ...words.slice(1)].join(' ');
    return [last, ...(lang === 'es' || lang === 'fr' ? [all, first] : [])].filter((word) => word !== phrase);
  });
}
