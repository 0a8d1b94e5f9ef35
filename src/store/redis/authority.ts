import { randomUUID } from 'node:crypto';
import type { StoreClock } from '../../lib/clock.ts';
import { type Repeated, repeat } from '../../lib/timers.ts';
import type { Authority, Call, Reply, Seed } from '../../limits/authority.ts';
import { momentOf, numbered, type RunReply, repliesOf } from '../numbered-call.ts';
import { keyPrefix } from './address.ts';
import { answerMs, type RedisLink } from './link.ts';
import { RedisError, redisError } from './redis-error.ts';
import { takeLibrary, takeName } from './take.ts';

/**
 * How long a Redis that is new or has lost its data decides nothing, in milliseconds. By then all earlier grants have been
 * used and are in the ledger, from which the buckets begin again: a lease ends after 0.55 s, an answer is honoured for two
 * seconds at most, and a row of the ledger is written, or refused, within four.
 */
const defaultQuietMs = 6_000;
/** How often a process shows that it is there and learns whether Redis has forgotten, in milliseconds. */
const beatMs = 1_000;
/** Age at which a seed that was read from the ledger is certainly not given any more, in milliseconds. */
const oldSeedMs = 30_000;
/** So many buckets are remembered that have been asked for seeds of. */
const maxAsked = 10_000;

export interface RedisAuthorityParts {
  readonly link: RedisLink;
  /** The store's clock, which the ledger and the counters use. */
  readonly clock: StoreClock;
  readonly synchroniseClock: () => Promise<void>;
  readonly quietMs?: number;
}

interface Answer {
  readonly epoch: string;
  readonly quiet: number;
  /** One for each ask. */
  readonly replies?: readonly RunReply[];
}

/**
 * The authority of the processes on a Redis server: each call is one call of a function, in one round trip.
 *
 * Redis keeps nothing for certain. An epoch begins when it is started or emptied, and with it nothing is known: for a while
 * nothing is decided, then buckets are asked for seeds. Each process reports its own running requests.
 */
export class RedisAuthority implements Authority {
  readonly #parts: RedisAuthorityParts;
  readonly #quietMs: number;
  readonly #beating: Repeated;
  /** A name that no process has, until the store gives one. */
  #holder: string = randomUUID();
  #epoch = '';
  /** When Redis decides again, on the clock of `performance.now`. */
  #quietUntil = Number.NEGATIVE_INFINITY;
  /** Until when a seed may have been read before the epoch began; of those asked for since it is certain that they were not. */
  #doubtSeedsUntil = Number.NEGATIVE_INFINITY;
  #asked = new Set<string>();
  /** How many requests of each `running` bucket this process has. */
  readonly #running = new Map<string, number>();

