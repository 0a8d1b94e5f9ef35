import type { Feature, Kind } from '../spec.ts';

/** What the templates of a kind can do, besides turning dark, which each can. */
const byKind: Readonly<Record<Kind, readonly Feature[]>> = {
  tracker: ['search', 'filter', 'sort', 'totals', 'chart', 'csv', 'due', 'undo', 'print'],
  habits: ['csv', 'undo', 'print'],
  board: ['search', 'csv', 'due', 'undo', 'print'],
  dashboard: ['totals', 'chart', 'csv', 'undo', 'print'],
  quiz: ['undo'],
  flashcards: ['csv', 'undo', 'print'],
  calculator: ['undo', 'print'],
  converter: [],
  timer: ['undo'],
  landing: [],
  portfolio: ['print'],
  docs: ['search', 'undo'],
  game: [],
  form: ['totals', 'chart', 'csv', 'undo', 'print'],
  notes: ['search', 'undo', 'print'],
  event: ['undo'],
};

/** Variants that can do other things than their kind. */
const byVariant: Readonly<Record<string, readonly Feature[]>> = {
  'calculator/basic': [],
  'calculator/quote': ['totals', 'csv', 'undo', 'print'],
  'game/2048': ['undo'],
};

/** The features that an app of this kind can have at most; which it has depends on its fields. */
export function offersOf(kind: Kind, variant = ''): readonly Feature[] {
  return [...(byVariant[`${kind}/${variant}`] ?? byKind[kind]), 'dark'];
}
