/**
 * The paths of the tables of fields. `a.b` is the field `b` of the object `a`; `a[]` stands for each item of the list `a`;
 * `a[type=x|y]` for those items whose `type` is `x` or `y`, `a{type=x}` for an object `a` of that type; and `a=x`, at the end
 * only, for the value `x` of `a`.
 */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'items' }
  | { readonly kind: 'variant'; readonly by: string; readonly values: readonly string[] }
  | { readonly kind: 'value'; readonly value: string };

/** Throws for a path that is not of this form. */
export function parseFieldPath(path: string): readonly Step[] {
  const steps: Step[] = [];
  let rest = path;
  while (rest !== '') {
    const taken = take(rest, steps);
    if (taken === 0) throw new Error(`${path} is no path of a field, from ${rest}`);
    rest = rest.slice(taken);
  }
  if (steps.length === 0) throw new Error('the path of a field is empty');
  return steps;
}

/** The same path as in a request, where nothing tells kinds of objects and values apart: `a[].b` of `a[type=x].b=y`. */
export function pathInRequest(path: string): string {
  return path
    .replaceAll(/\[\w+=[^\]]+\]/g, '[]')
    .replaceAll(/\{[^}]+\}/g, '')
    .replace(/=.+$/, '');
}

/** Adds what a path begins with to the steps, and tells how long that is. */
function take(rest: string, steps: Step[]): number {
  const name = /^\.?([\w-]+)/.exec(rest);
  if (name && rest.startsWith('.') === steps.length > 0) {
    steps.push({ kind: 'field', name: name[1] ?? '' });
    return name[0].length;
  }
  if (rest.startsWith('[]')) {
    steps.push({ kind: 'items' });
    return 2;
  }
  const variant = /^(?:\[(\w+)=([^\]]+)\]|\{(\w+)=([^}]+)\})/.exec(rest);
  if (variant) {
    if (rest.startsWith('[')) steps.push({ kind: 'items' });
    const [, itemsBy, itemsValues, by = itemsBy, values = itemsValues] = variant;
    steps.push({ kind: 'variant', by: by ?? '', values: (values ?? '').split('|') });
    return variant[0].length;
  }
  const value = /^=(.+)$/.exec(rest);
  if (!value) return 0;
  steps.push({ kind: 'value', value: value[1] ?? '' });
  return rest.length;
}
