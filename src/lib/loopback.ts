/**
 * Whether a host, as a setting, a URL or a socket names it, can be reached by programs of its own machine only: localhost,
 * 127.0.0.0/8 (also as IPv6 sockets show it, RFC 4291 section 2.5.5.2) and ::1.
 */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}
