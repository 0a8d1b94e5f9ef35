import {
  type Call,
  type Evidence,
  type Exposure,
  graceMs,
  type Holding,
  type Work,
  type WorkEvent,
} from '../evidence.ts';

/** No client is told of an internal error: everything that happens here is foreseen, and has an answer of its own. */
export function answersAreForeseen(calls: readonly Call[]): string[] {
  return calls
    .filter(({ status, code }) => status === 500 || code === 'internal_error')
    .map(({ kind, id, status, code }) => `${kind} ${id} was answered ${status} ${code}`);
}

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

/** What a process may hold in calm beyond what it held after its first round. */
export const slack = {
  /** MB (10^6 bytes): V8 keeps what it once had, up to its limits, and threads of builds stay for a while. */
  rss: 350,
  threads: 24,
  descriptors: 48,
} as const;

/** No process ends by itself. */
export function processesLive({ lives }: Pick<Evidence, 'lives'>): string[] {
  return lives
    .filter(({ end }) => end === 'itself')
    .map(({ server, lastWords }) => `server ${server} ended by itself: ${lastWords}`);
}

/** Memory, threads and descriptors are back to about where they were, and no client's connection is left. */
export function nothingHeld(baseline: Holding, now: Holding): string[] {
  const problems: string[] = [];
  for (const field of ['rss', 'threads', 'descriptors'] as const) {
    if (now[field] > baseline[field] + slack[field]) {
      problems.push(`server ${now.server}: ${field} ${now[field]} in calm, ${baseline[field]} at first`);
    }
  }
  if (now.inbound > 0) {
    problems.push(`server ${now.server}: ${now.inbound} connections of clients that have gone`);
  }
  return problems;
}

export interface Canaries {
  /** A word that is in every prompt. */
  readonly prompt: string;
  /** Keys, passwords and tokens, in clear. */
  readonly secrets: readonly string[];
}

/** No secret in clear anywhere, and no prompt where none belongs. */
export function nothingExposed({ prompt, secrets }: Canaries, exposures: Iterable<Exposure>): string[] {
  const problems: string[] = [];
  for (const { where, text, holdsPrompts } of exposures) {
    for (const secret of secrets) {
      if (text.includes(secret))
        problems.push(`a secret (${secret.slice(0, 12)}…) stands in ${where}: ${around(text, secret)}`);
    }
    if (!holdsPrompts && text.includes(prompt)) {
      problems.push(`a prompt stands in ${where}: ${around(text, prompt)}`);
    }
  }
  return problems;
}

function around(text: string, found: string): string {
  const at = text.indexOf(found);
  return `"${text.slice(Math.max(0, at - 80), at).replaceAll('\n', ' ')}…"`;
}

const terminal = new Set(['job.succeeded', 'job.failed', 'job.unsure', 'job.cancelled', 'end']);

/**
 * Each build and run that was accepted exists, has events numbered from 1 without gaps, and ends with exactly one terminal
 * event; none is begun again, or ended as interrupted, while the server that has it lives and can use the database.
 */
export function workEndsOnce({ work, events, calls, lives, outages, now }: Evidence): string[] {
  const eventsOf = Map.groupBy(events, (event) => event.work);
  const callOf = new Map(calls.map((call) => [call.id, call]));
  const ended = [...lives.flatMap(({ to }) => (to === null ? [] : [to])), ...outages.map(({ to }) => to)];
  const problems: string[] = [];
  for (const each of work) {
    const call = callOf.get(each.request_id);
    problems.push(...faultsOf(each, eventsOf.get(each.id) ?? []));
    if (each.finished_at === null) {
      const since = Math.max(call?.to ?? 0, ...lives.map(({ to }) => to ?? 0));
      if (call && now - since > graceMs) {
        problems.push(
          `${name(each)} has not ended ${Math.round((now - since) / 1000)} s after the last fault`,
        );
      }
    }
    if (!call) continue;
    // Who runs a build is whoever takes it first, so a second attempt needs a server that ended, whichever it was.
    if (each.kind === 'build' && each.attempt > 1 && !ended.some((at) => at > call.from)) {
      problems.push(`${name(each)} was begun ${each.attempt} times although no server ended`);
    }
    const life = lives.find(({ id }) => id === call.life);
    const undisturbed = life?.end === null && !outages.some(({ to }) => to > call.from);
    if (each.kind === 'run' && each.status === 'interrupted' && undisturbed) {
      problems.push(`${name(each)} is interrupted although its server lives`);
    }
  }
  const known = new Set(work.map(({ id }) => id));
  for (const { started, kind, id } of calls) {
    if (started !== null && !known.has(started))
      problems.push(`${kind} ${id}: ${started} was accepted and is gone`);
  }
  return problems;
}

function faultsOf(work: Work, events: readonly WorkEvent[]): string[] {
  const problems: string[] = [];
  const order = events.toSorted((one, other) => one.seq - other.seq);
  const gap = order.findIndex(({ seq }, index) => seq !== index + 1);
  if (gap >= 0) problems.push(`${name(work)}: event ${gap + 1} is missing or doubled`);
  if (work.count !== order.length) {
    problems.push(`${name(work)}: its row counts ${work.count} events, there are ${order.length}`);
  }
  const ends = order.filter(({ type }) => terminal.has(type));
  if (work.finished_at === null) {
    if (ends.length > 0) problems.push(`${name(work)} has a terminal event and goes on`);
    return problems;
  }
  if (ends.length !== 1) problems.push(`${name(work)} has ${ends.length} terminal events`);
  else if (ends[0] !== order.at(-1)) problems.push(`${name(work)} has events after its terminal one`);
  else if (work.kind === 'build' && ends[0]?.type !== `job.${work.status}`) {
    problems.push(`${name(work)} is ${work.status} and its last event ${ends[0]?.type}`);
  }
  return problems;
}

const name = ({ id, kind }: Work) => `${kind} ${id}`;
