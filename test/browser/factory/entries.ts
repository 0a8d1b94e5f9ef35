import { read } from '../../../src/factory/read/read.ts';
import type { AppSpec, SeedRow } from '../../../src/factory/spec.ts';

/** An entry by the labels of its fields. */
export type Entry = Readonly<Record<string, string | number | boolean>>;

/** The app of a prompt, which begins with these entries. Throws for a label that it has no field for. */
export function withEntries(prompt: string, entries: readonly Entry[]): AppSpec {
  const { spec } = read(prompt);
  const keyOf = (label: string) => {
    const field = spec.entity?.fields.find((one) => one.label === label);
    if (!field) throw new Error(`the app of ${JSON.stringify(prompt)} has no field ${label}`);
    return field.key;
  };
  const seed = entries.map(
    (entry): SeedRow =>
      Object.fromEntries(Object.entries(entry).map(([label, value]) => [keyOf(label), value])),
  );
  return { ...spec, seed };
}
