import type { Agent } from 'undici';
import { isIn, isPublic, networks } from '../../../lib/address.ts';
import { guardedConnect } from '../../../lib/outgoing.ts';
import { undici } from '../../../lib/undici.ts';
import type { McpServerSettings } from '../settings.ts';
import { bounded } from './mcp-http.ts';

/** Of one request to an authorization server, to its last byte, in milliseconds. */
const timeoutMs = 10_000;

/**
 * `fetch` for what a server names as the way to a token, which may be any address: only hosts that are public or permitted are
 * reached, over HTTPS, and no redirect is followed. Addresses that the operator has written are reached as they are.
 */
export function oauthFetch({ url, oauth }: Pick<McpServerSettings, 'url' | 'oauth'>) {
  const own = new Set([url, oauth?.issuer ?? url].map((one) => new URL(one).origin));
  const permitted = networks(oauth?.privateNetworks ?? []);
  const connect = guardedConnect({
    allowed: (address) => isPublic(address) || isIn(permitted, address),
    refused: (host) => new Error(`The host ${JSON.stringify(host)} has an address that is not public.`),
  });
  let guarded: Agent | null = null;
  return async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const to = new URL(input);
    const trusted = own.has(to.origin);
    if (!trusted && to.protocol !== 'https:' && !isPermittedHost(to, permitted))
      throw new Error(`The server names ${to.origin}, which is not reached over HTTPS.`);
    guarded ??= new (undici().Agent)({ connect, pipelining: 0, keepAliveTimeout: 1 });
    const signal = AbortSignal.timeout(timeoutMs);
    const given = { ...init, signal, redirect: 'manual', ...(trusted ? {} : { dispatcher: guarded }) };
    const reply = await undici().fetch(to, given as Parameters<ReturnType<typeof undici>['fetch']>[1]);
    return bounded(reply as unknown as Response);
  };
}

/** Whether it is an address that the operator permits, or the one name that stands for an address everywhere (RFC 6761). */
function isPermittedHost({ hostname }: URL, permitted: ReturnType<typeof networks>): boolean {
  return isIn(permitted, hostname === 'localhost' ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, ''));
}
