import type { WireCall, WireReply } from '../../contract/wire-operations.ts';
import type { VendorWire } from '../../model/parts.ts';
import type { Ability, ServerTimeLimits, VendorUsage } from '../../model/port.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import { admit, nothingDelivered } from '../../tenants/metering/meter.ts';
import type { Target } from '../routing/catalogue.ts';
import type { LaneGateway, PreparedAsk } from '../routing/lanes.ts';
import type { Provider } from '../routing/provider.ts';
import type { NativeReader } from '../upstream/native.ts';
import { vendorSaid, wholeReply } from '../upstream/native-reply.ts';
import { type Lane, laneHeaders } from './lane-headers.ts';
import { changedBody, type ModelNaming, nativeCall } from './native-call.ts';
import { wireTimeLimits } from './time-limits.ts';
import type { WireContext } from './wire-context.ts';

/** What came of a request that is answered as a whole. */
export interface Forwarded {
  readonly lane: Lane;
  readonly mediaType: string;
  readonly body: Buffer | string;
  /** Null where nobody has counted. */
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
  /** The tokens that a vendor tells in its reply. */
  usage(body: Buffer): VendorUsage;
  /** The same from any other vendor, or from the sandbox. Throws `ServiceError` for one that has nothing of the kind. */
  elsewhere(provider: Provider, target: Target, call: WireCall): PreparedAsk<Forwarded>;
}

export interface ForwardParts {
  readonly models: LaneGateway;
  readonly admissions: Admissions;
  readonly timeLimits: ServerTimeLimits;
}

/** Answers such a request. It passes the limits of its tenant first and is accounted for, however it ends. Throws `ServiceError`. */
export async function forward(
  { models, admissions, timeLimits }: ForwardParts,
  wire: ForwardWire,
  call: WireCall,
  context: WireContext,
): Promise<WireReply> {
  const model = wire.modelIn(call);
  const meter = await admit(admissions, context, {
    model,
    tokens: () => wire.tokens(call),
    estimate: async () => ({ prompt: await wire.tokens(call), maxCompletion: 0 }),
  });
  try {
    const asked = await models.ask<Forwarded>(
      model,
      (provider, target) => {
        const spoken = wire.speaks.find((spoken) => provider.speaks.includes(spoken));
        return spoken === undefined
          ? wire.elsewhere(provider, target, call)
          : asItIs(provider, spoken, target.model, { wire, call, context });
      },
      {
        ...meter.watch(context),
        ability: wire.ability,
        limits: wireTimeLimits(context, timeLimits),
      },
    );
    asked.succeeded();
    const { lane, mediaType, body, usage, counted } = asked.result;
    await meter.succeeded({
      served: asked,
      usage: usage && { tokens: usage, source: counted },
      finishReason: null,
    });
    return { status: 200, mediaType, headers: laneHeaders(asked, lane), body };
  } catch (thrown) {
    await meter.failed(thrown, nothingDelivered);
    const said = vendorSaid(thrown);
    if (said === null) throw thrown;
    return said;
  }
}

interface Request {
  readonly wire: ForwardWire;
  readonly call: WireCall;
  readonly context: WireContext;
}

function asItIs(
  { connection, endpoint }: Provider,
  spoken: VendorWire,
  model: string,
  { wire, call, context }: Request,
): PreparedAsk<Forwarded> {
  if (connection === null) throw new Error('The sandbox speaks no wire.');
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
}

/** There is nothing to read along: the reply is whole, and may not even be JSON. */
export const unread: NativeReader = {
  whole: () => undefined,
  event: () => true,
  over: false,
  told: {
    usage: null,
    endReason: null,
    complete: false,
    failure: null,
    id: null,
    characters: 0,
    uncounted: 0,
  },
};
