import { createHash } from 'node:crypto';
import { iconLicence } from '../../../generated/icons.gen.ts';
import { copyFor, kindOfApp, settingsFor } from '../catalogue.ts';
import { iconFor, iconOf } from '../icons/icon-for.ts';
import { drawingOf, isIcon } from '../icons/icon-set.ts';
import { type AppSpec, isDueDate, type Section, type SectionItem } from '../spec.ts';

const attribute = ([name, value]: [string, string]) =>
  `${/^[a-z]\w*$/.test(name) ? name : `'${name}'`}: '${value}'`;

/** Lines of at most 110 characters. */
const wrapped = (text: string) => text.replace(/(?=.{111})(.{1,110}) /g, '$1\n');

type Data = Readonly<Record<string, unknown>>;

/** What the page knows about the app: only what its kind uses, so that the page's data can be read by a person. */
export function appData(spec: AppSpec, family?: Family): Data {
  const { name, tagline, lang, currency, variant } = spec;
  const id = appId(spec);
  const kind = kindOfApp(spec.kind, variant);
  const copy = copyFor(kind, spec.copy);
  const settings = settingsFor(kind, spec.settings);
  return {
    id,
    // A build that is as the first one was is the same in every byte.
    ...(family && family.name !== id && { family: family.name, line: family.line }),
    name,
    tagline,
    lang,
    currency,
    kind: spec.kind,
    variant,
    icon: iconOf(spec),
    ...(Object.keys(kind.copy).length > 0 && { copy }),
    ...(Object.keys(kind.settings).length > 0 && { settings }),
    ...Object.fromEntries(kind.uses.map((member) => [member, spec[member]])),
    ...(kind.uses.includes('sections') && { sections: pictured(spec) }),
    ...(kind.uses.includes('entity') && spec.entity && parts(spec)),
  };
}

/** What the fields of a thing are good for. */
const parts = (spec: AppSpec): Data => ({
  features: spec.features,
  sort: firstOrder(spec),
  done: fieldOfType(spec, 'checkbox'),
  due: dueField(spec),
  column: fieldOfType(spec, 'select'),
});

/** Dates to keep come soonest first; dates of what has been come latest first. */
function firstOrder(spec: AppSpec): Data {
  const date = dueField(spec) ?? fieldOfType(spec, 'date');
  return date ? { key: date, down: !spec.features.includes('due') } : { key: '', down: false };
}

/** The date to keep: of two dates the one that says so, “Next check” and not “Last check”. */
function dueField({ features, entity }: AppSpec): string | null {
  if (!features.includes('due')) return null;
  const dates = entity?.fields.filter((field) => field.type === 'date') ?? [];
  return (dates.find(({ label }) => isDueDate(label)) ?? dates[0])?.key ?? null;
}

function fieldOfType(spec: AppSpec, type: string): string | null {
  return spec.entity?.fields.find((field) => field.type === type)?.key ?? null;
}

/** Of which app a revision is, so that what was entered in one of its builds is there in the next. */
export interface Family {
  /** The id that the first build has: under it the app keeps entries. */
  readonly name: string;
  /** Tells this app from others that began as the same. */
  readonly line: string;
}

/**
 * The family of the revisions of an app.
 * @param first the spec of the first build
 * @param rootId its id
 */
export const familyOf = (first: AppSpec, rootId: string): Family => ({
  name: appId(first),
  line: hashOf(rootId, 12),
});

const hashOf = (text: string, length: number) =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/** Names the downloads, and the stored entries of a first build. Different apps must not share them, even from one folder. */
function appId(spec: AppSpec): string {
  return `${slug(spec)}-${hashOf(JSON.stringify(spec), 8)}`;
}

const spelt: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l' };

/** The name of an app as part of a file name: plain letters, digits and hyphens, German umlauts spelled out. */
export function slug({ name, lang }: Pick<AppSpec, 'name' | 'lang'>): string {
  const plain = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöü]/g, (letter) => (lang === 'de' ? `${letter}e` : letter))
    .replace(/[ßæœøł]/g, (letter) => spelt[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  return plain || 'app';
}

/** An entry of a site with its picture. */
type PicturedItem = SectionItem & { readonly icon?: string };

type PicturedSection = Omit<Section, 'items'> & { readonly items: readonly PicturedItem[] };

/** The sections of a site with pictures of what they list; those of other apps are entries, and have none. */
function pictured(spec: AppSpec): readonly PicturedSection[] {
  const { kind, variant, sections } = spec;
  if (!kindOfApp(kind, variant).styles.includes('shared/lib/site.css')) return sections;
  return sections.map((section) =>
    section.type === 'items' ? { ...section, items: itemsWithIcons(section.items, spec) } : section,
  );
}

/**
 * Where most entries have a picture of their own, the others get that of the app, so that no gap looks like a mistake. Where
 * few have one, there are none.
 */
function itemsWithIcons(items: readonly SectionItem[], spec: AppSpec): readonly PicturedItem[] {
  const found = items.map(({ title, text }) => iconFor(title, spec.lang) || iconFor(text ?? '', spec.lang));
  if (found.filter(Boolean).length * 2 < items.length) return items;
  return items.map((item, index) => ({ ...item, icon: found[index] || iconOf(spec) }));
}

/** The names of the pictures in an app: its own and those of its entries. */
function namesIn(spec: AppSpec): string[] {
  const items = pictured(spec).flatMap((section) => section.items.flatMap(({ icon }) => icon ?? []));
  return [...new Set([iconOf(spec), ...items])].filter(isIcon).sort();
}

/** The module that holds the pictures of an app and no other, with the licence that they come under. */
export function picturesModule(spec: AppSpec): string {
  const entries = namesIn(spec).map((name) => {
    const shapes = drawingOf(name).map(
      ([tag, attributes]) => `    ['${tag}', { ${Object.entries(attributes).map(attribute).join(', ')} }],`,
    );
    return `  ${/^[a-z]+$/.test(name) ? name : `'${name}'`}: [\n${shapes.join('\n')}\n  ],`;
  });
  return [
    '/*',
    'The pictures are from Lucide (https://lucide.dev).',
    '',
    wrapped(iconLicence),
    '*/',
    '',
    '/** Pictures on a grid of 24 by 24: the shapes of each, and their attributes. */',
    'export const pictures = {',
    ...entries,
    '};',
    '',
  ].join('\n');
}
