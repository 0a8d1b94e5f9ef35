import { isIP } from 'node:net';

/** The name that TLS asks a host for a certificate by; none for an address, which is no name (RFC 6066, section 3) and is compared by itself. */
export function tlsName(host: string): { readonly servername?: string } {
  return isIP(host) === 0 ? { servername: host } : {};
}
