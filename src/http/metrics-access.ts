import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../contract/errors.ts';
import type { Principal } from '../contract/registry.ts';
import { isLoopback } from '../lib/address.ts';
import type { Secret } from '../lib/redact.ts';
import type { Authenticate, Call, RequestHeaders } from './dispatcher.ts';
import { hostNameOf } from './own-hosts.ts';

const reader: Principal = { keyId: 'metrics', scopes: new Set() };

/**
 * The scheme `metricsAccess`: whoever sends the token; without one programs of this machine.
 *
 * What a proxy beside the server passes on comes from this machine too, and no proxy has to say that it is one. So a token
 * that is set is needed always, and where none is the headers can only take the privilege of this machine away.
 * @param token null: only programs of this machine
 */
export function metricsAccess(token: Secret | null): Authenticate {
  const expected = token && digest(token.reveal());
  return async (headers, call) => {
    if (expected ? sends(headers, expected) : isOfThisMachine(headers, call)) return reader;
    const message = expected
      ? 'The metrics need "Authorization: Bearer <METRICS_TOKEN>".'
      : "The metrics are for programs of the server's own machine, as no METRICS_TOKEN is set.";
    throw new ServiceError('access_denied', message);
  };
}

function sends({ authorization }: RequestHeaders, expected: Buffer): boolean {
  const given = /^Bearer +([\x21-\x7e]+) *$/i.exec(String(authorization))?.[1];
  return given !== undefined && timingSafeEqual(digest(given), expected);
}

/**
 * Whether a program of this machine asks for itself: neither for somebody else, as far as that shows, nor as a browser for
 * a foreign page, which could read the answer, as operations allow every origin. A page whose own name was made to lead
 * to this machine sends that name as the host.
 */
function isOfThisMachine(headers: RequestHeaders, { remoteAddress }: Call): boolean {
  const { host, 'sec-fetch-site': site = 'none' } = headers;
  if (!isLoopback(remoteAddress ?? '') || typeof host !== 'string' || !isLoopback(hostNameOf(host)))
    return false;
  return (site === 'none' || site === 'same-origin') && !Object.keys(headers).some(isTrace);
}

/** Headers that a proxy adds, and one of browsers. */
function isTrace(name: string): boolean {
  return name.startsWith('x-forwarded') || traces.includes(name);
}

const traces = ['forwarded', 'x-real-ip', 'via', 'origin'];

/** Of one length whatever the text, as comparing in constant time needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
