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
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
