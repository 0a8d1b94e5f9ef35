import { type Sharing, ThinkingMemory } from './thinking-memory.ts';
import type { WireContext } from './wire-context.ts';

/** How many sessions are remembered; the one that was idle longest is forgotten first. */
const maxSessions = 10_000;
const maxIdLength = 512;

/** Headers by which coding agents name their session. */
const sessionHeaders = [
  'x-claude-code-session-id',
  'session_id',
  'session-id',
  'x-session-id',
  'x-session-affinity',
  'x-affinity',
  'conversation_id',
];

/**
 * Which provider answered a session last. A fallback that has answered stays the session's provider: only it can read what
 * it encrypted, and its cache holds the conversation. Of one process; another finds the same provider by the order of the
 * model's fallbacks.
 */
export class Affinity {
  /** Models' thinking before their calls of tools. */
  readonly thinking: ThinkingMemory;
  readonly #providers = new Map<string, string>();

  /** @param sharing shares models' thinking between processes; null: it is not shared */
  constructor(sharing: Sharing | null = null) {
    this.thinking = new ThinkingMemory({ sharing });
  }

  /** The provider that a session is bound to; undefined: none. */
  bound(session: string | null): string | undefined {
    return session === null ? undefined : this.#providers.get(session);
  }

  /** A request of the session has been answered. */
  bind(session: string | null, provider: string): void {
    if (session === null) return;
    this.#providers.delete(session);
    this.#providers.set(session, provider);
    if (this.#providers.size > maxSessions) this.release(this.#providers.keys().next().value ?? null);
  }

  /** A request of the session has failed. */
  release(session: string | null): void {
    if (session !== null) this.#providers.delete(session);
  }
}

/** The session of a request, of one tenant and model; null: its client names none. */
export function sessionOf(
  { headers, caller }: WireContext,
  model: string,
  body: Readonly<Record<string, unknown>>,
): string | null {
  const named = sessionHeaders.map((name) => headers[name]).find((value) => typeof value === 'string');
  const id = named ?? body['prompt_cache_key'];
  if (typeof id !== 'string' || id === '' || id.length > maxIdLength) return null;
  return JSON.stringify([caller.tenantId, model, id]);
}
