import { type Document, operationsOf, type Schema } from '../../src/contract/served/document.ts';

/**
 * The contract for our own client libraries: there the content of a message of `/v1/chat` is a text, and never a list of parts.
 * In most languages a union is a type of its own, in which callers would have to wrap every text (seen with the generators of
 * Python, Go and Java, ogen, progenitor and typescript-fetch). The served contract has both.
 */
export function withTextAlone(contract: Document): Document {
  const document = structuredClone(contract);
  const message = document.components.schemas['ChatMessage'];
  const content = message?.properties?.['content'];
  const [text, parts] = content?.oneOf ?? [];
  if (!message?.properties || !text || !parts)
    throw new Error('The content of a message is no text or parts.');
  const { title: _, ...plain }: Schema = text;
  message.properties['content'] = { ...plain, description: content?.['description'] };
  dropComponents(document, referredTo(contract, parts));
  return document;
}

/** Whether a request of `/v1/chat` has a message whose content is parts, for which that contract has no place. */
export function passesParts(body: unknown): boolean {
  const { messages } = (body ?? {}) as { messages?: unknown };
  return Array.isArray(messages) && messages.some((message) => Array.isArray(message?.content));
}

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
