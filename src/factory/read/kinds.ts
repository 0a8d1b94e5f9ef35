import { existsSync, readdirSync } from 'node:fs';
import { moduleUrl } from '../../lib/module-url.ts';
import { yamlFile } from '../../lib/yaml-file.ts';
import { type Lang, type TemplateName, templateNames } from '../spec.ts';
import { type Cue, type CueClass, type CueTable, cueClasses, cueTable } from './cues.ts';
import type { Compose } from './draft.ts';

type CuesByLang = Partial<Record<Lang, Partial<Record<CueClass, readonly string[]>>>>;

/** What there is to know of a kind for its prompts: `cues` of its `kind.yaml`, and `content` of its `texts.yaml`. */
interface KindWords {
  readonly cues: CuesByLang & { readonly variants?: Readonly<Record<string, CuesByLang>> };
  readonly content: Partial<Record<Lang, unknown>>;
}

interface KindModule {
  readonly compose: Compose<never>;
}

/** The kinds that prompts are read for. */
export interface Kinds {
  readonly cues: (lang: Lang) => CueTable;
  readonly compose: (kind: string) => Compose | null;
  readonly content: (kind: string, lang: Lang) => unknown;
}

/**
 * The kinds in a folder: each is a folder with `kind.yaml`, `texts.yaml` and `compose.ts`. A kind that is not in the contract is left
 * out unless `all` is set.
 */
export async function kindsIn(folder: URL, all = false): Promise<Kinds> {
  const names = readdirSync(folder).filter(
    (name) =>
      existsSync(new URL(`${name}/kind.yaml`, folder)) &&
      existsSync(moduleUrl(`${name}/compose`, folder)) &&
      (all || templateNames.includes(name as TemplateName)),
  );
  const files = new Map<string, KindWords>();
  const modules = new Map<string, KindModule>();
  for (const name of names) {
    const { cues } = yamlFile(new URL(`${name}/kind.yaml`, folder)) as Pick<KindWords, 'cues'>;
    const { content } = yamlFile(new URL(`${name}/texts.yaml`, folder)) as Pick<KindWords, 'content'>;
    files.set(name, { cues, content });
    modules.set(name, (await import(moduleUrl(`${name}/compose`, folder).href)) as KindModule);
  }
  const tables = new Map<Lang, CueTable>();
  return {
    cues: (lang) => {
      const table = tables.get(lang) ?? cueTable([...cuesOf(files, lang)], lang);
      tables.set(lang, table);
      return table;
    },
    compose: (kind) => (modules.get(kind)?.compose as Compose | undefined) ?? null,
    content: (kind, lang) => files.get(kind)?.content[lang] ?? files.get(kind)?.content.en,
  };
}

const kindsFolder = new URL('../kinds/', import.meta.url);
/** The kinds of the factory. */
export const factoryKinds: Kinds = await kindsIn(kindsFolder);

function* cuesOf(files: ReadonlyMap<string, KindWords>, lang: Lang): Generator<Cue> {
  for (const [kind, { cues }] of files) {
    const groups: readonly (readonly [string, CuesByLang])[] = [
      ['', cues],
      ...Object.entries(cues.variants ?? {}),
    ];
    for (const [variant, byLang] of groups) {
      for (const cueClass of cueClasses) {
        for (const phrase of byLang[lang]?.[cueClass] ?? [])
          yield { kind, variant, class: cueClass, phrase, never: null };
      }
    }
  }
}
