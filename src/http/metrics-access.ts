import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../contract/errors.ts';
import type { Principal } from '../contract/registry.ts';
import { isLoopback } from '../lib/loopback.ts';
import type { Secret } from '../lib/secret.ts';
import type { Authenticate, RequestHeaders } from './router.ts';

const here = "the server's own machine";
const reader: Principal = { keyId: 'metrics', scopes: new Set() };

/**
 * The scheme `metricsAccess`: a program of this machine, or whoever sends the token.
 *
 * Where a request comes from is told by its socket alone. Headers can only take the privilege of this machine away: a
 * proxy beside the server passes on what comes from anywhere, and a web page in a browser on this machine could read
 * the answer otherwise, as operations allow every origin.
 * @param token null: only programs of this machine
 */
export function metricsAccess(token: Secret | null): Authenticate {
  const expected = token && digest(token.reveal());
  return async (headers, { remoteAddress }) => {
    if (isLoopback(remoteAddress ?? '') && !isPassedOn(headers) && namesThisMachine(headers)) return reader;
    const given = /^Bearer +([\x21-\x7e]+) *$/i.exec(String(headers['authorization']))?.[1];
    if (expected && given !== undefined && timingSafeEqual(digest(given), expected)) return reader;
    const message = token
      ? `The metrics are for programs of ${here}, or with "Authorization: Bearer <METRICS_TOKEN>".`
      : `The metrics are for programs of ${here}, as no METRICS_TOKEN is set.`;
    throw new ServiceError('access_denied', message);
  };
}

/** A web page whose own name leads to this machine sends that name. */
function namesThisMachine({ host }: RequestHeaders): boolean {
  const name = String(host ?? '').replace(/:\d+$/, '');
  return name === '' || isLoopback(name);
}

function isPassedOn(headers: RequestHeaders): boolean {
  const traces = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via', 'origin'];
  return traces.some((name) => headers[name] !== undefined);
}

/** Of one length whatever the text, as comparing in constant time needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
