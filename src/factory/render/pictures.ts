import { iconLicence } from '../../../generated/icons.gen.ts';
import { kindOfApp } from '../catalogue.ts';
import { iconFor } from '../icons/icon-for.ts';
import { drawingOf, isIcon } from '../icons/icon-set.ts';
import { iconOf } from '../icons/spec-icon.ts';
import type { AppSpec, Section, SectionItem } from '../spec.ts';

/** An entry of a site with its picture. */
type PicturedItem = SectionItem & { readonly icon?: string };
type PicturedSection = Omit<Section, 'items'> & { readonly items: readonly PicturedItem[] };

/** The sections of a site with pictures of what they list; those of other apps are entries, and have none. */
export function pictured(spec: AppSpec): readonly PicturedSection[] {
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

const attribute = ([name, value]: [string, string]) =>
  `${/^[a-z]\w*$/.test(name) ? name : `'${name}'`}: '${value}'`;

/** Lines of at most 110 characters. */
const wrapped = (text: string) => text.replace(/(?=.{111})(.{1,110}) /g, '$1\n');
