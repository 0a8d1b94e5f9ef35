import type { TimeLimits } from '../../model/port.ts';
import type { WireContext } from './wire-context.ts';

/**
 * Milliseconds. Models think longer than `/v1/chat` waits: Anthropic pings about every 30 seconds within long thinking, Codex
 * waits for 300 seconds of silence, Claude Code for 600 in all.
 */
const patient = { firstByte: 300_000, idle: 300_000, total: 3_600_000 } as const;
const minMs = 1000;

/** The time limits of a request: ours, lowered to what its client waits (`x-stainless-timeout`, in seconds). */
export function wireTimeLimits({ headers }: Pick<WireContext, 'headers'>, own: TimeLimits): TimeLimits {
  const asked = Number(headers['x-stainless-timeout']) * 1000;
  const total = asked >= minMs ? Math.min(asked, patient.total) : patient.total;
  return {
    connect: own.connect,
    // As long as the whole or longer, so that it is the whole that is named where a client waits less.
    firstByte: Math.max(own.firstByte, patient.firstByte),
    idle: Math.max(own.idle, patient.idle),
    total,
  };
}
