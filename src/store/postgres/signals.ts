import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Outgoing } from '../../lib/outgoing.ts';
import type { Signals } from '../../lib/signals.ts';
import { Listeners } from '../../lib/signals.ts';
import { clientConfig, cut } from './client.ts';

const channel = 'switchyard';
/** Of the notifications of one process, in milliseconds: PostgreSQL commits them one at a time. */
const everyMs = 50;
/** PostgreSQL takes payloads of less than 8000 bytes (https://www.postgresql.org/docs/15/sql-notify.html). */
const maxPayload = 7_000;
/** Pause before a lost connection is made again, in milliseconds; it doubles. */
const minPauseMs = 500;
const maxPauseMs = 8_000;
/** How often a silent connection is asked for a sign of life, in milliseconds. */
const aliveEveryMs = 10_000;
/** No request waits for it: a signal that is late is worth more than one that is lost. */
const timeLimits = { connectMs: 5_000, statementMs: 8_000, answerMs: 10_000 };

/**
 * Signals by LISTEN and NOTIFY, over one connection of its own. While it is away, nothing is sent and nothing heard; when it
 * is back, all listeners are called.
 */
export class PostgresSignals implements Signals {
  readonly #url: string;
  readonly #listeners = new Listeners();
  /** A process hears its own notifications too. */
  readonly #self = randomUUID().slice(0, 8);
  readonly #outgoing: Outgoing;
  #client: pg.Client | null = null;
  #pauseMs = minPauseMs;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;
  #opening: Promise<void>;

  /** @param url with user and password */
  constructor(url: string) {
    this.#url = url;
    this.#outgoing = new Outgoing(everyMs, (topics) => this.#notify(topics));
    this.#opening = this.#open();
  }

  /** Whether it hears the others at the moment. */
  get listening(): boolean {
    return this.#client !== null;
  }

  send(topic: string): void {
    if (this.#client) this.#outgoing.add(topic);
  }

  on(topic: string, listener: () => void): () => void {
    return this.#listeners.on(topic, listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#outgoing.end();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#opening;
    if (this.#client) await this.#client.end().catch(() => undefined);
    this.#client = null;
  }

  async #open(): Promise<void> {
    if (this.#closed) return;
    const client = new pg.Client(clientConfig({ url: this.#url, max: 1, ...timeLimits }));
    // Also after the connection has been given up: unheard, the event would end the process.
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ payload = '' }) => this.#hear(payload));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch {
      cut(client);
      this.#later(this.#pauseMs, () => this.#reopen());
      this.#pauseMs = Math.min(2 * this.#pauseMs, maxPauseMs);
      return;
    }
    if (this.#closed) return cut(client);
    this.#client = client;
    this.#pauseMs = minPauseMs;
    this.#later(aliveEveryMs, () => this.#check(client));
    // Whatever was sent before has been missed.
    this.#listeners.callAll();
  }

  #reopen(): void {
    this.#opening = this.#open();
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    cut(client);
    this.#later(this.#pauseMs, () => this.#reopen());
  }

  /** A dead connection would say nothing for ever. */
  #check(client: pg.Client): void {
    client.query('select 1').then(
      () => this.#client === client && this.#later(aliveEveryMs, () => this.#check(client)),
      () => this.#lost(client),
    );
  }

  #later(ms: number, action: () => void): void {
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(action, ms);
    this.#timer.unref();
  }

  async #notify(topics: readonly string[]): Promise<void> {
    const client = this.#client;
    if (!client) return;
    const text = 'select pg_notify($1, payload) from unnest($2::text[]) payload';
    try {
      await client.query(text, [channel, payloads(this.#self, topics)]);
    } catch (thrown) {
      if (!(thrown instanceof pg.DatabaseError)) this.#lost(client);
    }
  }

  #hear(payload: string): void {
    const [from, ...topics] = payload.split(' ');
    if (from === this.#self) return;
    for (const topic of topics) this.#listeners.call(topic);
  }
}

/** As few payloads as hold all topics: the sender, and topics behind it. */
function payloads(from: string, topics: readonly string[]): string[] {
  const made: string[] = [];
  let payload = from;
  for (const topic of topics) {
    if (payload.length + 1 + topic.length > maxPayload) {
      made.push(payload);
      payload = from;
    }
    payload += ` ${topic}`;
  }
  return [...made, payload];
}
