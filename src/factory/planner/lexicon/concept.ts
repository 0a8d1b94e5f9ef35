import type { FieldType } from '../../spec.ts';

/** What a field is about: its type, its label in four languages, further words for it, and its default values. */
export interface Concept {
  readonly type: FieldType;
  readonly labels: string;
  readonly words?: string;
  /** Options by language, languages separated by `|`. */
  readonly options?: string;
  readonly range?: readonly [number, number, number];
  readonly total?: 'sum' | 'average' | 'none';
}

export const c = (
  type: FieldType,
  labels: string,
  words = '',
  more: Omit<Concept, 'type' | 'labels' | 'words'> = {},
): Concept => ({ type, labels, words, ...more });
