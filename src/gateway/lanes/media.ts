import { ServiceError } from '../../contract/errors.ts';
import type { WireCall, WireReply } from '../../contract/wire-operations.ts';
import { estimateTokens } from '../../lib/tokens.ts';
import type { Ability, SendOptions } from '../../model/port.ts';
import { sandboxId, tokenUsage } from '../../model/usage.ts';
import type { Delivered, Meter } from '../../tenants/metering/meter.ts';
import type { Target } from '../routing/catalogue.ts';
import type { Asked, PreparedAsk } from '../routing/lanes.ts';
import type { Provider } from '../routing/provider.ts';
import { MediaReader } from '../wires/openai-media/vendor-native.ts';
import { writeForm } from '../wires/openai-media/write-form.ts';
import { type PassedReply, passedReply } from '../wires/passed-reply.ts';
import { asking, type ForwardParts, settled } from './forward.ts';
import { laneHeaders } from './lane-headers.ts';
import { changedBody, type NativeRequest, namedInBody, nativeCall } from './native-call.ts';
import type { MadeMedia } from './sandbox-media.ts';
import type { WireContext } from './wire-context.ts';

/** A request of OpenAI's interface for pictures, sound or text out of sound. */
export interface MediaWire {
  /** Where it is at a vendor that speaks OpenAI's interface. */
  readonly suffix: string;
  /** The model where the client has named none; null: it must. */
  readonly defaultModel: string | null;
  readonly ability: Ability;
  /** Who can do it, for those whose model's provider cannot. */
  readonly able: string;
  /** The most tokens that the output may have, to set aside of budgets; left out if unknown. */
  readonly madeTokens?: (call: WireCall) => number;
  /** Checks that need no vendor. Throws `ServiceError`. */
  check(call: WireCall): void;
  /** The sandbox's answer in place of a model. Throws `ServiceError`. */
  inSandbox(call: WireCall, options: SendOptions): Promise<MadeMedia>;
}

type MediaResult =
  | { readonly lane: 'native'; readonly reply: PassedReply }
  | { readonly lane: 'translated'; readonly made: MadeMedia };

const charactersPerToken = 4;
const spoken = ['openai-chat', 'openai-responses'] as const;

/**
 * Answers a request for pictures, sound or text out of sound: by a vendor that speaks OpenAI's interface, whose reply goes on as it
 * comes, or by the sandbox. It passes the limits of its tenant first and is accounted for, however it ends. Throws `ServiceError`.
 */
export async function makeMedia(
  parts: ForwardParts,
  wire: MediaWire,
  call: WireCall,
  context: WireContext,
): Promise<WireReply> {
  wire.check(call);
  return asking<MediaResult>(parts, context, {
    ability: wire.ability,
    demand: {
      model: modelOf(wire, call),
      tokens: () => Math.ceil(promptOf(call).length / charactersPerToken),
      madeTokens: () => wire.madeTokens?.(call) ?? 0,
    },
    prepare: (provider, target) => prepare(provider, target, wire, call, context),
    reply: (asked, meter) => replyOf(asked, call, meter),
  });
}

function modelOf({ defaultModel }: MediaWire, { body }: WireCall): string {
  const { model } = body;
  if (typeof model === 'string' && model !== '') return model;
  if (defaultModel !== null) return defaultModel;
  throw new ServiceError('invalid_request', 'model is required.', { param: 'model' });
}

/** The texts of a request that a model would read. */
function promptOf({ body }: WireCall): string {
  return [body['prompt'], body['input'], body['instructions']]
    .filter((text) => typeof text === 'string')
    .join('\n');
}

function prepare(
  { id, connection, speaks, endpoint }: Provider,
  { model }: Target,
  wire: MediaWire,
  call: WireCall,
  context: WireContext,
): PreparedAsk<MediaResult> {
  if (id === sandboxId)
    return {
      warnings: [],
      send: async (options) => ({ lane: 'translated', made: await wire.inSandbox(call, options) }),
    };
  const spoke = spoken.find((name) => speaks.includes(name));
  if (connection === null || spoke === undefined) {
    const message = `The provider ${JSON.stringify(id)} of the model ${JSON.stringify(model)} has no ${wire.suffix.slice(1)}; providers that speak OpenAI's interface may, with models such as ${wire.able}, and the model "sandbox" has.`;
    throw new ServiceError('invalid_request', message, { param: 'model' });
  }
  const at = endpoint(spoke);
  const write = bodyFor(call, model);
  return {
    warnings: [],
    async send(options) {
      const reader = new MediaReader(connection.vendor, model, Math.max(1, Number(call.body['n'] ?? 1) || 1));
      const sent = nativeCall(at, context, { suffix: wire.suffix, model, ...write() });
      return { lane: 'native', reply: await passedReply(connection, { call: sent, model, reader }, options) };
    },
  };
}

/** The client's body with the vendor's name of the model, once for each attempt. */
function bodyFor(call: WireCall, model: string): () => Pick<NativeRequest, 'body' | 'bodyHeaders'> {
  const accept = { accept: '*/*' };
  if (call.form) {
    const { contentType, length, stream } = writeForm(call.form, { model });
    const bodyHeaders = { ...accept, 'content-type': contentType, 'content-length': String(length) };
    return () => ({ body: stream(), bodyHeaders });
  }
  const body = changedBody(call.bytes, namedInBody(call, model));
  return () => ({ body, bodyHeaders: accept });
}

async function replyOf(asked: Asked<MediaResult>, call: WireCall, meter: Meter): Promise<WireReply> {
  const { result } = asked;
  if (result.lane === 'native') {
    meter.answering();
    const { reply } = result;
    const deliver = async (): Promise<Delivered> => {
      const usage = reply.usage();
      return { served: asked, usage: usage && { tokens: usage, source: 'provider' }, finishReason: null };
    };
    return {
      mediaType: reply.mediaType,
      opaque: !reply.events,
      headers: laneHeaders(asked, 'native'),
      chunks: settled(asked, reply.pieces, { meter, deliver, failure: reply.failure }),
    };
  }
  const { made } = result;
  const served = { ...asked, warnings: [...asked.warnings, ...made.warnings] };
  const deliver = async (): Promise<Delivered> => ({
    served,
    usage: {
      tokens: tokenUsage({ inputUncached: await estimateTokens(promptOf(call)) }),
      source: 'estimated',
    },
    finishReason: null,
  });
  const headers = laneHeaders(served, 'translated');
  if ('body' in made) {
    asked.succeeded();
    await meter.succeeded(await deliver());
    return { status: 200, mediaType: made.mediaType, headers, body: made.body };
  }
  meter.answering();
  return {
    mediaType: made.mediaType,
    opaque: made.mediaType !== 'text/event-stream',
    headers,
    chunks: settled(asked, withLast(made.chunks), { meter, deliver, failure: () => null }),
  };
}

interface Piece {
  readonly bytes: Buffer | string;
  readonly last: boolean;
}

async function* withLast(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<Piece, undefined> {
  let held: Buffer | string | null = null;
  for await (const chunk of chunks) {
    if (held !== null) yield { bytes: held, last: false };
    held = chunk;
  }
  yield { bytes: held ?? '', last: true };
}