  constructor(parts: RedisAuthorityParts) {
    this.#parts = parts;
    this.#quietMs = parts.quietMs ?? defaultQuietMs;
    this.#beating = repeat(beatMs, () => this.#beat(), ignore);
    parts.link.onReady(() => void this.#beat().catch(ignore));
  }

  /**
   * Throws a `RedisError` while Redis decides nothing as it is new or has forgotten what it knew.
   */
  check(): void {
    const leftMs = this.#quietUntil - performance.now();
    if (leftMs > 0) throw quietError(leftMs);
  }

  async take(call: Call): Promise<readonly Reply[]> {
    this.#holder = call.holder;
    for (let attempt = 1; ; attempt += 1) {
      const { answer, ids, runs, stamp } = await this.#ask(call);
      await this.#apply(answer);
      if (answer.replies) {
        const each = runs.flatMap(({ ask, count }) =>
          Array.from({ length: count }, () => ({ ask, count: 1 })),
        );
        const replies = repliesOf(answer.replies, ids, each, stamp);
        this.#note(call, replies);
        return replies;
      }
      // Once more, in the epoch of which this process has just heard; it may have heard of it meanwhile.
      if (attempt === 3) throw quietError(this.#quietMs);
    }
  }

  /** Shows that this process is not there any more by not showing itself. */
  close(): Promise<void> {
    return this.#beating.stop();
  }

  async #ask(call: Call) {
    const { clock, synchroniseClock } = this.#parts;
    if (clock.stale) await synchroniseClock();
    const trusted = performance.now() >= this.#doubtSeedsUntil;
    const { ids, runs, given } = numbered(call);
    const may_begin = call.seeds.map(({ bucketId }) => trusted || this.#asked.has(bucketId));
    const keys = [`${keyPrefix}epoch`, `${keyPrefix}seen`, ...ids.map((id) => `${keyPrefix}bucket/${id}`)];
    const stamp = clock.now();
    const moment = { ...momentOf(clock, stamp), doubt: Math.ceil(clock.doubtMs), epoch: this.#epoch };
    const sentAt = clock.monotonic();
    const text = await this.#run(
      keys,
      JSON.stringify({ ...moment, quiet: this.#quietMs, may_begin, ...given }),
    );
    // The process, or its machine, may have stood still meanwhile: its grants are old.
    if (clock.monotonic() - sentAt > answerMs) throw redisError('slow');
    return { answer: JSON.parse(text) as Answer, ids, runs, stamp };
  }

  async #run(keys: string[], text: string): Promise<string> {
    const { link } = this.#parts;
    const call = () => link.run((client) => client.fCall(takeName, { keys, arguments: [text] }));
    try {
      return String(await call());
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown;
    }
    await link.run((client) => client.functionLoad(takeLibrary)).catch(unlessThere);
    return String(await call());
  }

  /** Takes in an epoch of which it has not heard before. Throws where Redis decides nothing. */
  async #apply({ epoch, quiet }: Answer): Promise<void> {
    const now = performance.now();
    if (quiet > 0) this.#quietUntil = now + quiet;
    if (epoch !== this.#epoch) {
      // The first that it hears of is none that it could have read something before.
      if (this.#epoch !== '') this.#doubtSeedsUntil = now + oldSeedMs;
      this.#epoch = epoch;
      this.#asked = new Set();
      await this.#declare();
    }
    if (quiet > 0) throw quietError(quiet);
  }

  /** Says what this process has running to a Redis that does not know. */
  async #declare(): Promise<void> {
    const running = [...this.#running].filter(([, used]) => used > 0);
    if (running.length === 0) return;
    const seeds = running.map(
      ([bucketId, used]): Seed => ({ bucketId, window: 'running', entries: [], used }),
    );
    await this.#ask({ holder: this.#holder, asks: [], returns: [], seeds });
  }

  async #beat(): Promise<void> {
    if (!this.#parts.link.up) return;
    const { answer } = await this.#ask({ holder: this.#holder, asks: [], returns: [], seeds: [] });
    await this.#apply(answer);
  }

  #note({ asks, returns, seeds, holder }: Call, replies: readonly Reply[]): void {
    for (const { bucketId, window, used } of seeds) {
      this.#asked.delete(bucketId);
      if (window === 'running') this.#setRunning(bucketId, used);
    }
    for (const { bucketId, window, amount, holder: whose = holder } of returns)
      if (window === 'running' && whose === holder) this.#moveRunning(bucketId, -amount);
    for (const [index, reply] of replies.entries()) {
      if (reply.granted) {
        for (const [place, { bucket }] of (asks[index] ?? []).entries())
          if (bucket.window === 'running') this.#moveRunning(bucket.id, reply.grants[place]?.amount ?? 0);
      } else if ('unknown' in reply) {
        if (this.#asked.size >= maxAsked) this.#asked.clear();
        for (const id of reply.unknown) this.#asked.add(id);
      }
    }
  }

  #moveRunning(id: string, by: number): void {
    this.#setRunning(id, (this.#running.get(id) ?? 0) + by);
  }

  #setRunning(id: string, used: number): void {
    if (used > 0) this.#running.set(id, used);
    else this.#running.delete(id);
  }
}

function quietError(leftMs: number): RedisError {
  const seconds = Math.ceil(leftMs / 1000);
  const message = `Redis is new or has forgotten what counts; nothing is decided by it for ${seconds} s.`;
  return new RedisError('unreachable', message, { mayBeDone: false, retryAfter: seconds });
}

const causeOf = (thrown: unknown) =>
  String((thrown as { cause?: { message?: string } }).cause?.message ?? '');

function isMissing(thrown: unknown): boolean {
  return causeOf(thrown).startsWith('ERR Function not found');
}

/** Another process may have been faster. */
function unlessThere(thrown: unknown): void {
  if (!/already exists/.test(causeOf(thrown))) throw thrown;
}

const ignore = () => undefined;
