import { isIP } from 'node:net';

/**
 * The name that TLS asks a host for (SNI), as an option of `tls.connect`. None where the host is an address: those are no names there
 * (RFC 6066 section 3), and Node.js throws for them since line 26. The certificate is held against the host all the same.
 */
export function serverName(host: string): { readonly servername?: string } {
  return isIP(host) === 0 ? { servername: host } : {};
}
