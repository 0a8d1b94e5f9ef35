import type { VendorObjects } from '../../background/vendor-objects/vendor-objects.ts';
import type { WireCall, WireReply } from '../../contract/wire-operations.ts';
import { activeTracer } from '../../lib/trace.ts';
import type { ServerTimeLimits } from '../../model/port.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import { admit, nothingDelivered } from '../../tenants/metering/meter.ts';
import type { LaneGateway, Prepare, PreparedAsk } from '../routing/lanes.ts';
import { vendorSaid } from '../upstream/native-reply.ts';
import { type Affinity, sessionOf } from './affinity.ts';
import { withThoseWhoCan } from './capable-models.ts';
import type { GenerationWire } from './generation-wires.ts';
import { type NativeResult, nativeReply, prepareNative } from './native-lane.ts';
import { wireTimeLimits } from './time-limits.ts';
import type { Generation } from './translated-lane.ts';
import {
  estimateOf,
  prepareTranslated,
  type TranslatedResult,
  tokensOf,
  translatedReply,
} from './translated-lane.ts';
import { keepingOf } from './vendor-responses.ts';
import type { WireContext } from './wire-context.ts';
import { isUnderstood } from './wire-conventions.ts';

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

function remembered<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
