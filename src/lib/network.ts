import ipaddr from 'ipaddr.js';

const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * What counts as one client: an IPv4 address, or the /64 network that an IPv6 address is in, as one household or server
 * has all of it. IPv4 addresses written as IPv6 (`::ffff:`, NAT64) count as what they are.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  if (parsed.match(nat64)) return new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString();
  return `${groups(parsed, 4)}::/64`;
}

/**
 * The /48 network of an IPv6 address, which one subscriber may have all of (RFC 6177); null for IPv4, whose addresses are
 * too scarce to be had by the thousand.
 */
export function siteOf(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4 || parsed.match(nat64) ? null : `${groups(parsed, 3)}::/48`;
}

function groups({ parts }: ipaddr.IPv6, count: number): string {
  return parts
    .slice(0, count)
    .map((part) => part.toString(16))
    .join(':');
}
