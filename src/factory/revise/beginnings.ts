import { kindOfApp } from '../catalogue.ts';
import type { AppSpec } from '../spec.ts';
import type { Words } from './words.ts';

/** What a kind is made of and the spec has none of yet: something to begin with, which later commands change. */
export function beginnings(
  { kind, variant, grid, formula }: Pick<AppSpec, 'kind' | 'variant' | 'grid' | 'formula'>,
  words: Words,
): Partial<AppSpec> {
  const { uses } = kindOfApp(kind, variant);
  const { amount, answer } = words.file.defaults;
  const first = {
    inputs: [{ key: 'amount', label: amount }],
    results: [{ key: 'result', label: answer, expression: 'amount' }],
  };
  return {
    ...(uses.includes('grid') && !grid && { grid: { rows: [], marks: [] } }),
    ...(uses.includes('formula') && !formula && { formula: first }),
  };
}
