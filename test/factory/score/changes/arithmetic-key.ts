import type { PageForm } from './page-form.ts';

/** A key for the input or result of a formula, made of its label, that nothing else in the formula has. */
export function arithmeticKey(form: PageForm, at: string): string {
  const plain = form
    .text(`${at}/label`)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 18);
  const taken = new Set(
    ['/formula/inputs', '/formula/results'].flatMap((list) =>
      form.list(list).flatMap((_, index) => {
        const place = `${list}/${index}`;
        return place === at ? [] : [form.text(`${place}/key`)];
      }),
    ),
  );
  const base = plain || 'value';
  for (let n = 1; ; n++) {
    const key = n === 1 ? base : `${base}_${n}`;
    if (!taken.has(key)) return key;
  }
}

/** An expression of the first input, as what a formula reckons is not asserted anywhere. */
export const someExpression = (form: PageForm): string => form.text('/formula/inputs/0/key');
