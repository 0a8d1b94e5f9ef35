import type { StoreClock } from '../../lib/clock.ts';
import { dayOf, monthOf, startOfDay, startOfMonth } from '../../lib/utc.ts';
import type { Ask, Authority, Call, Grant, Reply, Standing } from '../../limits/authority.ts';
import { StoreError } from '../errors.ts';
import { type NumberedCall, numbered } from '../numbered-call.ts';
import { aliveMs } from '../store.ts';
import type { TimeLine } from '../time-line.ts';
import { isDeadlock } from './breaker.ts';
import type { Pool } from './pool.ts';

type DecidingTime = Pick<TimeLine, 'text' | 'believed' | 'synchronise' | 'doubtMs'>;

/** How long a call may take to the server before its time is doubted, in milliseconds: at first, and at most. */
const defaultLateMs = 1_000;
const maxLateMs = 60_000;
/** How often the time is looked up before a call fails. */
const patience = 10;

type StandingRow = readonly [used: number, resetMs: number | null];

interface RunReply {
  readonly unknown?: readonly number[];
  readonly granted: number;
  readonly late: number;
  readonly lease: number;
  readonly grants: readonly (readonly [
    until: number,
    amount: number,
    used: number,
    resetMs: number | null,
  ])[];
  readonly refused: readonly [index: number, waitMs: number | null, standings: readonly StandingRow[]] | null;
}

interface Answer {
  readonly in_time: boolean;
  readonly late: number | null;
  readonly replies: readonly RunReply[];
}

/** The authority of the processes on a PostgreSQL database: each call is one call of `take_limits`, in one round trip. */
export class PostgresAuthority implements Authority {
  readonly #pool: Pool;
  readonly #clock: StoreClock;
  readonly #time: DecidingTime | null;
  #lateMs = defaultLateMs;

  /** @param time what the server's clock is held against; null: a test's clock, which nothing is held against. */
  constructor(pool: Pool, clock: StoreClock, time: DecidingTime | null) {
    this.#pool = pool;
    this.#clock = clock;
    this.#time = time;
  }

  async take(call: Call): Promise<readonly Reply[]> {
    const asked = numbered(call);
    for (let attempt = 1; ; attempt += 1) {
      if (this.#clock.stale) await this.#time?.synchronise();
      const stamp = this.#clock.now();
      const answer = await this.#ask(call, asked, stamp);
      if (await this.#apply(answer)) return repliesOf(answer.replies, asked, stamp);
      if (attempt === patience)
        throw new StoreError('failed', 'Storage: the clocks of server and database do not agree.');
    }
  }

  async #ask({ seeds }: Call, { runs, given: numbers }: NumberedCall, stamp: number): Promise<Answer> {
    const clock = this.#clock;
    const { ids } = numbers;
    // What runs begins with nothing.
    const running = runs.flatMap(({ ask }) => ask.filter(({ bucket }) => bucket.window === 'running'));
    const begun = new Set([
      ...seeds.map(({ bucketId }) => bucketId),
      ...running.map(({ bucket }) => bucket.id),
    ]);
    const given = {
      begun: [...begun].map((id) => ids.indexOf(id) + 1),
      elapsed: clock.elapsed(),
      stamp,
      doubt: Math.ceil(this.#time?.doubtMs ?? 0),
      day_end: startOfDay(dayOf(stamp) + 1),
      month_end: startOfMonth(monthOf(stamp) + 1),
      alive: clock.ago(aliveMs) + aliveMs,
      believed: this.#time?.believed() ?? null,
      late_ms: this.#lateMs,
      line: this.#time?.text ?? null,
      ...numbers,
    };
    const values = [JSON.stringify(given)];
    for (let attempt = 1; ; attempt += 1) {
      try {
        const [row] = await this.#pool.query<{ answer: Answer }>({ ...statement, values });
        return (row as { answer: Answer }).answer;
      } catch (error) {
        // The server has undone what it chose to end a deadlock by.
        if (!isDeadlock(error) || attempt === 3) throw error;
      }
    }
  }

  /** What was refused for its time is asked again by the right one, and given more time if that was right already. */
  async #apply({ in_time: inTime, late }: Answer): Promise<boolean> {
    if (late === null) return true;
    if (inTime) {
      this.#lateMs = Math.max(defaultLateMs, Math.ceil(2 * late));
      return true;
    }
    await this.#time?.synchronise();
    if (late > this.#lateMs) this.#lateMs = Math.min(2 * this.#lateMs, maxLateMs);
    return false;
  }
}

const statement = { name: 'take_limits', text: 'select take_limits($1) as answer' };

/** The answers to runs of equal asks as those to each of them. */
function repliesOf(
  replies: readonly RunReply[],
  { ids, runs }: NumberedCall,
  stamp: number,
): readonly Reply[] {
  const all: Reply[] = [];
  for (const [index, { ask, count }] of runs.entries()) {
    const reply = replies[index] as RunReply;
    if (reply.unknown) {
      const unknown = reply.unknown.map((place) => ids[place - 1] as string);
      for (let one = 0; one < count; one += 1) all.push({ granted: false, unknown });
      continue;
    }
    const at = stamp + reply.late;
    for (let left = reply.granted - 1; left >= 0; left -= 1)
      all.push({ granted: true, grants: grantsOf(reply, ask, left), at, leaseMs: reply.lease });
    if (reply.refused === null) continue;
    const [place, waitMs, standings] = reply.refused;
    const refusal: Reply = { granted: false, index: place, waitMs, standings: standings.map(standingOf) };
    for (let one = reply.granted; one < count; one += 1) all.push(refusal);
  }
  return all;
}

/** @param left how many of the run were granted after this one */
function grantsOf({ grants }: RunReply, ask: Ask, left: number): Grant[] {
  return grants.map(([until, amount, used, resetMs], index) => ({
    until,
    amount,
    standing: { used: used - left * (ask[index]?.need ?? 0), resetMs },
  }));
}

function standingOf([used, resetMs]: StandingRow): Standing {
  return { used, resetMs };
}
