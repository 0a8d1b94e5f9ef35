import type { Lang } from '../spec.ts';
import { type Cue, type CueClass, type CueTable, cueClasses, cueTable, type Impossible } from './cues.ts';
import { yamlFile } from './yaml-file.ts';

type Entry = Impossible & Readonly<Record<Lang, Partial<Record<CueClass, readonly string[]>>>>;

const entries = yamlFile(new URL('impossible.yaml', import.meta.url)) as readonly Entry[];
const tables = new Map<Lang, CueTable>();

/** The cues in one language for what no kind does. */
export function impossibleCues(lang: Lang): CueTable {
  const table = tables.get(lang) ?? cueTable([...cuesOf(lang)], lang);
  tables.set(lang, table);
  return table;
}

function* cuesOf(lang: Lang): Generator<Cue> {
  for (const entry of entries) {
    for (const cueClass of cueClasses) {
      for (const phrase of entry[lang][cueClass] ?? [])
        yield { kind: '', variant: '', class: cueClass, phrase, never: entry };
    }
  }
}
