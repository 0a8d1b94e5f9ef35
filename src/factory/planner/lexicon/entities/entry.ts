/** How the entries of an entity are laid out. */
export type Layout = 'table' | 'cards' | 'checklist';

/** Something that people keep track of. Texts hold the four languages, separated by `|`; seeds by `;`. */
export interface EntityEntry {
  readonly id: string;
  /** Singular/plural for each language. */
  readonly names: string;
  /** Further words, in any language, that mean it. */
  readonly words: string;
  /** Concepts in order; `category:expense` takes the options of a set. */
  readonly fields: string;
  readonly seeds: string;
  readonly layout: Layout;
  readonly accent: string;
}

/** An entry in the order in which it is read best. */
export const e = (
  id: string,
  names: string,
  words: string,
  fields: string,
  seeds: string,
  accent: string,
  layout: Layout = 'table',
): EntityEntry => ({ id, names, words, fields, seeds, layout, accent });

/** Accents. */
export const accents = {
  green: '#1f8a5b',
  blue: '#2563eb',
  violet: '#7c3aed',
  orange: '#d9631e',
  teal: '#0f8a8a',
  pink: '#c2347b',
  red: '#c8372d',
  brown: '#8a5a33',
} as const;
