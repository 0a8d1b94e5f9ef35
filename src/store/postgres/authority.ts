import type { StoreClock } from '../../lib/clock.ts';
import type { Authority, Call, Reply } from '../../limits/authority.ts';
import { StoreError } from '../errors.ts';
import { momentOf, type NumberedCall, numbered, type RunReply, repliesOf } from '../numbered-call.ts';
import { aliveMs } from '../store.ts';
import type { TimeLine } from '../time-line.ts';
import type { Pool } from './pool.ts';

type DecidingTime = Pick<TimeLine, 'text' | 'believed' | 'synchronise' | 'doubtMs'>;

/** How long a call may take to the server before its time is doubted, in milliseconds: at first, and at most. */
const defaultLateMs = 1_000;
const maxLateMs = 60_000;
/** How often the time is looked up before a call fails. */
const patience = 10;

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
      if (await this.#apply(answer)) return repliesOf(answer.replies, asked.ids, asked.runs, stamp);
      if (attempt === patience)
        throw new StoreError('failed', 'Storage: the clocks of server and database do not agree.');
    }
  }

  async #ask({ seeds }: Call, { runs, given: numbers }: NumberedCall, stamp: number): Promise<Answer> {
    const clock = this.#clock;
    const { ids } = numbers;
    // Counts of running requests begin at 0.
    const running = runs.flatMap(({ ask }) => ask.filter(({ bucket }) => bucket.window === 'running'));
    const begun = new Set([
      ...seeds.map(({ bucketId }) => bucketId),
      ...running.map(({ bucket }) => bucket.id),
    ]);
    const given = {
      begun: ids.flatMap((id, index) => (begun.has(id) ? [index + 1] : [])),
      ...momentOf(clock, stamp),
      doubt: Math.ceil(this.#time?.doubtMs ?? 0),
      alive: clock.ago(aliveMs) + aliveMs,
      believed: this.#time?.believed() ?? null,
      late_ms: this.#lateMs,
      line: this.#time?.text ?? null,
      ...numbers,
    };
    const values = [JSON.stringify(given)];
    const [row] = await this.#pool.query<{ answer: Answer }>({ ...statement, values });
    return (row as { answer: Answer }).answer;
  }

  /** A call that was refused for its time is repeated with the right one, and given more time if that was right already. */
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
