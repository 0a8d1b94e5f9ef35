import FindMyWay from 'find-my-way';
import { type OperationInfo, operations } from '../../generated/operations.gen.ts';
import { ServiceError } from '../contract/errors.ts';
import type { OperationId } from '../contract/registry.ts';
import { distance } from '../lib/nearest.ts';
import type { Page } from './page.ts';

/**
 * Clients disagree on where an interface begins: some add `/v1` to a base address that has it, some are given a base address with
 * the vendor's name in it. The rest of the path is the same for all.
 */
const vendors: readonly (readonly [prefix: string, version: string])[] = [
  ['/openai', '/v1/'],
  ['/anthropic', '/v1/'],
  ['/gemini', '/v1beta/'],
];

/**
 * Google's clients ask for `v1` since their version 3, or for a configured version; there is one version here. OpenAI's
 * models have the same path, but no action follows them.
 */
const geminiAction =
  /^(?:\/gemini)?\/v1(?:alpha)?(?=\/models\/.+:(?:generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)$)/;

/** A path: its operations and its pages by method. */
interface Route {
  readonly methods: Map<string, OperationId | Page>;
  /** Value of the `Allow` header. */
  readonly allow: string;
  /** Whether a page or an operation that works with cookies is there. */
  readonly cookies: boolean;
  /** The routes at the same path followed by a colon and a word, such as `:generateContent`, by the word. */
  readonly actions: ReadonlyMap<string, Route> | null;
}

/** Where a request leads. */
export interface Match {
  /** Null: nothing stands at its path. */
  readonly route: Route | null;
  /** An operation by its id, or a page. Null where the route has none for the method. */
  readonly target: OperationId | Page | null;
  /** The values of the path's parameters. */
  readonly params: Readonly<Record<string, string | undefined>>;
}

export interface Routes {
  /** Throws `ServiceError`: `malformed_request`. */
  match(method: string, path: string): Match;
  /** The error of a path where nothing stands, with the nearest one where something does. */
  notFound(method: string, path: string): ServiceError;
}

/** One radix tree over all paths, built once: finding a route costs the same however many operations there are. */
export function createRoutes(pages: readonly Page[]): Routes {
  const tree = buildTree(pages);
  const nearestPath = nearestPathAmong(knownPaths(pages));
  return {
    match(method, path) {
      if (path.includes('%')) requireDecodable(path);
      const found = tree.find('GET', path);
      if (!found) return nothing;
      const { route, params } = meant(found.store as Route, found.params);
      // A slash at the end, or two in a row, where a parameter would be.
      if (Object.values(params).includes('')) return nothing;
      return { route, target: route.methods.get(method) ?? null, params };
    },
    notFound(method, path) {
      const meant = nearestPath(method, path);
      const question = meant === null ? '' : ` Did you mean ${meant}?`;
      return new ServiceError('not_found', `There is nothing at ${path.slice(0, 200)}.${question}`);
    },
  };
}

/** A model's name takes the rest of the path, slashes and all; the action behind it is what follows the last colon. */
function meant(route: Route, params: Match['params']): { route: Route; params: Match['params'] } {
  const rest = params['*'];
  if (rest === undefined) return { route, params };
  const colon = rest.lastIndexOf(':');
  const action = colon < 0 ? undefined : route.actions?.get(rest.slice(colon + 1));
  return action
    ? { route: action, params: { model: rest.slice(0, colon) } }
    : { route, params: { model: rest } };
}

const nothing: Match = { route: null, target: null, params: {} };

function buildTree(pages: readonly Page[]): FindMyWay.Instance<FindMyWay.HTTPVersion.V1> {
  const targets = new Map<string, Map<string, OperationId | Page>>();
  const add = (path: string, method: string, target: OperationId | Page) => {
    const methods = targets.get(path) ?? new Map();
    if (methods.has(method)) throw new Error(`${method} ${path} is routed twice`);
    targets.set(path, methods.set(method, target));
  };
  for (const [id, info] of Object.entries(operations as Record<string, OperationInfo>)) {
    for (const path of [info.path, ...info.secondNames]) add(path, info.method, id as OperationId);
  }
  for (const page of pages) for (const method of page.methods ?? ['GET']) add(page.path, method, page);

  const tree = FindMyWay({ maxParamLength: 256 });
  const actions = new Map<string, Map<string, Route>>();
  for (const [path, methods] of targets) {
    const [base = path, action] = path.split('}:');
    if (action === undefined) continue;
    const known = actions.get(`${base}}`) ?? new Map<string, Route>();
    actions.set(`${base}}`, known.set(action, routeOf(methods, null)));
  }
  for (const [path, methods] of targets) {
    if (path.includes('}:')) continue;
    tree.on('GET', pattern(path), () => undefined, routeOf(methods, actions.get(path) ?? null));
  }
  return tree;
}

/** A path template as the tree has it. A model's name may hold slashes, so at the end of a path it takes all that is left. */
function pattern(path: string): string {
  return path.replace(/\{model\}$/, '*').replaceAll(/\{(\w+)\}/g, ':$1');
}

