import type { Context } from 'koa';
import type { BodyInfo } from '../../generated/operations.gen.ts';
import type { Validator } from '../contract/built.ts';
import { built, type Validators } from '../contract/built.ts';
import { ServiceError } from '../contract/errors.ts';
import { inDigits, invalidRequest } from '../contract/problems.ts';
import type { OperationId } from '../contract/registry.ts';
import { deepestJson, isDeeperThan } from '../lib/json.ts';

/** A larger body is reported with its first problem only: listing all of them could cost far more than the request. */
const maxBytesToExplain = 64 * 1024;

let requests: Validators = {};

/** Loads the validators of requests. Nothing can be checked before. */
export async function loadRequestValidators(): Promise<void> {
  requests = await built('requests');
}

/**
 * Checks one part of a request against the contract. A valid one costs no promise; for any other the promise rejects
 * with `ServiceError('invalid_request')`, which names each problem.
 */
export function check(
  id: OperationId,
  part: string,
  value: unknown,
  context: Context,
): Promise<never> | undefined {
  const validate = requests[id]?.[part];
  if (!validate) throw new Error(`no validator for ${id} ${part}`);
  return validate(value) ? undefined : fail(id, part, value, validate, context);
}

/** Checks a body, for a body of exclusive variants against the one that is present. */
export function checkBody(
  id: OperationId,
  info: BodyInfo,
  body: unknown,
  context: Context,
): Promise<never> | undefined {
  if (info.variants.length === 0) return check(id, 'body', body, context);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest([{ instancePath: '', keyword: 'type', params: { type: 'object' } }]);
  }
  const present = info.variants.filter((name) => Object.hasOwn(body, name));
  if (present.length === 1) return check(id, `body.${present[0]}`, body, context);
  const [given, message] =
    present.length === 0
      ? [info.variants, `exactly one of ${list(info.variants)} is required`]
      : [present, `${list(present)} exclude each other; send one of them`];
  const details = given.map((path) => ({ path, code: 'one_of', message }));
  throw new ServiceError('invalid_request', `${message.charAt(0).toUpperCase()}${message.slice(1)}.`, {
    details,
  });
}

/**
 * The error of a body that the contract allows, but which is nested too deeply to be handed on: the schemas that clients
 * send along may hold anything.
 */
export function nestedTooDeep(body: unknown): ServiceError {
  const fields = Object.entries(body as object);
  const [path = ''] = fields.find(([, value]) => isDeeperThan(value, deepestJson - 1)) ?? [];
  const message = `must not have more than ${deepestJson} levels of objects and lists in each other`;
  return new ServiceError('invalid_request', `${path || 'The body'} ${message}.`, {
    details: [{ path, code: 'depth', message }],
  });
}

/** Runs the slower validators that find every problem; they are loaded with the first request that needs them. */
async function fail(
  id: OperationId,
  part: string,
  value: unknown,
  quick: Validator,
  context: Context,
): Promise<never> {
  const first = quick.errors ?? [];
  const bytes = context.request.length ?? Number.POSITIVE_INFINITY;
  if (part.startsWith('body') && bytes > maxBytesToExplain) throw invalidRequest(first);
  const validate = (await built('problems'))[id]?.[part];
  const problems = validate && !validate(value) ? (validate.errors ?? first) : first;
  throw invalidRequest(part === 'query' ? problems.map(inDigits) : problems);
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' and ');
}
