import { isIPv6 } from 'node:net';

/**
 * What stands for a client where clients are counted: an IPv4 address, or the network of an IPv6 one (its first 64 bits),
 * in which its holder can take any address. Anything else comes back as it is.
 */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const plain = address.replace(/%.*$/, '');
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const groups = head.split(':').filter(Boolean);
  if (tail !== undefined) {
    // Dotted decimals at the end stand for two groups.
    const after = tail.split(':').filter(Boolean);
    const length = after.length + (after.at(-1)?.includes('.') ? 1 : 0);
    while (groups.length + length < 8) groups.push('0');
    groups.push(...after);
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
