import { ServiceError } from '../../contract/errors.ts';
import { cleanPrompt, promptLimits, seen } from '../prompt.ts';
import type { DemoLimit } from './demo-limit.ts';

/** The prompt as it is built from. Throws for one of which too little can be seen. */
export function promptOf(prompt: string): string {
  if (seen.test(prompt)) return cleanPrompt(prompt);
  const message = `must have at least ${promptLimits.min} characters that can be seen`;
  throw new ServiceError('invalid_request', `prompt ${message}.`, {
    details: [{ path: 'prompt', code: 'pattern', message }],
  });
}

export function demoLimited({ builds, windowMs }: DemoLimit, seconds: number): ServiceError {
  const message = `The demo builds ${builds} apps in any ${windowMs / 1000} seconds for one address. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return new ServiceError('demo_limited', message, { retryAfter: seconds });
}

/** How long a client waits that finds the queue full, in seconds. */
const queueFullSeconds = 5;

export function queueFull(waiting: number): ServiceError {
  const message = `${waiting} builds are waiting already. Try again in ${queueFullSeconds} seconds.`;
  return new ServiceError('queue_full', message, { retryAfter: queueFullSeconds });
}

/** What a tenant is told that has its share of the places. */
export function ownQueueFull(waiting: number): ServiceError {
  const message = `${waiting} of your builds are waiting already. Try again in ${queueFullSeconds} seconds.`;
  return new ServiceError('queue_full', message, { retryAfter: queueFullSeconds });
}

/** How long a client waits that finds no seat for a stream, in seconds. */
const noSeatSeconds = 10;

export function tooManyStreams(): ServiceError {
  const message = 'Too many streams of builds are open, in all or from here. The builds go on without them.';
  return new ServiceError('too_many_streams', message, { retryAfter: noSeatSeconds });
}

export function expired(expiresAt: number): ServiceError {
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  return new ServiceError('expired', `What this build has made was deleted on ${day}.`);
}

export function stopping(): ServiceError {
  return new ServiceError('shutting_down', 'The server is stopping and takes no new builds.');
}
