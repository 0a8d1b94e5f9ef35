import type { AiCall, AiFeatureList, AiResult, AiStreamEvent } from '../../../generated/types.gen.ts';
import { fieldError, type ServiceError } from '../../contract/errors.ts';
import { ulid } from '../../lib/ids.ts';
import { isDeeperThan } from '../../lib/json.ts';
import type { CallContext, ModelGateway, Served } from '../../model/port.ts';
import { sandboxId } from '../../model/usage.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import type { MeteredRequest } from '../../tenants/metering/demand.ts';
import { admit, type Meter } from '../../tenants/metering/meter.ts';
import { maxTokensOf, nothingSpent, type Spent, usageView } from '../../tenants/metering/spent.ts';
import { type Catalogue, type Feature, listedFeature } from './catalogue.ts';
import type { Engine, FeatureDeclaration } from './declaration.ts';

import type { LocalThread } from './local/thread.ts';
import {
  askModel,
  firstCall,
  howToConfigure,
  type ModelCall,
  modelRequired,
  streamFromModel,
} from './model-engine.ts';
import type { Fields } from './task.ts';

/** A call that has been checked, with its engine and input. */
interface PreparedFeature {
  readonly feature: Feature;
  readonly engine: Engine;
  readonly input: Fields;
  /** The call of a model; null for the local engine. */
  readonly call: ModelCall | null;
}

/** Deeper JSON could not be written down again: that takes a level of the stack for each of its own. */
const deepestInput = 64;

/** A call of a feature, and whose it is. */
type FeatureContext = MeteredRequest & CallContext;

interface FeatureServiceParts {
  readonly catalogue: Catalogue;
  readonly models: ModelGateway;
  readonly admissions: Admissions;
  readonly local: LocalThread;
  /** Address under which clients reach this server, without a slash at the end. */
  readonly publicUrl: string;
}

/** Carries AI features out: for clients, each call admitted and accounted for once, and for other parts without that. */
export class FeatureService {
  readonly #parts: FeatureServiceParts;
  #catalogue: Catalogue;

  constructor(parts: FeatureServiceParts) {
    this.#parts = parts;
    this.#catalogue = parts.catalogue;
  }

  /** Every feature that there is; another list once they are exchanged. */
  get all(): readonly Feature[] {
    return this.#catalogue.all;
  }

  /** The operator's declarations; another list once they are exchanged. */
  get declared(): readonly FeatureDeclaration[] {
    return this.#catalogue.declared;
  }

  /** Has others take the place of all features, for calls that begin from now on. */
  exchange(catalogue: Catalogue): void {
    this.#catalogue = catalogue;
  }

  /** The list of `GET /v1/ai`. */
  list(): AiFeatureList {
    const { models, publicUrl } = this.#parts;
    const data = this.all.map((feature) => {
      const { engine, lacksModel } = defaultEngine(feature, models);
      return listedFeature(feature, engine, lacksModel ? howToConfigure : null, publicUrl);
    });
    return { object: 'list', data };
  }

  /** Answers a client's call. Throws `ServiceError`. */
  async answer(id: string, request: AiCall, context: FeatureContext): Promise<AiResult> {
    const prepared = await this.prepare(id, request);
    const meter = await this.#admit(prepared, context);
    const spent = nothingSpent();
    try {
      const { output, served, repaired } = await this.execute(prepared, meter.watch(context), spent);
      await meter.succeeded({ ...spent, served, finishReason: served === null ? null : 'stop' });
      return {
        ...headOf(prepared, served),
        output,
        repaired,
        usage: spent.usage && usageView(spent.usage),
      };
    } catch (thrown) {
      await meter.failed(thrown, spent);
      throw thrown;
    }
  }

