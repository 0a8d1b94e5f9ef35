import type { CallContext, ServerTimeLimits, TimeLimits } from '../../model/port.ts';
import type { MeteredRequest } from '../../tenants/metering/demand.ts';

/** A request to a foreign interface, and whose it is. */
export interface WireContext extends MeteredRequest, CallContext {
  readonly signal: AbortSignal;
  /** The headers of the client's request, in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Milliseconds, where the operator sets none. Models think longer than `/v1/chat` waits: Anthropic pings about every 30 seconds within long thinking, Codex
 * waits for 300 seconds of silence, Claude Code for 600 in all.
 */
const patient = { firstByte: 300_000, idle: 300_000, total: 3_600_000 } as const;
const minMs = 1000;

/** The time limits of a request: ours, lowered to what its client waits (`x-stainless-timeout`, in seconds). */
export function wireTimeLimits({ headers }: Pick<WireContext, 'headers'>, own: ServerTimeLimits): TimeLimits {
  const { connect, firstByte, idle, total } = { ...own, ...patient, ...own.set };
  const asked = Number(headers['x-stainless-timeout']) * 1000;
  // The others are as they are, so that it is the whole that is named where a client waits less.
  return { connect, firstByte, idle, total: asked >= minMs ? Math.min(asked, total) : total };
}
