import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Document,
  eventSchemaOf,
  isForeign,
  type OperationAt,
  operationsOf,
  type Schema,
} from '../../src/contract/served/document.ts';

const root = path.join(import.meta.dirname, '../..');

/** The contract as far as the libraries are made of it: our own interface. */
export function readContract(): Document {
  const text = readFileSync(path.join(root, 'generated/openapi.json'), 'utf8');
  return ownInterface(JSON.parse(text) as Document);
}

/** The same as a file, for generators that read one. */
export function contractFile(): string {
  return written(readContract(), 'openapi.json');
}

/**
 * The same for languages in which a union is a type of its own: there a message is a text, as callers have written it, and parts
 * are left to a next major version.
 */
export function textContractFile(): string {
  return written(withTextAlone(readContract()), 'openapi-text.json');
}

function written(document: Document, name: string): string {
  const file = path.join(root, 'build/clients', name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(document));
  return file;
}

/** The contract in which the content of a message is a text and never a list of parts. */
export function withTextAlone(contract: Document): Document {
  const document = structuredClone(contract);
  const message = document.components['schemas']?.['ChatMessage'] as Schema | undefined;
  const content = message?.properties?.['content'];
  const [text, parts] = content?.oneOf ?? [];
  if (!message?.properties || !text || !parts)
    throw new Error('The content of a message is no text or parts.');
  const { title: _, ...plain } = text;
  message.properties['content'] = { ...plain, description: content?.['description'] };
  dropComponents(document, referredTo(contract, parts));
  return document;
}

/**
 * The contract without the operations of foreign interfaces, for which there are their vendors' own clients, without what only
 * those refer to, and without the ways to send a key that only those clients know.
 */
export function ownInterface(contract: Document): Document {
  const document = structuredClone(contract);
  const foreign = operationsOf(document).filter(({ operation }) => isForeign(operation));
  for (const { path, method } of foreign) {
    delete document.paths[path]?.[method];
    if (Object.keys(document.paths[path] ?? {}).length === 0) delete document.paths[path];
  }
  for (const { operation } of operationsOf(document)) {
    const bearer = operation.security.filter((requirement) => 'bearerAuth' in requirement);
    if (bearer.length > 0) operation.security = bearer;
  }
  const gone = foreign.map(({ operation }) => operation);
  dropComponents(document, referredTo(contract, gone));
  const left = new Set(operationsOf(document).map(({ operation }) => operation.tags[0]));
  const dropped = new Set(gone.map(({ tags }) => tags[0]).filter((tag) => !left.has(tag)));
  document.tags = document.tags.filter(({ name }) => !dropped.has(name));
  return document;
}

/** Takes out of the components those that only the given ones were there for. */
function dropComponents(document: Document, given: ReadonlySet<string>): void {
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
function referredTo({ components }: Document, part: unknown): ReadonlySet<string> {
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

/** An operation that answers with events. */
export interface Stream {
  readonly at: OperationAt;
  /** The schema of the events, by reference. */
  readonly event: Schema;
}

/** The operations that answer with events and with nothing else. The schema of the events is in `x-event-schema`. */
export function streamsOf(contract: Document): Stream[] {
  return operationsOf(contract).flatMap((at) => {
    const event = eventSchemaOf(at.operation.responses['200']?.content?.['text/event-stream']);
    return event ? [{ at, event }] : [];
  });
}
