import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { ToolsChange } from '../agents/tools/mcp.ts';

/** Streams of changes that one tenant may have open in this process, and all together. */
const maxOfTenant = 16;
export const maxSubscriptions = 256;

const kinds = {
  tools: 'tools_list_changed',
  prompts: 'prompts_list_changed',
  resources: 'resources_list_changed',
} as const satisfies Record<ToolsChange['kind'], ServerEvent['kind']>;

/** Who listens, and to what. */
export interface Subscriber {
  readonly tenantId: string;
  /** The one server that its address names; null: all of them. */
  readonly serverId: string | null;
  /** Whether its key may call any of the tools of a server. */
  readonly mayUse: (serverId: string) => boolean;
  /** Ends the stream once its key is revoked; returns what ends the watch. */
  readonly watchKey: () => () => void;
}

/** Notifies clients of MCP that a list has changed: those that listen at the address of its server or of all, if their key may use it. */
export class Subscriptions implements ServerEventBus {
  readonly #subscribers = new Map<(event: ServerEvent) => void, Subscriber>();
  readonly #asking = new AsyncLocalStorage<Subscriber>();

  get size(): number {
    return this.#subscribers.size;
  }

  /** Whether a tenant may open another stream. */
  hasRoomFor(tenantId: string): boolean {
    let own = 0;
    for (const subscriber of this.#subscribers.values()) if (subscriber.tenantId === tenantId) own += 1;
    return own < maxOfTenant;
  }

  /** Runs work whose subscriptions are those of a subscriber. */
  runAs<Result>(subscriber: Subscriber, work: () => Result): Result {
    return this.#asking.run(subscriber, work);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const subscriber = this.#asking.getStore();
    if (!subscriber) return () => undefined;
    this.#subscribers.set(listener, subscriber);
    const unwatch = subscriber.watchKey();
    return () => {
      this.#subscribers.delete(listener);
      unwatch();
    };
  }

  /** Changes come by `tell`. */
  publish(): void {}

  /** @param serverId null: that of all servers */
  tell(serverId: string | null, kind: ToolsChange['kind']): void {
    for (const [listener, subscriber] of this.#subscribers) {
      const concerns = serverId === null || [null, serverId].includes(subscriber.serverId);
      if (concerns && (serverId === null || subscriber.mayUse(serverId))) listener({ kind: kinds[kind] });
    }
  }
}
