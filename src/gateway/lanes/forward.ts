import type { ModerationCreateResponse } from 'openai/resources/moderations';
import { ServiceError } from '../../contract/errors.ts';
import type { WireCall, WireReply } from '../../contract/wire-operations.ts';
import type { AnswerEnding } from '../../lib/gen-ai-conventions.ts';
import { ulid } from '../../lib/ids.ts';
import { estimateTokens } from '../../lib/tokens.ts';
import type { VendorWire } from '../../model/parts.ts';
import type { Ability, ServerTimeLimits, VendorUsage } from '../../model/port.ts';
import { sandboxId, tokenUsage } from '../../model/usage.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import type { Demand } from '../../tenants/metering/demand.ts';
import { admit, type Delivered, type Meter, nothingDelivered } from '../../tenants/metering/meter.ts';
import type { Target } from '../routing/catalogue.ts';
import type { Asked, LaneGateway, Prepare, PreparedAsk } from '../routing/lanes.ts';
import type { Provider } from '../routing/provider.ts';
import { moderate } from '../sandbox/media/moderate.ts';
import type { NativeReader } from '../upstream/native.ts';
import { type Pieces, vendorSaid, wholeReply } from '../upstream/native-reply.ts';
import type { ProviderError } from '../upstream/provider-error.ts';
import { readModerationInput, textsOf } from '../wires/openai-media/read.ts';
import { type Lane, laneHeaders } from './lane-headers.ts';
import { changedBody, type ModelNaming, namedInBody, nativeCall } from './native-call.ts';
import { type WireContext, wireTimeLimits } from './wire-context.ts';

/** The outcome of a request that is answered as a whole. */
export interface Forwarded {
  readonly lane: Lane;
  readonly mediaType: string;
  readonly body: Buffer | string;
  /** Null if it was not counted. */
  readonly usage: VendorUsage;
  /** Whether the vendor has counted, or we have. */
  readonly counted: 'provider' | 'estimated';
}

/** A request that asks for one thing and is answered as a whole: vectors, a picture, a judgement. */
export interface ForwardWire {
  readonly ability: Ability;
  /** The wires whose vendors take it as it is; any will do. */
  readonly speaks: readonly VendorWire[];
  /** Where it is at such a vendor. */
  suffix(model: string): string;
  readonly modelNaming: ModelNaming;
  modelIn(call: WireCall): string;
  /** An upper bound of the tokens that it may use. */
  tokens(call: WireCall): number | Promise<number>;
  /** The tokens that a vendor reports in its reply. */
  usage(body: Buffer): VendorUsage;
  /** The same from any other vendor, or from the sandbox. Throws `ServiceError` for one that has nothing of the kind. */
  elsewhere(provider: Provider, target: Target, call: WireCall): PreparedAsk<Forwarded>;
}

export interface ForwardParts {
  readonly models: LaneGateway;
  readonly admissions: Admissions;
  readonly timeLimits: ServerTimeLimits;
}

/** Answers such a request. Throws `ServiceError`. */
export function forward(
  parts: ForwardParts,
  wire: ForwardWire,
  call: WireCall,
  context: WireContext,
): Promise<WireReply> {
  return asking<Forwarded>(parts, context, {
    ability: wire.ability,
    demand: {
      model: wire.modelIn(call),
      tokens: () => wire.tokens(call),
      estimate: async () => ({ prompt: await wire.tokens(call), maxCompletion: 0 }),
    },
    prepare(provider, target) {
      const { connection, endpoint, speaks } = provider;
      const spoken = wire.speaks.find((one) => speaks.includes(one));
      if (spoken === undefined) return wire.elsewhere(provider, target, call);
      if (connection === null) throw new Error('The sandbox speaks no wire.');
      const { model } = target;
      const sent = nativeCall(endpoint(spoken), context, {
        suffix: wire.suffix(model),
        model,
        body: changedBody(call.bytes, wire.modelNaming(call, model)),
      });
      return {
        warnings: [],
        async send(options) {
          const native = { call: sent, model, reader: unread };
          const { mediaType, body } = await wholeReply(connection, native, options);
          return { lane: 'native', mediaType, body, usage: wire.usage(body), counted: 'provider' };
        },
      };
    },
    async reply(asked, meter) {
      asked.succeeded();
      const { lane, mediaType, body, usage, counted } = asked.result;
      const tokens = usage && { tokens: usage, source: counted };
      await meter.succeeded({ served: asked, usage: tokens, finishReason: null });
      return { status: 200, mediaType, headers: laneHeaders(asked, lane), body };
    },
  });
}

interface Asking<Result> {
  readonly ability: Ability;
  readonly demand: Demand;
  readonly prepare: Prepare<PreparedAsk<Result>>;
  readonly reply: (asked: Asked<Result>, meter: Meter) => Promise<WireReply>;
}

