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
import { dropComponents, referredTo, withTextAlone } from './text-alone.ts';

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
