import type { RequestHeaders } from './security.ts';

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
