import { lookup } from 'node:dns';
import { type BlockList, isIP } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import { isIn, isPublic } from '../../../lib/address.ts';
import { guardedConnect, type LookupAll } from '../../../lib/outgoing.ts';
import { undici } from '../../../lib/undici.ts';
import { ToolError } from './tool.ts';

interface FetchRules {
  /** Host names, `*.name` for all below it, `*` for any; with `:port` for another port than the default. */
  readonly allow: readonly string[];
  /** Addresses that may be reached though they are not public. */
  readonly privateNetworks: BlockList;
}

interface Fetched {
  readonly url: string;
  readonly status: number;
  /** Without parameters, in lower case. */
  readonly mediaType: string;
  readonly charset: string;
  readonly body: Buffer;
  /** Whether there was more than could be read. */
  readonly cut: boolean;
}

const maxRedirects = 5;
const maxBodyBytes = 1024 * 1024;
const timeoutMs = 15_000;

/**
 * Fetches web pages for a model, which may ask for anything: only what the rules allow, over new connections, each to
 * an address that is public or permitted, see `guardedConnect`. Redirects are followed by hand, under the same rules. No cookies, no credentials, nothing compressed.
 * @param resolve asked once for each connection
 */
export function createGuardedFetch(rules: FetchRules, resolve: LookupAll = lookup) {
  const allowed = (address: string) => isPublic(address) || isIn(rules.privateNetworks, address);
  const connect = guardedConnect({ allowed, refused, resolve });

  return async (address: string, signal: AbortSignal): Promise<Fetched> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    // One agent a call: no connection is kept, and none that another call has opened is used.
    const agent = new (undici().Agent)({ connect, pipelining: 0, maxRedirections: 0 } as Agent.Options);
    try {
      let url = parseUrl(address);
      for (let hops = 0; ; hops += 1) {
        checkAllowed(url, rules.allow);
        const response = await agent.request({
          origin: url.origin,
          path: url.pathname + url.search,
          method: 'GET',
          headers: {
            accept: 'text/html, text/*;q=0.9, application/json;q=0.9',
            'accept-encoding': 'identity',
            'user-agent': 'switchyard-agent',
          },
          signal: limit,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        });
        const location = response.headers['location'];
        if (response.statusCode >= 300 && response.statusCode < 400 && typeof location === 'string') {
          response.body.on('error', () => undefined).destroy();
          if (hops === maxRedirects)
            throw new ToolError(`The address redirects more than ${maxRedirects} times.`);
          url = parseUrl(location, url);
          continue;
        }
        return { url: url.href, ...(await read(response)) };
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (limit.aborted) throw new ToolError(`The page took longer than ${timeoutMs / 1000} seconds.`);
      throw error instanceof ToolError
        ? error
        : new ToolError(`The page cannot be fetched (${reasonOf(error)}).`);
    } finally {
      void agent.destroy();
    }
  };
}

async function read({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Omit<Fetched, 'url'>> {
  const type = String(headers['content-type'] ?? 'text/plain');
  const mediaType = (type.split(';')[0] ?? '').trim().toLowerCase();
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
    body.on('error', () => undefined).destroy();
    throw new ToolError('The page is compressed although that was not asked for.');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > maxBodyBytes) break;
  }
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8';
  const whole = Buffer.concat(chunks).subarray(0, maxBodyBytes);
  return { status: statusCode, mediaType, charset, body: whole, cut: size > maxBodyBytes };
}

function parseUrl(address: string, base?: URL): URL {
  const url = URL.canParse(address, base?.href) ? new URL(address, base) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new ToolError('Only addresses that begin with http:// or https:// can be fetched.');
  if (url.username || url.password) throw new ToolError('An address must not hold a user or a password.');
  return url;
}

function checkAllowed({ hostname, port }: URL, allow: readonly string[]): void {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  const fits = allow.some((entry) => {
    const [, name = '', entryPort = ''] =
      isIP(entry) === 6 ? ['', entry] : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []);
    const pattern = name.toLowerCase();
    if (port !== entryPort) return false;
    if (pattern === '*' || pattern === host) return true;
    return pattern.startsWith('*.') && host.endsWith(pattern.slice(1));
  });
  if (!fits)
    throw new ToolError(
      `The operator has not allowed the host ${JSON.stringify(host)}${port && ` with port ${port}`}.`,
    );
}

function refused(host: string): Error {
  return new ToolError(`The host ${JSON.stringify(host)} has an address that is not public.`);
}

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : 'the connection failed';
}