/**
 * Answers a request that passes the limits of its tenant first and is accounted for, however it ends. A vendor's refusal is
 * the reply, in the vendor's own words. Throws `ServiceError`.
 */
export async function asking<Result>(
  { models, admissions, timeLimits }: ForwardParts,
  context: WireContext,
  { ability, demand, prepare, reply }: Asking<Result>,
): Promise<WireReply> {
  const meter = await admit(admissions, context, demand);
  try {
    const limits = wireTimeLimits(context, timeLimits);
    const asked = await models.ask(demand.model, prepare, { ...meter.watch(context), ability, limits });
    return await reply(asked, meter);
  } catch (thrown) {
    await meter.failed(thrown, nothingDelivered);
    const said = vendorSaid(thrown);
    if (said === null) throw thrown;
    return said;
  }
}

/** How a reply that goes out in pieces is accounted for. */
interface Account {
  readonly meter: Meter;
  readonly deliver: () => Promise<Delivered>;
  /** The failure that the vendor has reported by then. */
  readonly failure: () => ProviderError | null;
  /** How the answer ended, if its pieces were read. */
  readonly ending?: () => AnswerEnding;
  /** Runs before a piece goes out. */
  readonly before?: () => Promise<void> | undefined;
}

/** The pieces of a reply, of which the last goes out when the request is settled. */
export async function* settled<Bytes extends Buffer | string>(
  asked: Asked<unknown>,
  pieces: Pieces<{ readonly bytes: Bytes; readonly last: boolean }>,
  { meter, deliver, failure, ending, before }: Account,
): AsyncGenerator<Bytes, undefined> {
  let over = false;
  let thrown: unknown = null;
  const end = async () => {
    over = true;
    const refused = failure();
    if (refused === null) asked.succeeded(ending?.());
    else asked.ended(refused);
    if (refused === null) await meter.succeeded(await deliver());
    else await meter.failed(refused, await deliver());
  };
  try {
    for await (const { bytes, last } of pieces) {
      const first = before?.();
      if (first) await first;
      if (last && !over) await end();
      yield bytes;
    }
    if (!over) await end();
    return undefined;
  } catch (error) {
    thrown = asked.signal.aborted ? asked.signal.reason : error;
    throw thrown;
  } finally {
    // Also when the reader has disconnected.
    if (!over) {
      asked.ended(thrown ?? new Error('The reader of the reply closed it.'));
      const what = await deliver();
      if (thrown === null) meter.cancelled(what);
      else await meter.failed(thrown, what);
    }
    await pieces.return(undefined);
  }
}

/** There is nothing to read along: the reply is whole, and may not even be JSON. */
export const unread: NativeReader = {
  whole: () => undefined,
  event: () => true,
  over: false,
  summary: {
    usage: null,
    endReason: null,
    complete: false,
    failure: null,
    id: null,
    characters: 0,
    uncounted: 0,
  },
};

/** OpenAI's default where no model is named. */
const defaultModel = 'omni-moderation-latest';
const bytesPerToken = 4;

function modelIn({ body }: WireCall): string {
  const { model } = body;
  return typeof model === 'string' && model !== '' ? model : defaultModel;
}

function elsewhere({ id }: Provider, { model }: Target, call: WireCall): PreparedAsk<Forwarded> {
  if (id !== sandboxId) {
    const message = `The provider ${JSON.stringify(id)} of the model ${JSON.stringify(model)} has no moderations; providers that speak OpenAI's interface may, with models such as ${defaultModel}, and the model "sandbox" has.`;
    throw new ServiceError('invalid_request', message, { param: 'model' });
  }
  const input = readModerationInput(call.body);
  return {
    warnings: [
      {
        code: 'sandbox_made_up',
        message: 'Nothing was judged: the sandbox flags text that contains `sandbox:flag:` and a category.',
        param: 'input',
      },
    ],
    async send() {
      const reply: ModerationCreateResponse = {
        id: `modr-${ulid()}`,
        model: modelIn(call),
        results: moderate(input),
      };
      return {
        lane: 'translated',
        mediaType: 'application/json',
        body: JSON.stringify(reply),
        usage: tokenUsage({ inputUncached: await estimateTokens(textsOf(input).join('\n')) }),
        counted: 'estimated',
      };
    },
  };
}

/** Moderations, which OpenAI counts no tokens of. */
export const moderationWire: ForwardWire = {
  ability: 'moderations',
  speaks: ['openai-chat', 'openai-responses'],
  suffix: () => '/moderations',
  modelNaming: namedInBody,
  modelIn,
  tokens: ({ bytes }) => Math.ceil(bytes.length / bytesPerToken),
  usage: () => null,
  elsewhere,
};
