import type { AppSpec } from '../spec.ts';

/** Members that say how an app is made, and that it does not show; assumptions say what is not in it. */
const inner: ReadonlySet<string> = new Set([
  'v',
  'kind',
  'variant',
  'lang',
  'palette',
  'currency',
  'features',
  'icon',
  'assumptions',
  'key',
  'type',
  'total',
]);

/** All texts and numbers that an app shows. */
export function shownIn(spec: AppSpec): {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
} {
  const texts: string[] = [];
  const numbers: number[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'number') numbers.push(value);
    else if (value && typeof value === 'object')
      for (const [member, part] of Object.entries(value)) if (!inner.has(member)) collect(part);
  };
  collect(spec);
  return { texts, numbers };
}
