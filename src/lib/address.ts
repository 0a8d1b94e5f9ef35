import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Ranges of IPv4 that do not lead to a public host (https://www.iana.org/assignments/iana-ipv4-special-registry), with
 * multicast.
 */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/**
 * Of IPv6 only 2000::/3 is handed out at all; within it, these are special (Teredo and the like, documentation, 6to4,
 * which may lead to any IPv4 address): https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const global6 = networks(['2000::/3']);
const special = networks([...special4, ...special6]);

/** A list of networks in the form `address/bits`, or of single addresses. Throws for what is neither. */
export function networks(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = familyOf(address);
    if (family === null) throw new Error(`${JSON.stringify(entry)} is no network.`);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Whether a text is what `networks` takes. */
export function isNetwork(entry: string): boolean {
  try {
    networks([entry]);
    return true;
  } catch {
    return false;
  }
}

/** Whether an address is in one of the networks; an IPv4 address may be written as IPv6 does (`::ffff:10.0.0.1`). */
export function isIn(list: BlockList, address: string): boolean {
  const plain = unmapped(address);
  const family = familyOf(plain);
  return family !== null && list.check(plain, family);
}

/** Whether an address belongs to a host on the public internet. */
export function isPublic(address: string): boolean {
  const plain = unmapped(address);
  const family = familyOf(plain);
  if (family === null || special.check(plain, family)) return false;
  return family === 'ipv4' || global6.check(plain, 'ipv6');
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address);
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6';
}

/** `::ffff:a.b.c.d` and `::ffff:0a00:0001` as the IPv4 address that they stand for. */
function unmapped(address: string): string {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (dotted) return dotted;
  const words = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (!words) return address;
  const value = [words[1], words[2]].map((word) => Number.parseInt(word ?? '', 16));
  return value.flatMap((word) => [word >> 8, word & 255]).join('.');
}

/**
 * Whether a host, as a setting, a URL or a socket names it, can be reached by programs of its own machine only: localhost,
 * 127.0.0.0/8 (also as IPv6 sockets show it, RFC 4291 section 2.5.5.2) and ::1.
 */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}

/**
 * The network that counts as one client: an IPv4 address, or the /64 network that an IPv6 address is in, as one household
 * or server has all of it. IPv4 addresses written as IPv6 (`::ffff:`, NAT64) count as what they are.
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

/**
 * The name that TLS asks a host for (SNI), as an option of `tls.connect`. None where the host is an address: those are no names there
 * (RFC 6066 section 3), and Node.js throws for them since line 26. The certificate is held against the host all the same.
 */
export function serverName(host: string): { readonly servername?: string } {
  return isIP(host) === 0 ? { servername: host } : {};
}
