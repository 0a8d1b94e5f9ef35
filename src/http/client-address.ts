import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The proxies whose `X-Forwarded-For` is believed: that many proxies before the server, or those of these networks. */
export type TrustedProxies = number | readonly string[];

/** The client's address, as far as the server can tell. */
export type ClientAddress = (req: IncomingMessage) => string;

/** The other end of a connection. */
interface Peer {
  readonly address: Address | null;
  readonly text: string;
  readonly trusted: boolean;
}

/**
 * Finds the client behind the proxies that are trusted. `X-Forwarded-For` is read from the right, where the nearest
 * proxy has written: the first address that is no trusted proxy is the client, whatever stands further left. An entry
 * that is no address ends the search at the last one that was.
 *
 * @param warn called once when the header comes though no proxy is trusted, as a setting may be missing
 */
export function clientAddress(
  trusted: TrustedProxies,
  warn: (message: string) => void = () => undefined,
): ClientAddress {
  const isTrusted = trust(trusted);
  let mayWarn = trusted === 0;
  // The other end of a connection stays the same, and most connections carry many requests.
  const peers = new WeakMap<IncomingMessage['socket'], Peer>();
  return (req) => {
    if (mayWarn && req.headers['x-forwarded-for'] !== undefined) {
      mayWarn = false;
      warn(forgottenProxy);
    }
    let peer = peers.get(req.socket);
    if (!peer) {
      const address = parse(req.socket.remoteAddress ?? '');
      peer = { address, text: address?.toString() ?? '', trusted: address !== null && isTrusted(address, 0) };
      peers.set(req.socket, peer);
    }
    if (peer.address === null || !peer.trusted) return peer.text;
    let client = peer.address;
    const forwarded = String(req.headers['x-forwarded-for'] ?? '').split(',');
    for (let hop = 0; isTrusted(client, hop); hop += 1) {
      const next = parse(forwarded.pop() ?? '');
      if (!next) break;
      client = next;
    }
    return client.toString();
  };
}

const forgottenProxy =
  'A request carries X-Forwarded-For, but TRUST_PROXY is not set: behind a proxy all visitors now count as one.';

function trust(trusted: TrustedProxies): (address: Address, hop: number) => boolean {
  if (typeof trusted === 'number') return (_address, hop) => hop < trusted;
  const networks = trusted.map((network) => ipaddr.parseCIDR(network));
  return (address) =>
    networks.some(([base, bits]) => base.kind() === address.kind() && address.match([base, bits] as never));
}

/** An address without port and zone, an IPv4 address in IPv6 as what it is; null for anything else. */
function parse(text: string): Address | null {
  const bare = text
    .trim()
    .replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
  // The library finds out by an exception, which costs more than all the rest of a request's way in.
  if (isIP(bare) === 0) return null;
  return ipaddr.process(bare.replace(/%.*$/, ''));
}
