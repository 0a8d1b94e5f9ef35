import { ServiceError } from '../contract/errors.ts';
import type { WireCall } from '../contract/wire-operations.ts';
import type { KeptObjects } from '../kept/kept-objects.ts';
import { maxIdLength } from '../kept/kept-objects.ts';
import type { NativeReader } from '../models/native.ts';
import type { Served } from '../models/port.ts';
import type { WireContext } from './wire-context.ts';

/** How long OpenAI keeps a response (https://platform.openai.com/docs/guides/your-data), in milliseconds. */
const keepMs = 30 * 86_400_000;

/** What a request to Responses has to do with what vendors keep. */
export interface Keeping {
  /** The provider that keeps what the request goes on from; undefined: it goes on from nothing. */
  readonly pinned: string | undefined;
  /** Throws `ServiceError` for what the caller's tenant does not own. For vendors that keep something; others refuse it all. */
  check(): void;
  /** Writes down whose the answer is, once, as soon as its id is known: a client must not get it before. Rejects with `StoreError`. */
  record(reader: NativeReader, served: Served): Promise<void> | undefined;
}

/** Reads what a request to Responses names of what is kept. Rejects with `StoreError`. */
export async function keepingOf(
  objects: KeptObjects,
  { body }: Pick<WireCall, 'body'>,
  { caller: { tenantId } }: WireContext,
): Promise<Keeping> {
  const { previous_response_id: previous, conversation } = body;
  const key = { tenantId, kind: 'response', id: String(previous) } as const;
  const found = typeof previous === 'string' ? await objects.find(key) : null;
  const problem = problemOf(previous, found !== null, conversation);
  let recorded = body['store'] === false;
  return {
    pinned: found?.provider,
    check() {
      if (problem) throw problem;
    },
    record(reader, { provider, model }) {
      if (recorded) return undefined;
      const { id, complete } = reader.told;
      if (id === null || id.length > maxIdLength) return undefined;
      recorded = true;
      // What is made in the background has used nothing yet.
      const counted = complete || body['stream'] === true;
      const object = { provider, model, vendorId: id, data: null, counted, keepMs };
      return objects.record({ tenantId, kind: 'response', id, ...object });
    },
  };
}

function problemOf(previous: unknown, found: boolean, conversation: unknown): ServiceError | null {
  if (previous !== undefined && previous !== null && !found)
    return new ServiceError('invalid_request', `Previous response with id '${previous}' not found.`, {
      details: [{ path: 'previous_response_id', code: 'previous_response_not_found', message: 'not found' }],
    });
  if (conversation === undefined || conversation === null) return null;
  const { id = conversation } = conversation as { id?: unknown };
  // This server has no way to make one, so none is the tenant's.
  return new ServiceError('not_found', `Conversation with id '${String(id)}' not found.`, {
    param: 'conversation',
  });
}

/** Fields of Responses that ask for something to be kept. */
const keptFields = ['previous_response_id', 'conversation', 'store', 'background'] as const;

/** For the sandbox, which keeps nothing. Throws `ServiceError` for a request to Responses that wants something kept. */
export function refuseKept(body: WireCall['body']): void {
  const details = keptFields
    .filter((name) => body[name] !== undefined && body[name] !== null && body[name] !== false)
    .map((path) => ({ path, code: 'untranslatable', message: 'the sandbox keeps nothing' }));
  const [first] = details;
  if (first) throw new ServiceError('invalid_request', `${first.path}: ${first.message}.`, { details });
}
