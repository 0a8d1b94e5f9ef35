/** The name or address of a `Host` header, without the port, in lower case; an IPv6 address keeps its brackets. */
export function hostNameOf(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}