  /**
   * Answers a client's call as a stream: one `start`, `delta`s, one `end`. Throws `ServiceError` before the first event;
   * a failure after it is thrown by the iteration, in place of `end`.
   */
  async stream(id: string, request: AiCall, context: FeatureContext): Promise<AsyncIterable<AiStreamEvent>> {
    const prepared = await this.prepare(id, request);
    const meter = await this.#admit(prepared, context);
    const spent = nothingSpent();
    try {
      if (prepared.call === null) {
        const { output } = await this.execute(prepared, meter.watch(context), spent);
        meter.answering();
        return events(prepared, null, once(textOf(prepared, output), output), meter, spent);
      }
      const text = await streamFromModel(this.#parts.models, prepared.call, meter.watch(context), spent);
      meter.answering();
      return events(prepared, text.served, text.pieces(), meter, spent);
    } catch (thrown) {
      await meter.failed(thrown, spent);
      throw thrown;
    }
  }

  /**
   * Checks a call and finds what is to answer it; defaults are filled into its input. Throws `not_found`,
   * `invalid_request`, `model_not_found` or `model_required`, and has used up nothing by then.
   */
  async prepare(id: string, call: AiCall): Promise<PreparedFeature> {
    return this.prepareFeature(this.#catalogue.find(id), call);
  }

  /** The same of a feature that has been found, and may have been exchanged since. */
  async prepareFeature(
    feature: Feature,
    { input, engine: asked, model, stream = false }: AiCall,
  ): Promise<PreparedFeature> {
    const { id, textOutput, maxTokens } = feature.declaration;
    if (isDeeperThan(input, deepestInput)) {
      throw wrong('input', `may have at most ${deepestInput} levels of objects and lists in each other`);
    }
    await feature.checkInput(input);
    if (stream && textOutput === null) {
      throw wrong('stream', `is for features whose output is a text, which ${id} is not`);
    }
    const engine = chooseEngine(feature, { asked, model }, this.#parts.models);
    if (engine === 'local') return { feature, engine, input, call: null };
    const { temperature } = feature;
    const task = await feature.task(input);
    const call = { feature: id, task, model: model ?? feature.model, temperature, maxTokens };
    return { feature, engine, input, call };
  }

  /**
   * Carries a prepared call out, without admission: for a request that has been admitted already. The usage of its calls of
   * models goes to `spent`, also when it throws. `served` is the model that answered last; null: the local engine.
   */
  async execute({ feature, input, call }: PreparedFeature, context: CallContext, spent: Spent) {
    if (call !== null) return askModel(this.#parts.models, call, context, spent);
    const { id } = feature.declaration;
    const outcome = await this.#parts.local.run(id, input, context.signal);
    if ('modelRequired' in outcome) {
      throw modelRequired(id, `as the local engine ${outcome.modelRequired}`);
    }
    return { output: outcome.output, served: null, repaired: false };
  }

  #admit({ call }: PreparedFeature, context: FeatureContext): Promise<Meter> {
    return admit(this.#parts.admissions, context, {
      model: call?.model ?? null,
      callsNone: !call,
      tokens: call && (() => maxTokensOf(firstCall(call))),
    });
  }
}

function headOf({ feature, engine }: PreparedFeature, served: Served | null) {
  return {
    id: `ai-${ulid()}`,
    feature: feature.declaration.id,
    engine,
    model: served?.model ?? null,
    provider: served?.provider ?? null,
    warnings: [...(served?.warnings ?? [])],
  };
}

async function* events(
  prepared: PreparedFeature,
  served: Served | null,
  pieces: AsyncGenerator<string, Fields>,
  meter: Meter,
  spent: Spent,
): AsyncIterable<AiStreamEvent> {
  let failure: unknown = null;
  let ended = false;
  try {
    yield { type: 'start', ...headOf(prepared, served) };
    let next = await pieces.next();
    for (; next.done !== true; next = await pieces.next()) yield { type: 'delta', content: next.value };
    ended = true;
    await meter.succeeded({ ...spent, served, finishReason: served === null ? null : 'stop' });
    yield { type: 'end', output: next.value, usage: spent.usage && usageView(spent.usage) };
  } catch (thrown) {
    failure = thrown;
    throw thrown;
  } finally {
    // Also when the reader has left or was given up.
    await pieces.return({});
    if (!ended) {
      if (failure === null) meter.cancelled(spent);
      else await meter.failed(failure, spent);
    }
  }
}

async function* once(text: string, output: Fields): AsyncGenerator<string, Fields> {
  yield text;
  return output;
}

function textOf({ feature }: PreparedFeature, output: Fields): string {
  return String(output[feature.declaration.textOutput ?? ''] ?? '');
}

interface Asked {
  readonly asked: Engine | undefined;
  readonly model: string | undefined;
}

/** Throws `invalid_request`, `model_not_found`, or `model_required` when only a model could answer and there is none. */
function chooseEngine(feature: Feature, { asked, model }: Asked, models: ModelGateway): Engine {
  const { id, engines } = feature.declaration;
  const wanted = asked ?? (model === undefined ? null : 'model');
  if (wanted === null) {
    const { engine } = defaultEngine(feature, models);
    if (engine === null) throw modelRequired(id, 'and no provider is configured');
    return engine;
  }
  if (!engines.includes(wanted)) throw wrong('engine', `must be one of ${engines.join(', ')} for ${id}`);
  if (wanted === 'local') return 'local';
  // The sandbox's own names play failures, so that clients can test how they take them.
  const plays = model?.startsWith(`${sandboxId}/`) === true;
  const provider = models.providerOf(model ?? feature.model);
  if (provider === sandboxId && !plays) throw modelRequired(id, 'and no provider is configured');
  return 'model';
}

/** The engine of a call that names none; `engine` is null while none is available. */
function defaultEngine(
  { declaration: { engines }, model }: Feature,
  models: ModelGateway,
): { readonly engine: Engine | null; readonly lacksModel: boolean } {
  const lacksModel = engines.includes('model') && models.providerOf(model) === sandboxId;
  const able = engines.filter((engine) => engine === 'local' || !lacksModel);
  return { engine: able[0] ?? null, lacksModel };
}

function wrong(path: string, message: string): ServiceError {
  return fieldError(path, 'option', message);
}
