import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { undici } from './undici.ts';

/** Finds all addresses of a name, as `dns.lookup` does. */
export type LookupAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface ConnectRules {
  /** Whether an address, in its textual form, may be reached. */
  readonly allowed: (address: string) => boolean;
  /** What a connection to a host fails with that leads elsewhere. */
  readonly refused: (host: string) => Error;
  /** Asked once for each connection. */
  readonly resolve?: LookupAll;
}

const connectTimeoutMs = 5_000;

/**
 * Makes connections for undici only to addresses that are allowed, wherever names lead. The address is checked before the
 * connection and again on the socket that came about, so a name that changes what it resolves to gains nothing.
 */
export function guardedConnect({
  allowed,
  refused,
  resolve = lookup,
}: ConnectRules): buildConnector.connector {
  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const good = addresses.filter(({ address }) => allowed(address));
      const [first] = good;
      if (!first || good.length < addresses.length) return callback(refused(hostname), '', 0);
      if (options.all) callback(null, good);
      else callback(null, first.address, first.family);
    });
  };
  let connector: buildConnector.connector | null = null;
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !allowed(host)) return callback(refused(host), null);
    connector ??= undici().buildConnector({ timeout: connectTimeoutMs, lookup: guardedLookup });
    return connector(options, (...[error, socket]: [Error, null] | [null, Socket]) => {
      if (error) return callback(error, null);
      if (socket && !allowed(socket.remoteAddress ?? '')) {
        socket.destroy();
        return callback(refused(host), null);
      }
      return callback(null, socket);
    });
  };
}
