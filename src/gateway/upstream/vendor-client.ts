import { isUtf8 } from 'node:buffer';
import { parseAnswer } from '../../lib/exact-json.ts';
import { isTooDeep } from '../../lib/json-depth.ts';
import type { Completion, CompletionStream, SendOptions } from '../../model/port.ts';
import { openCompletionStream, type StreamDecoder } from './completion-stream.ts';
import { type Connection, vendorHeaders } from './connection.ts';
import type { Endpoint } from './endpoints.ts';
import { isWhole } from './reply-form.ts';
import { invalidReply, type Vendor } from './vendor.ts';
import { errorIn, errorOfObject, errorOfReply } from './vendor-errors.ts';
import type { VendorRequest } from './vendor-request.ts';
import { wholeStream } from './whole-stream.ts';

/** Maximum of an error reply that is looked at, in bytes. */
const maxErrorLength = 1024 * 1024;

/** How a wire's answers are read. */
export interface Reading {
  readonly decoder: StreamDecoder;
  /** Reads a whole reply. Throws `ProviderError` when it holds no answer. */
  whole(reply: unknown): Completion;
}

/** One vendor's address for completions. Every method throws `ProviderError`, `buffers_full`, or the signal's reason. */
export interface VendorClient {
  readonly vendor: Vendor;
  /** Posts the body and returns the parsed reply, which has a 2xx status and is no error object. */
  json(model: string, body: string, options: SendOptions): Promise<unknown>;
  /** Posts the body and gives the answer as it comes, also where the vendor sends it as a whole. */
  stream(model: string, body: string, options: SendOptions, reading: Reading): Promise<CompletionStream>;
}

/**
 * What is posted on a vendor's connections to one place of one of its wires.
 * @param suffix of its path, such as `/chat/completions`, for a model, and whether its answer is to be streamed
 */
export function createVendorClient(
  connection: Connection,
  endpoint: Endpoint,
  suffix: (model: string, streamed: boolean) => string,
): VendorClient {
  const { vendor } = connection;
  const headers = vendorHeaders(endpoint.headers);
  const send = (model: string, streamed: boolean, body: string, options: SendOptions) => {
    const path = endpoint.path(suffix(model, streamed), model);
    return connection.send({ method: 'POST', path, headers, body }, options);
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
      const sent = send(model, false, body, options);
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
    async stream(model, body, options, reading) {
      const sent = send(model, true, body, options);
      await sent.head();
      const whole = () => bodyOf(sent).finally(() => sent.giveBack());
      if (!succeeded(sent)) throw failure(model, sent, await whole());
      if (!(await isWhole(sent))) return openCompletionStream(sent, reading.decoder, vendor);
      return wholeStream(reading.whole(reply(model, sent, await whole())));
    },
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
    if (isUtf8(body) && !tooDeep) return parseAnswer(text);
  } catch {
    // Told below, like text that is not UTF-8.
  }
  const type = sent.headers['content-type'] ?? 'no content type';
  const what = tooDeep ? 'a reply that is nested too deeply' : 'a reply that is not valid JSON';
  throw invalidReply(vendor, what, `${type}: ${text.slice(0, 20_000)}`);
}
