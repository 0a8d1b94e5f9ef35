import { isObject, listAt, valueAt, withValueAt } from './json-pointer.ts';
import {
  appOf,
  type NamedValue,
  type PlanForms,
  type SchemaNode,
  schemaAt,
  variantsOf,
} from './plan-schema.ts';

/** A plan that is being edited. It need not fit the schema: half-typed values stay as they are. */
export type Draft = Readonly<Record<string, unknown>>;

export function withItem(draft: Draft, list: string, { schema }: PlanForms): Draft {
  const { required } = schemaAt(schema, `${list}/0`);
  const members = required.map((name) => [name, emptyValue(schemaAt(schema, `${list}/0/${name}`))]);
  const item = Object.fromEntries(members);
  if (list === '/entity/fields') item['key'] = freeKey(listAt(draft, list));
  return withValueAt(draft, list, [...listAt(draft, list), item]);
}

function emptyValue({ type, options }: SchemaNode) {
  if (type === 'array') return [];
  return options[0] ?? '';
}

/** A key that no field has. One that was taken away may have values on devices, so its key is not given again if others are left. */
function freeKey(fields: readonly unknown[]) {
  const taken = fields.map((field) => Number(String(valueAt(field, '/key')).slice(1)));
  const next = Math.max(-1, ...taken.filter((n) => Number.isInteger(n))) + 1;
  if (next < 100) return `f${next}`;
  return `f${Array.from({ length: 100 }, (_, n) => n).find((n) => !taken.includes(n)) ?? 0}`;
}

/** Without one item of a list. The values of a field that is taken away go with it. */
export function withoutItem(draft: Draft, list: string, index: number): Draft {
  const items = listAt(draft, list);
  const next = withValueAt(draft, list, items.toSpliced(index, 1));
  const key = list === '/entity/fields' ? valueAt(items[index], '/key') : undefined;
  if (typeof key !== 'string') return next;
  const seed = listAt(draft, '/seed').map((row) => withValueAt(row, `/${key}`, undefined));
  return seed.length === 0 ? next : withValueAt(next, '/seed', seed);
}

export function withMoved(draft: Draft, list: string, from: number, to: number): Draft {
  return withValueAt(draft, list, movedIn(listAt(draft, list), from, to));
}

function movedIn<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, item);
}

/**
 * With another kind: members of both are kept, also the lists that the new one does not show, so that the way back loses
 * none of them.
 */
export function withKind(draft: Draft, kind: string, forms: PlanForms): Draft {
  return withVariant({ ...draft, kind }, variantsOf(forms, kind)[0] ?? '', forms);
}

export function withVariant(draft: Draft, variant: string, forms: PlanForms): Draft {
  const next = { ...draft, variant };
  const { features, uses, settings, copy } = appOf(forms, next);
  const begun = {
    ...next,
    features: listAt(draft, '/features').filter((feature) => features.includes(String(feature))),
    settings: known(draft['settings'], settings),
    copy: known(draft['copy'], copy),
    ...beginnings(draft, uses),
  };
  return withNeededField(begun);
}

/** by kind, or by kind and variant */
const neededFields: Readonly<Record<string, { types: readonly string[]; field: Draft }>> = {
  board: {
    types: ['select'],
    field: { label: 'Status', type: 'select', options: ['To do', 'Doing', 'Done'] },
  },
  'form/poll': { types: ['select'], field: { label: 'Choice', type: 'select', options: ['Yes', 'No'] } },
  dashboard: { types: ['number', 'currency'], field: { label: 'Amount', type: 'number' } },
};

/** With a field that the apps of its kind cannot go without: a board has columns, a poll choices, a dashboard something to count. */
function withNeededField(draft: Draft): Draft {
  const { kind, variant } = draft;
  const needed = neededFields[`${kind}/${variant}`] ?? neededFields[String(kind)];
  const fields = listAt(draft, '/entity/fields');
  if (!needed || fields.some((field) => needed.types.includes(String(valueAt(field, '/type'))))) return draft;
  return withValueAt(draft, '/entity/fields', [...fields, { key: freeKey(fields), ...needed.field }]);
}

/** The plan as it is sent: without what its kind has no place for, which the form keeps for the way back. */
export function planToSend(draft: Draft, forms: PlanForms): Draft {
  const { uses } = appOf(forms, draft);
  const none = { entity: null, grid: null, formula: null };
  const idle = Object.entries(none).filter(([name]) => !uses.includes(name) && isObject(draft[name]));
  const rows = !uses.includes('entity') && !uses.includes('seed') && listAt(draft, '/seed').length > 0;
  return { ...draft, ...Object.fromEntries(idle), ...(rows && { seed: [] }) };
}

function known(values: unknown, named: readonly NamedValue[]) {
  const entries = Object.entries(isObject(values) ? values : {});
  return Object.fromEntries(entries.filter(([name]) => named.some((one) => one.name === name)));
}

/** Something to begin with in the parts that the form can change, but not make. */
function beginnings(draft: Draft, uses: readonly string[]): Draft {
  const all = {
    entity: {
      singular: 'entry',
      plural: 'entries',
      fields: [{ key: 'f0', label: 'Name', type: 'text', required: true }],
    },
    grid: { rows: [], marks: [] },
    formula: {
      inputs: [{ key: 'amount', label: 'Amount' }],
      results: [{ key: 'result', label: 'Result', expression: 'amount' }],
    },
  };
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => uses.includes(name) && !isObject(draft[name])),
  );
}

/** With the other type of a field: one that is chosen from needs something to choose, one that is not has no use for it. */
export function withType(draft: Draft, field: string, type: string): Draft {
  const typed = withValueAt(draft, `${field}/type`, type);
  if (type === 'select') return withValueAt(typed, `${field}/options`, listAt(draft, `${field}/options`));
  return withValueAt(typed, `${field}/options`, undefined);
}

/**
 * The value typed into a control, as the plan has it.
 * @param needed whether the member stays when it is empty
 * @returns undefined for a member that is left out
 */
export function typedValue(text: string, sort: 'text' | 'number' | 'lines', needed: boolean): unknown {
  if (sort === 'lines') {
    const lines = text.split('\n').flatMap((line) => line.trim() || []);
    return lines.length > 0 || needed ? lines : undefined;
  }
  if (text.trim() === '' && !needed) return undefined;
  if (sort === 'text') return text;
  const number = Number(text.trim().replace(',', '.'));
  // A value that is no number is kept as it was typed; the server says what is wrong with it.
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}

/**
 * The path of a value after an item of a list was moved or removed; null if it was removed.
 * @param to null: taken away
 */
export function placeAfter(pointer: string, list: string, from: number, to: number | null): string | null {
  const [index = '', ...rest] = pointer.startsWith(`${list}/`)
    ? pointer.slice(list.length + 1).split('/')
    : [];
  if (!/^\d+$/.test(index)) return pointer;
  const old = Number(index);
  if (old === from && to === null) return null;
  let place = old;
  if (old === from) place = to ?? old;
  else {
    if (old > from) place--;
    if (to !== null && place >= to) place++;
  }
  return [list, String(place), ...rest].join('/');
}

/** The facts about places in a list, after an item was moved in it or removed (null). */
export function carried<T>(
  known: ReadonlyMap<string, T>,
  list: string,
  from: number,
  to: number | null,
): Map<string, T> {
  const next: Map<string, T> = new Map();
  for (const [place, value] of known) {
    const now = placeAfter(place, list, from, to);
    if (now !== null) next.set(now, value);
  }
  return next;
}
