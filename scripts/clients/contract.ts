import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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

/** The contract as far as the libraries are made of it: our own interface, as it is served. */
export function readContract(): Document {
  const text = readFileSync(path.join(root, 'generated/openapi.json'), 'utf8');
  return ownInterface(withTextAlone(JSON.parse(text) as Document));
}

/** The same as a file, for generators that read one. */
export function contractFile(): string {
  const file = path.join(root, 'build/clients/openapi.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(readContract()));
  return file;
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

const begin = /^\s*(?:\/\/|#) if (\w+)$/;
const end = /^\s*(?:\/\/|#) end if$/;

/**
 * Copies the hand-written files of a library. What stands between a comment `if <operation>` and a comment `end if` is only
 * taken if the contract has that operation.
 */
export function copyForContract(contract: Document, from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const names = readdirSync(from, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((name) => statSync(path.join(from, name)).isFile())) {
    const text = readFileSync(path.join(from, name), 'utf8');
    if (/(?:\/\/|#) if \w+\n/.test(text)) writeFileSync(path.join(to, name), forContract(contract, text));
  }
}

/** A text without the sections that are for operations the contract does not have, and without their comments. */
export function forContract(contract: Document, text: string): string {
  const operations = new Set(operationsOf(contract).map(({ id }) => id));
  let keep = true;
  return text
    .split('\n')
    .filter((line) => {
      const operation = begin.exec(line)?.[1];
      if (operation !== undefined) keep = operations.has(operation);
      else if (end.test(line)) keep = true;
      else return keep;
      return false;
    })
    .join('\n');
}
