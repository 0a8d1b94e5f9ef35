import { kinds } from '../../generated/kinds.gen.ts';
import type {
  AppFeature,
  AppPalette,
  BuildTemplate,
  TemplateId,
  TemplateList,
} from '../../generated/types.gen.ts';
import type { Kind, Setting, SpecMember, Text, Variant } from './kind.ts';

/** The version of all templates, part of what the record of a build says about its template. */
export const templateVersion = 1;

/** A kind with one of its variants: what the variant says stands in place of what the kind says. */
export interface KindOfApp extends Omit<Kind, 'variants' | 'needs' | 'settings'> {
  readonly needs: readonly SpecMember[];
  readonly settings: Readonly<Record<string, Setting>>;
  readonly entry: string;
  readonly styles: readonly string[];
  readonly files: NonNullable<Variant['files']>;
}

/** What there is to know of the apps of a kind and variant. An unknown variant has what its kind has. */
export function kindOfApp(id: TemplateId, variant = ''): KindOfApp {
  const { variants, ...kind } = kinds[id];
  const { description: _, ...own } = variants[variant] ?? { description: '' };
  return {
    needs: [],
    entry: 'main.js',
    styles: [`${id}.css`],
    files: {},
    ...kind,
    ...own,
    settings: { ...kind.settings, ...own.settings },
  };
}

/** The colour of a kind and how its apps look, where nobody asks for something else. */
export function usualPalette(id: TemplateId): Pick<Required<AppPalette>, 'accent' | 'look'> {
  const { accent, look } = kinds[id];
  return { accent, look };
}

/** The names of the variants of a kind; none where it has only one sort of apps. */
export const variantsOf = (id: TemplateId): readonly string[] => Object.keys(kinds[id].variants);

/** The features that an app of this kind can have at most; which it has depends on its fields. */
export function offersOf(id: TemplateId, variant = ''): readonly AppFeature[] {
  return [...kindOfApp(id, variant).features, 'dark'];
}

/** The numbers of an app, whole: those given as far as they are known and in bounds, else the nearest or the usual one. */
export function settingsFor(
  { settings }: Pick<KindOfApp, 'settings'>,
  given: Readonly<Record<string, number>>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, { min, max, value, step }]) => {
      const wanted = given[name] ?? value;
      const near = Math.min(Math.max(step ? Math.round(wanted / step) * step : wanted, min), max);
      return [name, near];
    }),
  );
}

/** The short texts of an app: those given as far as they are known and fit, else the usual one if there is any. */
export function copyFor(
  { copy }: Pick<KindOfApp, 'copy'>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(copy).flatMap(([name, text]) => {
      const own = given[name];
      const shown = own !== undefined && fits(text, own) ? own : text.value;
      return shown === undefined ? [] : [[name, shown]];
    }),
  );
}

/** Whether a kind can show a text under one of the names that it has for texts. */
export const fits = ({ pattern, options }: Text, text: string) =>
  (options?.includes(text) ?? true) && (pattern === undefined || new RegExp(pattern, 'u').test(text));

/** Every kind, for people and programs that choose from them. */
export function templateList(): TemplateList {
  const data = Object.entries(kinds).map(([id, kind]) => templateView(id as TemplateId, kind));
  return { object: 'list', data, count: data.length };
}

function templateView(id: TemplateId, kind: Kind): BuildTemplate {
  const { name, description, tags, examplePrompts, uses, needs = [], variants } = kind;
  const sorts = Object.entries(variants);
  return {
    id,
    version: templateVersion,
    name,
    description,
    tags: [...tags],
    example_prompts: [...examplePrompts],
    features: [...offersOf(id)],
    variants: sorts.map(([variant, { description: what }]) => ({ id: variant, description: what })),
    uses: [...new Set([...uses, ...sorts.flatMap(([, sort]) => sort.uses ?? [])])],
    needs: [...needs],
    settings: [
      ...settingsView([], kind.settings),
      ...sorts.flatMap(([variant, sort]) => settingsView([variant], sort.settings)),
    ],
    copy: Object.entries(kind.copy).map(([text, { options, ...rest }]) => ({
      name: text,
      ...rest,
      ...(options && { options: [...options] }),
    })),
    engines: ['embedded'],
    estimated_seconds: 1,
  };
}

const settingsView = (variants: string[], settings: Kind['settings'] = {}) =>
  Object.entries(settings).map(([name, setting]) => ({ name, variants, ...setting }));
