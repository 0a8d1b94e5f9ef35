import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { undiciForChats } from './undici.ts';

/**
 * Has every `fetch` of this process ask for gzip alone, and refuse an answer in Brotli before any of it is decoded: also those of
 * openid-client, jose and the vendors' clients. The `fetch` of Node.js decodes by itself, also what it did not ask for, as soon as
 * its dispatcher hands it the head of an answer; so it is the dispatcher that refuses. undici sets its own for the `fetch` of
 * Node.js as well, in the form of either's version (https://github.com/nodejs/undici/blob/main/docs/docs/best-practices/migrating-from-v7-to-v8.md).
 * The other senders of requests here, undici's `request` and `dispatch`, decode nothing.
 * @returns a function that ends it
 */
export function refuseBrotliAnswers(): () => void {
  const { getGlobalDispatcher, setGlobalDispatcher } = undiciForChats();
  const before = getGlobalDispatcher();
  setGlobalDispatcher(before.compose(refusingBrotli));
  return () => setGlobalDispatcher(before);
}

const refusingBrotli: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(askingForGzip(options), refusing(handler, String(options.origin)));

/** `fetch` gives its headers as an object, by names in any case. */
function askingForGzip(options: Dispatcher.DispatchOptions): Dispatcher.DispatchOptions {
  const { headers } = options;
  if (typeof headers !== 'object' || headers === null || Symbol.iterator in headers) return options;
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'accept-encoding');
  const asking = { ...Object.fromEntries(others), 'accept-encoding': 'gzip' } as IncomingHttpHeaders;
  return { ...options, headers: asking };
}

/** The same handler, but that it gets no head of an answer in Brotli. */
function refusing(handler: Dispatcher.DispatchHandler, origin: string): Dispatcher.DispatchHandler {
  const onResponseStart: Dispatcher.DispatchHandler['onResponseStart'] = (...args) => {
    // An error here ends the request, with its connection.
    if (isBrotli(args[2]['content-encoding']))
      throw new Error(
        `${origin} answered in Brotli, which it was not asked for, and which this Node.js must not decode.`,
      );
    handler.onResponseStart?.(...args);
  };
  return new Proxy(handler, {
    get(_, name) {
      if (name === 'onResponseStart') return onResponseStart;
      const member: unknown = Reflect.get(handler, name);
      return typeof member === 'function' ? member.bind(handler) : member;
    },
  });
}

/** Whether one of the codings of an answer is Brotli; the header may have come more than once. */
function isBrotli(encoding: string | readonly string[] | undefined): boolean {
  const codings = [encoding ?? []].flat().join(',').toLowerCase().split(',');
  return codings.some((coding) => coding.trim() === 'br');
}

/**
 * Known faults of the versions of Node.js that the server may run on.
 *
 * CVE-2026-111497, of Node.js's security release of 21 October 2026: its decoder of Brotli writes out of bounds; anyone who
 * sends a body in `br`, or answers with one, can trigger that by node:zlib. Fixed in 22.23.4, 24.22.1 and 26.12.1. Lines
 * 20, 21, 23 and 25 get nothing more, and later lines began after it.
 */
const brotliFixes: ReadonlyMap<number, readonly [minor: number, patch: number]> = new Map([
  [22, [23, 4]],
  [24, [22, 1]],
  [26, [12, 1]],
]);
const firstLineAfter = 27;

/** Whether Brotli can be decoded. A version that cannot be read, and what came out ahead of a fixed one, is not believed. */
export function brotliIsSafe(version: string): boolean {
  const [, major, minor, patch, ahead] = /^v?(\d+)\.(\d+)\.(\d+)(-.+)?$/.exec(version) ?? [];
  if (Number(major) >= firstLineAfter) return true;
  const fix = brotliFixes.get(Number(major));
  if (fix === undefined) return false;
  if (Number(minor) !== fix[0]) return Number(minor) > fix[0];
  return Number(patch) > fix[1] || (Number(patch) === fix[1] && ahead === undefined);
}

/** Of the Node.js that runs this. */
export const brotliIsSafeHere = brotliIsSafe(process.versions.node);

/** The fault of a version of Node.js, and the remedy; null: none that is known. */
export function nodeFault(version: string): { readonly message: string; readonly advice: string } | null {
  if (brotliIsSafe(version)) return null;
  return {
    message: `Node.js ${version} is vulnerable to CVE-2026-111497 in its Brotli decoder; until you upgrade it, the server accepts no bodies and no answers in "br".`,
    advice: 'Run it on Node.js 26.12.1 or later, or on 24.22.1 or later of line 24.',
  };
}
