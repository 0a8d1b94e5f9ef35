import { type KeyObject, randomBytes } from 'node:crypto';
import { Webhook as Signer } from 'standardwebhooks';
import { isLoopback, isPublic } from '../../lib/address.ts';
import { guardedConnect } from '../../lib/outgoing.ts';
import { Sealer } from '../../lib/sealer.ts';
import { undici } from '../../lib/undici.ts';
import type { Attempt } from './webhook.ts';

export interface Message {
  readonly url: string;
  /** Stays the same over all attempts, so that a receiver can recognise repetitions. */
  readonly id: string;
  readonly payload: string;
  /** One, or two while one takes the place of the other. */
  readonly secrets: readonly string[];
}

/** How long a receiver may take, in milliseconds; it can do its work after its answer. */
const timeoutMs = 15_000;
/** Bytes of an answer that are read; its content does not matter. */
const maxAnswerBytes = 64 * 1024;

class Refused extends Error {}

/**
 * Sends an event once, signed as the specification of Standard Webhooks says. Only public addresses are reached, and those of this
 * machine where the operator has named one as such; redirects are not followed. Never rejects.
 * @param now milliseconds since the epoch
 */
export async function send({ url, id, payload, secrets }: Message, now: number): Promise<Attempt> {
  const local = isLoopback(new URL(url).hostname);
  const refused = (host: string) => new Refused(`${host} is not a public address`);
  const connect = guardedConnect({ allowed: (address) => local || isPublic(address), refused });
  const { Agent, request } = undici();
  // One agent an attempt: no connection is kept, and none that another webhook has opened is used.
  const agent = new Agent({ connect, pipelining: 0 });
  const startedAt = performance.now();
  const at = new Date(now);
  const attempt = (status: number | null, failure: Attempt['failure']): Attempt => ({
    at: now,
    status,
    failure,
    ms: Math.round(performance.now() - startedAt),
  });
  try {
    const { statusCode, body } = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'switchyard-webhooks',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now / 1000)),
        'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, at, payload)).join(' '),
      },
      body: payload,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await body.dump({ limit: maxAnswerBytes }).catch(() => undefined);
    return attempt(statusCode, statusCode >= 200 && statusCode < 300 ? null : 'status');
  } catch (error) {
    return attempt(null, failureOf(error));
  } finally {
    void agent.destroy();
  }
}

function failureOf(error: unknown): Attempt['failure'] {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof Refused) return 'refused';
    if (at.name === 'TimeoutError') return 'timeout';
  }
  return 'unreachable';
}

/** Derives a key of 32 bytes for a purpose from the server's secret. */
export type KeyFor = (purpose: string) => KeyObject;

const prefix = 'whsec_';

/**
 * The secrets that events are signed with, in the form of the Standard Webhooks specification
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): kept encrypted for their webhook
 * alone.
 */
export class WebhookSecrets extends Sealer {
  constructor(keyFor: KeyFor) {
    super(keyFor('webhook secrets'));
  }

  /** 32 random bytes. To be shown once. */
  generate(): string {
    return prefix + randomBytes(32).toString('base64');
  }
}
