import { type Lang, langs } from '../../spec.ts';
import { commonStrings } from './common.ts';
import { playStrings } from './play.ts';
import { workStrings } from './work.ts';

const table: Readonly<Record<string, string>> = { ...commonStrings, ...playStrings, ...workStrings };

/** The texts that these sources mention, in one language; plural forms come with their key. */
export function stringsFor(lang: Lang, sources: readonly string[]): Record<string, string> {
  const words = new Set(
    sources.flatMap((source) => source.match(/(?<=['`])[a-zA-Z][a-zA-Z0-9_]*(?=['`$])/g) ?? []),
  );
  const wanted = (key: string) =>
    words.has(key) || words.has(key.replace(/_(one|other)$/, '')) || prefixWanted(key, sources);
  const column = langs.indexOf(lang);
  return Object.fromEntries(
    Object.entries(table)
      .filter(([key]) => wanted(key))
      .map(([key, texts]) => [key, texts.split('|')[column] ?? '']),
  );
}

/** Keys put together at run time, such as t(`unit_${unit}`). */
function prefixWanted(key: string, sources: readonly string[]): boolean {
  const prefix = /^(unit_|group_|setting_|mood(?=\d))/.exec(key)?.[0];
  return prefix !== undefined && sources.some((source) => source.includes(`\`${prefix}\${`));
}

/** Every key, for the test that no template asks for a text that there is not. */
export const stringKeys: readonly string[] = Object.keys(table);
