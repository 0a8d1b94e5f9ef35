import { randomUUID } from 'node:crypto';
import { Outgoing } from '../../lib/outgoing.ts';
import type { Signals } from '../../lib/signals.ts';
import { Listeners } from '../../lib/signals.ts';
import type { RedisLink } from './link.ts';

/** Of the messages of one process, in milliseconds. */
const everyMs = 10;
const prefix = 'switchyard/';

/**
 * Signals as messages of Redis, a channel for each topic: only who listens to a topic gets them. While Redis is away, nothing
 * is sent and nothing heard; when it is back, all listeners are called.
 */
export class RedisSignals implements Signals {
  readonly #link: RedisLink;
  readonly #listeners = new Listeners();
  /** A process hears its own messages too. */
  readonly #self = randomUUID().slice(0, 8);
  readonly #outgoing: Outgoing;
  /** The topics that Redis sends us. */
  readonly #subscribed = new Set<string>();
  /** The topics that gained their first or lost their last listener since the last message to Redis. */
  #changed = new Set<string>();
  #syncing = false;
  #closed = false;

  constructor(link: RedisLink) {
    this.#link = link;
    this.#outgoing = new Outgoing(everyMs, (topics) => this.#publish(topics));
    link.onReady((again) => {
      // Whatever was sent before has been missed. A client that connects again has subscribed by itself.
      this.#listeners.callAll();
      if (again) {
        for (const topic of this.#subscribed) this.#changed.add(topic);
        this.#subscribed.clear();
      }
      void this.#sync();
    });
  }

  send(topic: string): void {
    if (this.#link.up) this.#outgoing.add(topic);
  }

  on(topic: string, listener: () => void): () => void {
    const stop = this.#listeners.on(topic, listener);
    this.#change(topic);
    return () => {
      stop();
      this.#change(topic);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#outgoing.end();
  }

  readonly #hear = (from: string, channel: string): void => {
    if (from !== this.#self) this.#listeners.call(channel.slice(prefix.length));
  };

  async #publish(topics: readonly string[]): Promise<void> {
    await this.#link.run((client) =>
      Promise.all(topics.map((topic) => client.publish(prefix + topic, this.#self))),
    );
  }

  #change(topic: string): void {
    if (!this.#differs(topic)) return;
    this.#changed.add(topic);
    void this.#sync();
  }

  #differs(topic: string): boolean {
    return this.#listeners.has(topic) !== this.#subscribed.has(topic);
  }

  /** Subscribes to topics that have listeners, and to nothing else. */
  async #sync(): Promise<void> {
    if (this.#syncing) return;
    this.#syncing = true;
    while (this.#changed.size > 0 && this.#link.up && !this.#closed) {
      const changed = [...this.#changed];
      this.#changed = new Set();
      try {
        await this.#subscribe(changed);
        // Listeners may have changed while Redis was asked.
        for (const topic of changed) if (this.#differs(topic)) this.#changed.add(topic);
      } catch {
        // Where the connection is lost, the next one takes it up; an answer that is late may come yet.
        for (const topic of changed) this.#changed.add(topic);
        break;
      }
    }
    this.#syncing = false;
  }

  async #subscribe(changed: readonly string[]): Promise<void> {
    const added = changed.filter((topic) => this.#listeners.has(topic) && !this.#subscribed.has(topic));
    const left = changed.filter((topic) => !this.#listeners.has(topic) && this.#subscribed.has(topic));
    const channels = (topics: readonly string[]) => topics.map((topic) => prefix + topic);
    if (added.length > 0) {
      await this.#link.run((client) => client.subscribe(channels(added), this.#hear));
      for (const topic of added) this.#subscribed.add(topic);
    }
    if (left.length > 0) {
      await this.#link.run((client) => client.unsubscribe(channels(left), this.#hear));
      for (const topic of left) this.#subscribed.delete(topic);
    }
  }
}
