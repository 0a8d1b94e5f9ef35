/**
 * Maximum number of lines of one kind (level, message, operation, error) that a process writes in a second, the one line a
 * request left out.
 */
const maxOfAKind = 5;
/**
 * The same of a failure in a place, of which a process writes one line in a second, with a count: a second of the log has
 * two of them at most, and one more where the process was killed in it and started again.
 */
const maxOfAPlace = 3;
/** Maximum number of lines with a stack in one round of one process. */
const maxStacks = 10;

interface Line {
  readonly time?: string;
  readonly level?: number;
  readonly msg?: string;
  readonly operation?: string;
  /** Of failures that are counted: where they are. */
  readonly where?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
}

/** A log in an outage can be read: few lines of a kind in a second, few stacks, nothing but JSON lines and the greeting. */
export function logIsReadable(server: string, text: string): string[] {
  const problems: string[] = [];
  const kinds = new Map<string, number>();
  const places = new Map<string, number>();
  const traced = new Map<string, number>();
  let stacks = 0;
  for (const raw of text.split('\n')) {
    if (/unhandled ?rejection|uncaught ?exception|^\s+at .+:\d+:\d+\)?$/i.test(raw) && !raw.startsWith('{')) {
      stacks += 1;
      count(traced, raw.trim());
    }
    const line = parsed(raw);
    if (line === null || line.msg === 'request') continue;
    const what = [line.level, line.msg, line.operation, line.err?.message].filter(Boolean).join(' ');
    if (line.err?.stack) {
      stacks += 1;
      count(traced, what);
    }
    const second = line.time?.slice(0, 19);
    if (line.where === undefined) count(kinds, `${second} ${what}`);
    else count(places, `${second} ${line.where}: ${what}`);
  }
  const [worst, lines] = mostFrequent(kinds);
  if (lines > maxOfAKind) problems.push(`${server}: ${lines} lines of one kind in a second (${worst})`);
  const [place, failures] = mostFrequent(places);
  if (failures > maxOfAPlace)
    problems.push(`${server}: ${failures} lines of one failure in one place in a second (${place})`);
  if (stacks > maxStacks) {
    const [kind, times] = mostFrequent(traced);
    problems.push(`${server}: ${stacks} stacks in the log of a round (${times} times ${kind.slice(0, 300)})`);
  }
  return problems;
}

function count(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

function mostFrequent(counts: ReadonlyMap<string, number>): readonly [string, number] {
  return [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0]);
}

function parsed(raw: string): Line | null {
  if (!raw.startsWith('{')) return null;
  try {
    return JSON.parse(raw) as Line;
  } catch {
    return null;
  }
}