function routeOf(methods: Map<string, OperationId | Page>, actions: Route['actions']): Route {
  const get = methods.get('GET');
  if (get && !methods.has('HEAD')) methods.set('HEAD', get);
  const allow = [...methods.keys(), 'OPTIONS'].sort().join(', ');
  const cookies = [...methods.values()].some((target) => typeof target !== 'string' || usesCookies(target));
  return { methods, allow, cookies, actions };
}

function usesCookies(id: OperationId): boolean {
  return (operations[id] as OperationInfo).cookies;
}

/** The paths that an unknown path may have meant: all operations under their first names, then the pages. */
function knownPaths(pages: readonly Page[]): KnownPath[] {
  const known = Object.values(operations).map(({ path, method }) => ({ path, methods: [method] }));
  const opened = pages.filter(({ file }) => !file);
  return [
    ...known,
    ...opened.map(({ path, methods = ['GET'] }) => ({ path: path.replaceAll(/:(\w+)/g, '{$1}'), methods })),
  ];
}

/** The answer to OPTIONS for the whole server. */
export const everyMethod = [
  ...new Set(Object.values(operations).map(({ method }) => method)),
  'HEAD',
  'OPTIONS',
]
  .sort()
  .join(', ');

function requireDecodable(path: string): void {
  try {
    decodeURIComponent(path);
  } catch {
    throw new ServiceError('malformed_request', 'The path holds a broken percent escape.');
  }
}

/** The path that a request means: without `/openai`, `/anthropic` or `/gemini` in front, and with `/v1` once. */
export function meantPath(path: string): string {
  let meant = path.replace(geminiAction, '/v1beta');
  for (const [prefix, version] of vendors) {
    if (meant.startsWith(prefix + version)) meant = meant.slice(prefix.length);
  }
  return meant.startsWith('/v1/v1/') ? meant.slice('/v1'.length) : meant;
}

/** A path that there is, with `{name}` for each of its parameters. */
interface KnownPath {
  readonly path: string;
  readonly methods: readonly string[];
}

/** Only so much of a path is compared, so that no crafted path is costly. */
const maxCharacters = 200;
const maxSegments = 8;

/** The cost of an additional or missing segment, in differing characters. */
const wholeSegment = 2;
/** The maximum that a path may differ by: one segment and one character of another. */
const maxCost = wholeSegment + 1;

/** Segments that most paths begin with: that they match says nothing. */
const prefixes: ReadonlySet<string> = new Set(['v1', 'api']);

/** Finds the operation or page that a path is most likely meant for, as in `POST /v1/chat`; null: none is near. */
export function nearestPathAmong(
  known: readonly KnownPath[],
): (method: string, path: string) => string | null {
  const candidates = known.map((entry) => ({ ...entry, segments: segmentsOf(entry.path) }));
  return (method, path) => {
    const given = path.length > maxCharacters ? [] : segmentsOf(path);
    if (given.length === 0 || given.length > maxSegments) return null;
    const differ = differences();
    let best: { readonly text: string; readonly cost: number } | null = null;
    for (const { path: candidate, segments, methods } of candidates) {
      if (Math.abs(segments.length - given.length) > 1) continue;
      // Of two that are equally near, the one that takes the method.
      const cost = alignment(given, segments, differ) + (methods.includes(method) ? 0 : 0.5);
      if (cost > maxCost + 0.5 || (best !== null && best.cost <= cost)) continue;
      best = { text: `${methods.includes(method) ? method : methods[0]} ${candidate}`, cost };
    }
    return best?.text ?? null;
  };
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

type Differ = (given: string, segment: string) => number;

/** By how many characters two segments differ, each pair looked at once. */
function differences(): Differ {
  const found = new Map<string, number>();
  return (given, segment) => {
    if (segment.startsWith('{')) return 0;
    const pair = `${given}/${segment}`;
    let cost = found.get(pair);
    if (cost === undefined) {
      cost = distance(given, segment) ?? Number.POSITIVE_INFINITY;
      found.set(pair, cost);
    }
    return cost;
  };
}

/** The cost of turning one path into the other, with one segment taken out or a prefix put in; infinite for strangers. */
function alignment(given: readonly string[], segments: readonly string[], differ: Differ): number {
  if (given.length === segments.length) return pairwise(given, segments, differ);
  const [longer, shorter] = given.length > segments.length ? [given, segments] : [segments, given];
  let best = Number.POSITIVE_INFINITY;
  for (let left = 0; left < longer.length; left += 1) {
    // People forget a prefix; without any other segment it is another path.
    if (longer === segments && !prefixes.has(longer[left] ?? '')) continue;
    const rest = longer.filter((_, index) => index !== left);
    const cost = longer === given ? pairwise(rest, shorter, differ) : pairwise(shorter, rest, differ);
    best = Math.min(best, wholeSegment + cost);
  }
  return best;
}

function pairwise(given: readonly string[], segments: readonly string[], differ: Differ): number {
  let cost = 0;
  let telling = false;
  for (const [index, segment] of segments.entries()) {
    cost += differ(given[index] ?? '', segment);
    if (cost > maxCost) return Number.POSITIVE_INFINITY;
    telling ||= !segment.startsWith('{') && !prefixes.has(segment);
  }
  return telling ? cost : Number.POSITIVE_INFINITY;
}
