import type { VendorObjects } from '../../background/vendor-objects/vendor-objects.ts';
import type { DryTokens } from '../../contract/dry-run.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { WireCall, WireReply } from '../../contract/wire-operations.ts';
import { estimatePromptTokens } from '../../lib/tokens.ts';
import { activeTracer } from '../../lib/trace.ts';
import type { ServerTimeLimits } from '../../model/port.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import type { TokenBound } from '../../tenants/metering/budget-needs.ts';
import { admit, nothingDelivered } from '../../tenants/metering/meter.ts';
import { unstatedMaxTokens } from '../../tenants/metering/spent.ts';
import type { LaneGateway, Prepare, PreparedAsk } from '../routing/lanes.ts';
import { vendorSaid } from '../upstream/native-reply.ts';
import { type Affinity, sessionOf } from './affinity.ts';
import { withThoseWhoCan } from './capable-models.ts';
import type { GenerationWire } from './generation-wires.ts';
import { type NativeResult, nativeReply, prepareNative } from './native-lane.ts';
import {
  type Generation,
  prepareTranslated,
  type TranslatedResult,
  translatedReply,
} from './translated-lane.ts';
import { keepingOf } from './vendor-responses.ts';
import { type WireContext, wireTimeLimits } from './wire-context.ts';
import { isUnderstood } from './wire-conventions.ts';

/** Maximum of what is reserved for answers, in tokens: more than any model makes, and what the store can add up as costs. */
const mostReserved = 2 ** 40;
const bytesPerToken = 4;

export interface GenerationParts {
  readonly models: LaneGateway;
  readonly admissions: Admissions;
  readonly affinity: Affinity;
  readonly objects: VendorObjects;
  readonly timeLimits: ServerTimeLimits;
}

/**
 * Answers a request for an answer of a model, on whichever interface it came. Where the provider that the model leads to speaks
 * the client's wire, the body goes on as it is, with the model's name exchanged, and the answer comes back as bytes; else both
 * are translated. Every request passes the limits of its tenant first and is accounted for, however it ends.
 * Throws `ServiceError`.
 */
export async function generate(
  { models, admissions, affinity, objects, timeLimits }: GenerationParts,
  wire: GenerationWire,
  call: WireCall,
  context: WireContext,
): Promise<WireReply> {
  const model = wire.modelIn(call);
  const keeping = wire.speaks === 'gemini' ? null : await keepingOf(objects, wire.speaks, call, context);
  const generation: Generation = {
    wire,
    call,
    model,
    streaming: wire.streaming(call),
    bound: wire.wire.bound(call.body),
    read: remembered(() => wire.wire.read(call.body)),
    context,
    keeping,
    thinking: affinity.thinking,
  };
  const session = sessionOf(context, model, call.body);
  const prepare: Prepare<PreparedAsk<NativeResult | TranslatedResult>> = (provider, target) =>
    provider.speaks.includes(wire.speaks) && !wire.unservedAt?.(target.model)
      ? prepareNative(provider, target.model, generation)
      : prepareTranslated(provider, target, generation);
  const meter = await admit(admissions, context, {
    model,
    tokens: () => tokensOf(generation),
    // Anthropic's names a person, each a value of its own.
    metadata: wire.speaks.startsWith('openai') ? call.body['metadata'] : null,
    estimate: () => estimateOf(generation),
  });
  try {
    const asked = await models.ask(model, prepare, {
      ...meter.watch(context),
      limits: wireTimeLimits(context, timeLimits),
      preferred: affinity.bound(session),
      pinned: keeping?.pinned,
      ...(activeTracer() && { asked: { streaming: generation.streaming } }),
    });
    affinity.bind(session, asked.provider);
    const { result } = asked;
    return result.lane === 'native'
      ? await nativeReply({ ...asked, result }, generation, meter)
      : await translatedReply({ ...asked, result }, generation, meter);
  } catch (thrown) {
    if (!context.dryRun) affinity.release(session);
    await meter.failed(thrown, nothingDelivered);
    const said = vendorSaid(thrown);
    if (said === null || !isUnderstood(wire.speaks, said, thrown))
      throw withThoseWhoCan(thrown, models, prepare);
    return said;
  }
}

/** An upper bound of what a request may use. */
async function tokensOf(generation: Generation): Promise<TokenBound> {
  const { prompt, maxCompletion } = await estimateOf(generation);
  return { prompt, answer: maxCompletion ?? answersOf(generation, unstatedMaxTokens) };
}

/** The same for a dry run: without a maximum where the request sets none. */
async function estimateOf(generation: Generation): Promise<DryTokens> {
  const { maxTokens } = generation.bound;
  const maxCompletion = maxTokens === undefined ? null : answersOf(generation, maxTokens);
  return { prompt: await promptOf(generation), maxCompletion };
}

function answersOf({ bound }: Generation, each: number): number {
  return Math.min(each * bound.answers, mostReserved);
}

async function promptOf({ call, read, bound: { promptIds = 0 } }: Generation): Promise<number> {
  try {
    return await estimatePromptTokens(read().call);
  } catch (error) {
    // A provider that speaks the wire may well take what we cannot read.
    if (error instanceof ServiceError)
      return Math.max(promptIds, Math.ceil(call.bytes.length / bytesPerToken));
    throw error;
  }
}

function remembered<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
