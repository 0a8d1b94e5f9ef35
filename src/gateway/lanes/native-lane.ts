import { ServiceError } from '../../contract/errors.ts';
import type { WireReply } from '../../contract/wire-operations.ts';
import { estimatePromptTokens } from '../../lib/tokens.ts';
import type { Completion } from '../../model/port.ts';
import { tokenUsage } from '../../model/usage.ts';
import type { Delivered, Meter } from '../../tenants/metering/meter.ts';
import type { Asked, PreparedAsk } from '../routing/lanes.ts';
import type { Provider } from '../routing/provider.ts';
import { askingForUsage } from '../upstream/completion-stream.ts';
import type { NativeReader } from '../upstream/native.ts';
import { type Pieces, type StreamedReply, streamedReply, wholeReply } from '../upstream/native-reply.ts';
import { invalidReply, parseJson, type Vendor } from '../upstream/vendor.ts';
import { wholeStream } from '../upstream/whole-stream.ts';
import { settled } from './forward.ts';
import { laneHeaders } from './lane-headers.ts';
import { type BodyChanges, changedBody, nativeCall } from './native-call.ts';
import { thinkingRemoved } from './other-vendor-reasoning.ts';
import type { Generation, TranslatedResult } from './translated-lane.ts';

/** An answer as its vendor gave it. */
export type NativeResult = { readonly lane: 'native'; readonly reader: NativeReader } & (
  | { readonly mediaType: string; readonly body: Buffer }
  | { readonly pieces: Pieces }
);

/** Estimates tokens that were not counted: a character of text is about a quarter of one. */
const charactersPerToken = 4;

/** The client's request for a vendor that speaks its wire: the same bytes, but for the model's name and the credentials. */
export function prepareNative(
  provider: Provider,
  model: string,
  generation: Generation,
): PreparedAsk<NativeResult | TranslatedResult> {
  const { wire, call, streaming, context, keeping } = generation;
  const { connection } = provider;
  if (connection === null) throw new Error('The sandbox speaks no wire.');
  keeping?.check();
  const cleaned = wire.withoutForeignThinking(call, provider.dialect(wire.speaks)(model));
  const asks = wire.asksToo(call);
  const sentWith = (more: BodyChanges) => {
    const changed = changedBody(call.bytes, {
      ...cleaned?.changes,
      ...wire.modelNaming(call, model),
      ...more,
    });
    return nativeCall(provider.endpoint(wire.speaks), context, {
      suffix: wire.suffix(model, streaming),
      model,
      // The changes were made to the client's body, in which files have our ids.
      body: keeping ? keeping.withVendorIds(changed) : changed,
      turn: call.turn,
    });
  };
  return {
    warnings: cleaned?.removed ? [thinkingRemoved] : [],
    async send(options) {
      const reader = wire.reader(connection.vendor, model, call);
      const stream = (more: BodyChanges) =>
        streamedReply(connection, { call: sentWith(more), model, reader }, options);
      if (streaming) {
        const reply =
          'stream_options' in asks
            ? await askingForUsage(connection, model, (asking) => stream(asking ? asks : {}))
            : await stream(asks);
        return streamedResult(reply, reader, (body) =>
          readWhole(provider.adapter, connection.vendor, model, generation, body),
        );
      }
      const whole = await wholeReply(connection, { call: sentWith(asks), model, reader }, options);
      return { lane: 'native', reader, mediaType: whole.mediaType, body: whole.body };
    },
  };
}

function streamedResult(
  reply: StreamedReply,
  reader: NativeReader,
  read: (body: Buffer) => Completion,
): NativeResult | TranslatedResult {
  if ('pieces' in reply) return { lane: 'native', reader, pieces: reply.pieces };
  // Its client cannot read this, so it is written again as the stream that it has asked for.
  return { lane: 'translated', events: wholeStream(read(reply.body)) };
}

function readWhole(
  adapter: Provider['adapter'],
  vendor: Vendor,
  model: string,
  { wire, read }: Generation,
  body: Buffer,
): Completion {
  const completion = adapter(wire.speaks).read(model, parseJson(vendor, body.toString(), 'a reply'));
  try {
    read();
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    // The vendor took what we cannot read.
    throw invalidReply(vendor, 'a whole reply in place of a stream', cause);
  }
  return completion;
}

/** The answer for the client, settled before its last byte goes out. */
export async function nativeReply(
  asked: Asked<NativeResult>,
  generation: Generation,
  meter: Meter,
): Promise<WireReply> {
  const { result } = asked;
  const headers = laneHeaders(asked, 'native');
  if ('pieces' in result) {
    meter.answering();
    const { pieces, reader } = result;
    const { keeping } = generation;
    const chunks = settled(asked, pieces, {
      meter,
      deliver: () => delivered(asked, reader, generation),
      failure: () => reader.summary.failure,
      ending: () => reader.summary,
      ...(keeping && { before: () => keeping.record(reader, asked) }),
    });
    return {
      mediaType: generation.wire.streamType(),
      headers,
      ...generation.wire.reframed(chunks),
    };
  }
  asked.succeeded(result.reader.summary);
  const what = await delivered(asked, result.reader, generation);
  await meter.delivering(what, () => generation.keeping?.record(result.reader, asked));
  await meter.succeeded(what);
  return { status: 200, mediaType: result.mediaType, headers, body: result.body };
}

async function delivered(
  asked: Asked<NativeResult>,
  reader: NativeReader,
  { read }: Generation,
): Promise<Delivered> {
  const { usage: reported, endReason, characters, uncounted } = reader.summary;
  if (reported !== null && uncounted === 0)
    return { served: asked, usage: { tokens: reported, source: 'provider' }, finishReason: endReason };
  if (reported === null && characters === 0 && endReason === null) return { served: asked, usage: null };
  const before = reported ?? tokenUsage({ inputUncached: await promptTokens(read) });
  // The text after the vendor's last count, all of it if the client left in the middle, was generated as well.
  const output = before.output + Math.ceil(uncounted / charactersPerToken);
  return {
    served: asked,
    usage: { tokens: { ...before, output }, source: 'estimated' },
    finishReason: endReason,
  };
}

async function promptTokens(read: Generation['read']): Promise<number> {
  try {
    return await estimatePromptTokens(read().call);
  } catch {
    // The vendor took what we cannot read.
    return 0;
  }
}
