import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { BodyInfo } from '../../generated/operations.gen.ts';
import type { SchemaProblem, Validator } from '../contract/built.ts';
import { built, type Validators } from '../contract/built.ts';
import { ServiceError } from '../contract/errors.ts';
import { inQuery, invalidRequest } from '../contract/problems.ts';
import type { OperationId } from '../contract/registry.ts';
import { deepestJson, isDeeperThan } from '../lib/json.ts';
import type { Exchange } from './exchange.ts';

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
  if (present.length === 0) return failWithout(id, info.variants, body, context);
  throw oneOf(present, `${list(present)} exclude each other; send one of them`);
}

/** Says which fields are missing, and which are not known in either variant: one of them may have been meant. */
async function failWithout(
  id: OperationId,
  variants: readonly string[],
  body: object,
  context: Context,
): Promise<never> {
  const missing = `exactly one of ${list(variants)} is required`;
  const unknown: SchemaProblem[] = [];
  if ((context.request.length ?? Number.POSITIVE_INFINITY) <= maxBytesToExplain) {
    const problems = (await built('problems'))[id] ?? {};
    const byVariant = variants.map((name) => {
      const validate = problems[`body.${name}`];
      const errors = validate && !validate(body) ? (validate.errors ?? []) : [];
      return errors.filter(
        ({ keyword, instancePath }) => keyword === 'additionalProperties' && instancePath === '',
      );
    });
    const nameOf = ({ params }: SchemaProblem) => params['additionalProperty'];
    const [first = [], ...others] = byVariant;
    const inAll = first.filter((one) =>
      others.every((errors) => errors.some((other) => nameOf(other) === nameOf(one))),
    );
    unknown.push(...inAll);
  }
  throw oneOf(variants, missing, unknown);
}

/** The error of fields of which exactly one has to be there, with what else is wrong. */
function oneOf(
  fields: readonly string[],
  message: string,
  others: readonly SchemaProblem[] = [],
): ServiceError {
  const more = others.length > 0 ? invalidRequest(others) : null;
  const details = fields.map((path) => ({ path, code: 'one_of', message }));
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  return new ServiceError('invalid_request', more ? `${sentence} ${more.message}` : sentence, {
    details: [...details, ...(more?.details ?? [])],
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
  if (part !== 'query') throw invalidRequest(problems);
  throw invalidRequest(problems.map((problem) => inQuery(problem, value as Record<string, unknown>)));
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' and ');
}

/** A whole number as JSON writes it without an exponent: other forms that `Number` reads, such as `1e1` or `0x10`, are refused. */
const integer = /^(?:0|-?[1-9]\d*)$/;

/** All but the weight `q` (RFC 9110 section 12.5.1). */
const mediaTypeParameters = /;\s*(?!q=)[^\s;,="]+(?:=(?:"[^"]*"|[^\s;,"]*))?/gi;

/**
 * Headers that a request has at most once (RFC 9110 section 5.3). Node keeps the first of some and joins others; a proxy
 * before the server may have read another one.
 */
const single = [
  'host',
  'origin',
  'x-api-key',
  'content-type',
  'x-csrf-token',
  'authorization',
  'idempotency-key',
];
const lengths = new Set(single.map((name) => name.length));

/**
 * Refuses what HTTP forbids in the head of a request and Node lets pass, and brings an absolute target into the usual
 * form, so that everything behind sees a path. Throws `ServiceError('malformed_request')`, after which the connection is
 * closed: the two ends may not agree where the next request begins.
 */
export function checkHead(req: IncomingMessage): void {
  const hosts = countHosts(req.rawHeaders);
  if (hosts !== 1 && !(hosts === 0 && req.httpVersion === '1.0')) {
    throw malformed('A request has exactly one Host header.');
  }
  requireKnownFraming(req);
  if (req.url?.charCodeAt(0) !== slash) req.url = pathOf(req);
}

const slash = 0x2f;

/** How many `Host` headers there are. Throws for another header that is there twice. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    if (!lengths.has(given.length)) continue;
    const found = single.indexOf(given.toLowerCase());
    if (found === 0) hosts += 1;
    else if (found > 0) {
      if (seen & (1 << found)) throw malformed(`A request has at most one ${single[found]} header.`);
      seen |= 1 << found;
    }
  }
  return hosts;
}

/** Bodies come in chunks, or with their length (RFC 9112 section 6.1). */
function requireKnownFraming({ headers, httpVersion }: IncomingMessage): void {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked')) {
    throw malformed('The only Transfer-Encoding is "chunked", from HTTP/1.1 on.');
  }
  // A sender must not name it (RFC 9110 section 10.1.4); one that does has mistaken the header for the other.
  if (headers['te'] !== undefined && /(?:^|[\s,])chunked(?:$|[\s,;])/i.test(String(headers['te']))) {
    throw malformed('The TE header does not name "chunked".');
  }
}

/**
 * The path of a target in absolute form, which names the host that `Host` names (RFC 9112 section 3.2.2). `*` is for
 * OPTIONS alone.
 */
function pathOf({ url = '', method, headers }: IncomingMessage): string {
  if (url === '*' && method === 'OPTIONS') return url;
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(url) ?? [];
  if (authority === undefined || authority.toLowerCase() !== headers.host?.toLowerCase()) {
    throw malformed('The target of a request is a path, or a URL of the host that the Host header names.');
  }
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function malformed(message: string): ServiceError {
  return new ServiceError('malformed_request', message, { headers: { connection: 'close' } });
}

/**
 * The media type of the reply that the client likes best.
 * Throws `ServiceError('not_acceptable')`.
 * @param declared what the operation answers with, the usual one first
 */
export function acceptable(context: Context, declared: readonly string[]): string {
  // An operation without a reply body still answers errors, as JSON.
  const mediaTypes = declared.length > 0 ? declared : ['application/json'];
  const { accept } = context.headers;
  // The header that most clients send needs no parsing.
  const anything = accept === undefined || accept === '*/*' || accept === mediaTypes[0];
  // Ours have none but a charset, which many clients name as well.
  if (accept?.includes(';')) context.req.headers.accept = accept.replace(mediaTypeParameters, '');
  const best = anything ? mediaTypes[0] : context.accepts([...mediaTypes]);
  if (best) return best;
  const message = `This operation answers with ${mediaTypes.join(' or ')}; the Accept header excludes it.`;
  throw new ServiceError('not_acceptable', message);
}

/** Whether to show a failure to a person: at a page unless JSON is asked for, at no operation only if HTML is. */
export function wantsPage(context: Context, { operation, page }: Exchange): boolean {
  if (operation !== null) return false;
  return page === null ? context.accepts('json', 'html') === 'html' : !asksForJson(context);
}

/** Whether JSON is asked for rather than a page. */
export function asksForJson(context: Context): boolean {
  return context.accepts('html', 'json') !== 'html';
}

type Query = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * Query parameters by name; one that is repeated is a list. Without a prototype, so that any name is only a name.
 * @param integers names of those that are numbers where they are written in digits; any other value stays text, which
 * the check against the contract refuses
 */
export function queryOf(querystring: string, integers: readonly string[]): Query {
  const query: Record<string, string | number | string[]> = Object.create(null);
  if (querystring === '') return query;
  for (const [name, value] of new URLSearchParams(querystring)) {
    const given = query[name];
    query[name] = given === undefined ? value : [given, value].flat().map(String);
  }
  for (const name of integers) {
    const text = query[name];
    if (typeof text === 'string' && integer.test(text)) query[name] = Number(text);
  }
  return query;
}
