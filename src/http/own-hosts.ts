import { isIP } from 'node:net';
import { ServiceError } from '../contract/errors.ts';
import { isLoopback } from '../lib/address.ts';
import type { RequestHeaders } from './dispatcher.ts';

/** Throws `ServiceError('host_not_allowed')` for a `Host` header that does not name this server. */
export type RequireOwnHost = (host: string | undefined) => void;

/**
 * Keeps foreign names away from what people sign in to. A web page can have its own name lead to this server (DNS
 * rebinding), and is then of one origin with what it finds there. Names of this machine and addresses cannot be made to
 * lead elsewhere.
 * @param names further names that lead to this server, in lower case
 */
export function ownHosts(publicUrl: string, names: readonly string[]): RequireOwnHost {
  const known = new Set([new URL(publicUrl).hostname, ...names]);
  return (host) => {
    const name = hostNameOf(host ?? '');
    if (known.has(name) || isAddress(name) || isLoopback(name) || name.endsWith('.localhost')) return;
    const message = `This server is used from pages under its own names, and ${JSON.stringify(name.slice(0, 255))} is none. Its operator sets PUBLIC_URL to its address, or ALLOWED_HOSTS to further names.`;
    throw new ServiceError('host_not_allowed', message);
  };
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

/** The name or address of a `Host` header, without the port, in lower case; an IPv6 address keeps its brackets. */
export function hostNameOf(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

/**
 * Whether a browser says that a page of this server made the request. Browsers send `Sec-Fetch-Site` to HTTPS and
 * loopback addresses; elsewhere `Origin` must name the host that the request was sent to. A request with neither is not
 * taken for one of ours.
 */
export function isSameOrigin(headers: RequestHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (typeof origin !== 'string') return false;
  return origin === publicUrl || origin === `http://${host}` || origin === `https://${host}`;
}
