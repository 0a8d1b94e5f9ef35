import { distance } from '../lib/nearest.ts';

/** A path that there is, with `{name}` for each of its parameters. */
export interface KnownPath {
  readonly path: string;
  readonly methods: readonly string[];
}

/** What is looked at of a path, so that one that is made to be costly is not. */
const maxCharacters = 200;
const maxSegments = 8;

/** What a segment costs that is one too many or missing, in characters that differ. */
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

/** What it costs to make one path of the other, with one segment taken out or a prefix put in; infinite for strangers. */
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
