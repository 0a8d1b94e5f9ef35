import type { Feature, TemplateName } from '../spec.ts';

/** What a template can do, besides turning dark, which each can. */
const byTemplate: Readonly<Record<TemplateName, readonly Feature[]>> = {
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

/** Variants that can do other things than their template. */
const byVariant: Readonly<Record<string, readonly Feature[]>> = {
  'calculator/basic': [],
  'calculator/quote': ['totals', 'csv', 'undo', 'print'],
  'game/2048': ['undo'],
};

/** The features that an app of this template can have at most; which it has depends on its fields. */
export function offersOf(template: TemplateName, variant = ''): readonly Feature[] {
  return [...(byVariant[`${template}/${variant}`] ?? byTemplate[template]), 'dark'];
}
