import { type Document, operationsOf } from './document.ts';

/** Takes out of the components those that only the given ones were there for. */
export function dropComponents(document: Document, given: ReadonlySet<string>): void {
  const kept = referredTo(document, Object.values(document.paths));
  for (const reference of given) {
    const [section = '', name = ''] = reference.split('/').slice(-2);
    if (!kept.has(reference)) delete document.components[section]?.[name];
  }
  const schemes = new Set(
    operationsOf(document).flatMap(({ operation }) => operation.security.flatMap(Object.keys)),
  );
  const all = document.components['securitySchemes'] ?? {};
  for (const name of Object.keys(all)) if (!schemes.has(name)) delete all[name];
}

/** Every component that a part of a document refers to, directly or by another. */
export function referredTo({ components }: Document, part: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown) => {
    for (const [, reference = ''] of JSON.stringify(value).matchAll(/"(#\/components\/[^"]+)"/g)) {
      if (found.has(reference)) continue;
      found.add(reference);
      const [section = '', name = ''] = reference.split('/').slice(-2);
      visit(components[section]?.[name] ?? null);
    }
  };
  visit(part);
  return found;
}
