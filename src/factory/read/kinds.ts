import { existsSync, readdirSync } from 'node:fs';
import { moduleUrl } from '../../lib/module-url.ts';
import { oncePer } from '../../lib/once.ts';
import { yamlFile } from '../../lib/yaml-file.ts';
import { type Lang, type TemplateName, templateNames } from '../spec.ts';
import { type CueTable, cuesOf, cueTable, type Phrasing } from './cues.ts';
import type { Compose } from './draft.ts';

type CuesByLang = Partial<Record<Lang, Phrasing>>;

/** What there is to know of a kind for its prompts: `cues` of its `kind.yaml`, `content` of its `texts.yaml`, and its module. */
interface KindWords {
  readonly cues: CuesByLang & { readonly variants?: Readonly<Record<string, CuesByLang>> };
  readonly content: Partial<Record<Lang, unknown>>;
  readonly compose: Compose;
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
  for (const name of names) {
    const { cues } = yamlFile(new URL(`${name}/kind.yaml`, folder)) as Pick<KindWords, 'cues'>;
    const { content } = yamlFile(new URL(`${name}/texts.yaml`, folder)) as Pick<KindWords, 'content'>;
    const { compose } = (await import(moduleUrl(`${name}/compose`, folder).href)) as KindWords;
    files.set(name, { cues, content, compose });
  }
  return {
    cues: oncePer((lang) =>
      cueTable(
        [...files].flatMap(([kind, { cues }]) => cuesIn(kind, cues, lang)),
        lang,
      ),
    ),
    compose: (kind) => files.get(kind)?.compose ?? null,
    content: (kind, lang) => files.get(kind)?.content[lang] ?? files.get(kind)?.content.en,
  };
}

/** The cues of a kind and of its variants. */
const cuesIn = (kind: string, { variants = {}, ...own }: KindWords['cues'], lang: Lang) =>
  [['', own] as const, ...Object.entries(variants)].flatMap(([variant, byLang]) =>
    cuesOf(byLang[lang], { kind, variant, never: null }),
  );

const kindsFolder = new URL('../kinds/', import.meta.url);
/** The kinds of the factory. */
export const factoryKinds: Kinds = await kindsIn(kindsFolder);
