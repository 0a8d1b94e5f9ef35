import { isUtf8 } from 'node:buffer';
import { buildConnector, Pool } from 'undici';
import type { ByteBudget } from '../../lib/byte-budget.ts';
import { isTooDeep } from '../../lib/json-depth.ts';
import type { SendOptions, TimeLimits } from '../port.ts';
import type { ProviderSettings } from '../settings.ts';
import { skippingInterim } from './interim.ts';
import { invalidReply, type Vendor } from './vendor.ts';
import { errorIn, errorOfObject, errorOfReply } from './vendor-errors.ts';
import { VendorRequest } from './vendor-request.ts';

/** Maximum of an error reply that is looked at, in bytes. */
const maxErrorLength = 1024 * 1024;

/** One vendor's address for completions. Every method throws `ProviderError`, `buffers_full`, or the signal's reason. */
export interface VendorClient {
  readonly vendor: Vendor;
  /** Posts the body and returns the parsed reply, which has a 2xx status and is no error object. */
  json(model: string, body: string, options: SendOptions): Promise<unknown>;
  /** Posts the body and returns the request when a reply has begun that can be an event stream. */
  events(model: string, body: string, options: SendOptions): Promise<VendorRequest>;
  close(): Promise<void>;
}

/**
 * A client with its own connections. `path` and `headers` are those of every request.
 */
export function createVendorClient(
  provider: ProviderSettings,
  path: string,
  headers: Readonly<Record<string, string>>,
  limits: TimeLimits,
  budget: ByteBudget,
): VendorClient {
  const vendor: Vendor = { id: provider.id, apiKey: provider.apiKey };
  const base = new URL(provider.baseUrl);
  const pool = new Pool(base.origin, {
    connections: provider.connections,
    // Over HTTP/2 the first connection has to be there before the others are made, and one loss hits every request.
    connect: skippingInterim(buildConnector({ timeout: limits.connect, allowH2: false })),
    allowH2: false,
    keepAliveTimeout: 30_000,
    // The request has its own, which are exact and do not run while the reader is slow.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const request = {
    method: 'POST',
    path: base.pathname.replace(/\/+$/, '') + path,
    headers: Object.entries({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'user-agent': 'switchyard',
      ...headers,
    }).flat(),
  } as const;
  // When all connections are taken, waiting for one is our own limit.
  const connectBlame = () => pool.stats.running < provider.connections;

  const send = (body: string, options: SendOptions): VendorRequest => {
    const { signal, memory } = options;
    signal.throwIfAborted();
    const sent = new VendorRequest({
      vendor,
      limits: options.limits ?? limits,
      signal,
      connectBlame,
      memory,
      budget,
    });
    pool.dispatch({ ...request, body }, sent);
    return sent;
  };

  const failure = (model: string, { status, headers }: VendorRequest, body: Buffer) =>
    errorOfReply(vendor, model, status, headers, body.toString('utf8', 0, maxErrorLength));

  const reply = (model: string, sent: VendorRequest, body: Buffer): unknown => {
    const parsed = parse(vendor, sent, body);
    const error = errorIn(parsed);
    if (error !== undefined) throw errorOfObject(vendor, model, error);
    return parsed;
  };

  return {
    vendor,
    async json(model, body, options) {
      const sent = send(body, options);
      try {
        const received = await bodyOf(sent);
        if (!succeeded(sent)) throw failure(model, sent, received);
        return reply(model, sent, received);
      } catch (error) {
        sent.giveBack();
        throw error;
      } finally {
        if (options.memory === null) sent.giveBack();
      }
    },
    async events(model, body, options) {
      const sent = send(body, options);
      await sent.head();
      const whole = () => bodyOf(sent).finally(() => sent.giveBack());
      if (!succeeded(sent)) throw failure(model, sent, await whole());
      const type = String(sent.headers['content-type'] ?? '');
      if (!/^(?:text\/html|application\/json)\b/i.test(type)) return sent;
      // Some vendors announce an error with 200 and tell it in the body.
      const parsed = reply(model, sent, await whole());
      throw invalidReply(vendor, 'a whole reply in place of a stream', parsed);
    },
    close: () => pool.close(),
  };
}

/** The body, or nothing when it breaks off in a reply whose status says enough. */
async function bodyOf(sent: VendorRequest): Promise<Buffer> {
  try {
    return await sent.body();
  } catch (error) {
    if (sent.aborted || sent.status === 0 || succeeded(sent)) throw error;
    return Buffer.alloc(0);
  }
}

function succeeded({ status }: VendorRequest): boolean {
  return status >= 200 && status < 300;
}

function parse(vendor: Vendor, sent: VendorRequest, body: Buffer): unknown {
  const text = body.toString();
  const tooDeep = isTooDeep(text);
  try {
    if (isUtf8(body) && !tooDeep) return JSON.parse(text);
  } catch {
    // Told below, like text that is not UTF-8.
  }
  const type = sent.headers['content-type'] ?? 'no content type';
  const what = tooDeep ? 'a reply that is nested too deeply' : 'a reply that is not valid JSON';
  throw invalidReply(vendor, what, `${type}: ${text.slice(0, 20_000)}`);
}
