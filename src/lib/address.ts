import { BlockList, isIP } from 'node:net';

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
