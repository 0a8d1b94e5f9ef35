import type { ErrorDetail } from '../../../generated/types.gen.ts';
import { fieldError, ServiceError } from '../../contract/errors.ts';
import { cleanPrompt, promptLimits, seen } from '../../factory/factory.ts';
import type { JsonPatchError } from '../../lib/json-patch.ts';

/** The prompt as it is built from. Throws for one of which too little can be seen. */
export function promptOf(prompt: string): string {
  if (seen.test(prompt)) return cleanPrompt(prompt);
  throw fieldError('prompt', 'pattern', `must have at least ${promptLimits.min} characters that can be seen`);
}

/** How long a client waits that finds the queue full, in seconds. */
const queueFullSeconds = 5;

export function queueFull(waiting: number): ServiceError {
  const message = `${waiting} builds are waiting already. Try again in ${queueFullSeconds} seconds.`;
  return new ServiceError('queue_full', message, { retryAfter: queueFullSeconds });
}

/** The error for a tenant that has used up its share of the places. */
export function ownQueueFull(waiting: number): ServiceError {
  const message = `${waiting} of your builds are waiting already. Try again in ${queueFullSeconds} seconds.`;
  return new ServiceError('queue_full', message, { retryAfter: queueFullSeconds });
}

/** How long a client waits that finds no slot for a stream, in seconds. */
const noSlotSeconds = 10;

export function tooManyStreams(): ServiceError {
  const message =
    'Too many streams of builds are open, on this server or from your address. The builds continue.';
  return new ServiceError('too_many_streams', message, { retryAfter: noSlotSeconds });
}

export function expired(expiresAt: number): ServiceError {
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  return new ServiceError('expired', `What this build has made was deleted on ${day}.`);
}

export function stopping(): ServiceError {
  return new ServiceError('shutting_down', 'The server is stopping and takes no new builds.');
}

/**
 * The error that lists what is wrong with a spec.
 * @param within path of the spec in the request
 */
export function invalidSpec(problems: readonly ErrorDetail[], within: string): ServiceError {
  const details = problems
    .slice(0, maxDetails)
    .map((problem) => ({ ...problem, path: join(within, problem.path) }));
  const [first] = details;
  const others = problems.length - 1;
  const rest = others > 0 ? ` (and ${others} more ${others === 1 ? 'problem' : 'problems'})` : '';
  return new ServiceError('invalid_request', `${first?.path} ${first?.message}${rest}.`, { details });
}

/** More would not help anyone and could be made large on purpose. */
const maxDetails = 50;

const join = (within: string, path: string) => [within, path].filter((part) => part !== '').join('.');

/**
 * The error that lists what is wrong with the spec after a JSON Patch, each with the operation that led to it.
 * @param changedBy the index of the operation that last changed what is at a place of the spec; -1 if none did
 */
export function invalidPatchedSpec(
  problems: readonly ErrorDetail[],
  changedBy: (place: string) => number,
): ServiceError {
  const details = problems.map(({ path: place, code, message }) => {
    const index = changedBy(place);
    const path = index < 0 ? 'json_patch' : `json_patch[${index}].path`;
    // An unknown member may be called "", which "/" is the pointer of.
    const where = place === '' && code !== 'unknown_field' ? 'that' : `in which ${place || '""'}`;
    const isNone = place === '' && code === 'type';
    const led = isNone ? `leads to no spec: the whole ${message}` : `leads to a spec ${where} ${message}`;
    return { path, code, message: led };
  });
  return invalidSpec(details, '');
}

/** The error for a JSON Patch: 409 where a `test` fails, as the spec is another than its author knew, and otherwise 400. */
export function notPatchable({ index, member, code, message }: JsonPatchError): ServiceError {
  const path = `json_patch[${index}].${member}`;
  const error = code === 'test_failed' ? 'conflict' : 'invalid_request';
  return new ServiceError(error, `${path} ${message}.`, { details: [{ path, code, message }] });
}

/** @param parts of the instruction, each with the reason where there is one */
export function instructionNotUnderstood(parts: readonly string[]): ServiceError {
  const problem = { path: 'instruction', code: 'not_understood' } as const;
  const message =
    'was not understood. Say what is to change, such as “call it Zap”, “add a due date”, “make it green”, “drop the chart” or “in Spanish”, or send the change as spec, patch or json_patch.';
  const details = [message, ...parts.slice(0, maxDetails)].map((one) => ({ ...problem, message: one }));
  return new ServiceError('invalid_request', `instruction ${message}`, { details });
}

/** @param reasons at least one: a part of the instruction that was understood, and why it cannot be done */
export function instructionRefused(reasons: readonly string[]): ServiceError {
  const details = reasons
    .slice(0, maxDetails)
    .map((message) => ({ path: 'instruction', code: 'refused', message }));
  const why = details.map(({ message }) => message).join('; ');
  const message = `instruction cannot be carried out: ${why}. Change it, or send the change as spec, patch or json_patch.`;
  return new ServiceError('invalid_request', message, { details });
}

/** The error for a revision of a build that is not the newest of its app. */
export function notNewest(number: number, id: string): ServiceError {
  const details = [
    { path: 'job_id', code: 'newest_id', message: id },
    { path: 'job_id', code: 'newest_number', message: String(number) },
  ];
  return new ServiceError('conflict', `Revision ${number} is the newest of this app. Revise that one.`, {
    details,
  });
}

export function notRevisable(why: string): ServiceError {
  return new ServiceError('conflict', why);
}

export function otherNetwork(): ServiceError {
  const message =
    'A demo build can only be revised from the network that started it. Send its spec to build it again.';
  return new ServiceError('access_denied', message);
}

/** The error for a client while the threads are overloaded. */
export function tooMuchToDo(): ServiceError {
  const message = `The server is overloaded. Try again in ${queueFullSeconds} seconds.`;
  return new ServiceError('queue_full', message, { retryAfter: queueFullSeconds });
}
