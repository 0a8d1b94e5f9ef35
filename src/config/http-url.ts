import { isLoopback } from '../lib/address.ts';

/** An absolute http or https URL that holds neither credentials nor query nor fragment; null for anything else. */
export function parseHttpUrl(text: string): URL | null {
  // The parser forgives `http:host`, backslashes and blanks; whoever reads the setting would not.
  if (!/^https?:\/\/[^\s\\?#]+$/i.test(text)) return null;
  const url = URL.parse(text);
  return url && url.username + url.password === '' ? url : null;
}

/** The address of a server on this machine, as a client on this machine reaches it. */
export function localUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Whether a text is the address of an issuer: without TLS it must be on this machine, as nobody else could be believed. */
export function isIssuer(text: string): boolean {
  const url = parseHttpUrl(text);
  return url !== null && (url.protocol === 'https:' || isLoopback(url.hostname));
}
