import type { PromptLang } from './prompt-set.ts';
import { fold, wordsOf } from './text.ts';

/** What people write beside the names and the abbreviations that the Unicode data has. */
const more: Readonly<Partial<Record<PromptLang, Readonly<Record<string, number>>>>> = {
  en: { tues: 2, weds: 3, thur: 4, thurs: 4 },
};
const tables = new Map<PromptLang, ReadonlyMap<string, number>>();

/** The folded names of the weekdays and their abbreviations, each with its number from Sunday on (0–6). */
export function weekdayNames(lang: PromptLang): ReadonlyMap<string, number> {
  const known = tables.get(lang);
  if (known) return known;
  const names = new Map(Object.entries(more[lang] ?? {}));
  for (const weekday of ['long', 'short'] as const)
    for (let day = 0; day < 7; day += 1) {
      // The first of February 2026 is a Sunday.
      const name = new Intl.DateTimeFormat(lang, { weekday }).format(new Date(2026, 1, 1 + day, 12));
      const [first = ''] = wordsOf(name);
      names.set(first, day).set(`${first}s`, day);
    }
  tables.set(lang, names);
  return names;
}

/** The weekdays that texts name, also those within a span such as `Mon–Fri`. */
export function weekdaysIn(texts: readonly string[], lang: PromptLang): Set<number> {
  const names = weekdayNames(lang);
  const name = `(${[...names.keys()].toSorted((one, other) => other.length - one.length).join('|')})\\.?(?:-feira)?`;
  const pattern = new RegExp(`\\b${name}(?: ?(?:-|to|till|bis|a|al|au) ?${name})?(?![\\p{L}])`, 'gu');
  const days = new Set<number>();
  for (const text of texts)
    for (const [, from = '', to] of fold(text).matchAll(pattern)) {
      const start = names.get(from) ?? 0;
      const end = to === undefined ? start : (names.get(to) ?? start);
      for (let day = start; day <= (end < start ? end + 7 : end); day += 1) days.add(day % 7);
    }
  return days;
}
