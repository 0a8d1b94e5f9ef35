import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Document,
  eventSchemaOf,
  type OperationAt,
  operationsOf,
  type Schema,
} from '../../src/contract/served/document.ts';

/** The contract as the server serves it, which the generators of the libraries read. */
export const contractFile = path.join(import.meta.dirname, '../../generated/openapi.json');

export function readContract(): Document {
  return JSON.parse(readFileSync(contractFile, 'utf8')) as Document;
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
