import { type DryRun, DryRunOver, type DryTarget } from '../../contract/dry-run.ts';
import { ServiceError, toServiceError } from '../../contract/errors.ts';
import { ByteBudget } from '../../lib/byte-budget.ts';
import type { AnswerEnding } from '../../lib/gen-ai-conventions.ts';
import { activeTracer } from '../../lib/trace.ts';
import type { CallContext, PreparedCall, SendOptions, TimeLimits, UnroutedCall } from '../../model/port.ts';
import { sandboxId } from '../../model/usage.ts';
import type { ModelsSettings } from '../upstream/settings.ts';
import { type Answer, type AttemptScope, firstAnswer, RequestScope } from './attempts.ts';
import { createCatalogue, type Route, type Target } from './catalogue.ts';
import { Discovery } from './discovery/discovered-models.ts';
import type { LaneGateway, Prepare } from './lanes.ts';
import { createProvider, createSandbox, type Provider, wireTaking } from './provider.ts';
import { mayFallBack, mostTelling } from './retry.ts';
import { tellContents } from './span-contents.ts';
import { watchStream } from './watched-stream.ts';

/** Of the providers, how many are looked at for one that takes what another cannot. */
const maxProvidersTried = 8;

const unbounded = new ByteBudget(Number.POSITIVE_INFINITY);

/** The models under one set of settings. */
export interface ModelGateway extends LaneGateway {
  /** Those that have begun and are not over. */
  readonly calls: number;
}

/**
 * Throws `Error` with a message for the operator when the settings contradict themselves.
 * @param budget for the answers of vendors that are in memory
 * @param onCallOver called at the end of each call
 */
export function createModelGateway(
  settings: ModelsSettings,
  budget = unbounded,
  onCallOver?: () => void,
): ModelGateway {
  const catalogue = createCatalogue(settings, () => discovery.current);
  const discovery = new Discovery(settings.providers);
  const { timeLimits, maxAttempts } = settings;
  const sandbox = createSandbox();
  const providers = new Map<string, Provider>([[sandboxId, sandbox]]);
  for (const provider of settings.providers)
    providers.set(provider.id, createProvider(provider, timeLimits, budget, settings.proxy));

  let calls = 0;
  const onRelease = () => {
    calls -= 1;
    onCallOver?.();
  };

  function run<Result>(
    name: string | null,
    context: CallContext,
    prepare: (
      provider: Provider,
      target: Target,
    ) => { warnings: PreparedCall['warnings']; send(attempt: AttemptScope): Promise<Result> },
  ): Promise<Answer<Result>> {
    const { signal, onAttempt, limits, preferred, pinned, dryRun, asked } = context;
    signal.throwIfAborted();
    const route = catalogue.resolve(name ?? catalogue.defaultModel);
    const planned = pinned === undefined ? preferring(route, preferred) : pinnedTo(route, pinned);
    if (dryRun) return plan(dryRun, planned, providers, prepare);
    calls += 1;
    return firstAnswer({
      route: planned,
      scope: new RequestScope(signal, (limits ?? timeLimits).total, onRelease),
      providers,
      maxAttempts,
      onAttempt,
      asking: { ability: context.ability ?? 'answers', of: context.tenant ?? null },
      asked,
      prepare,
    });
  }

  /** A call in our own terms, sent in the first of the wires that the vendor speaks in which it can be said. */
  const calling =
    <Result>(call: UnroutedCall, send: (prepared: PreparedCall, attempt: AttemptScope) => Promise<Result>) =>
    (provider: Provider, { model, temperatureRange }: Target) => {
      const wire = wireTaking(provider, model, call, providers.values());
      const prepared = provider.adapter(wire).prepare({ ...call, model, temperatureRange });
      return {
        warnings: prepared.warnings,
        send: (attempt: AttemptScope) => send(prepared, attempt),
      };
    };

  function takes(name: string, prepare: Prepare<unknown>): boolean {
    const [target] = catalogue.resolve(name).targets;
    const provider = providers.get(target.provider);
    try {
      return provider !== undefined && prepare(provider, target) !== null;
    } catch {
      return false;
    }
  }

  return {
    get calls() {
      return calls;
    },
    defaultModel: catalogue.defaultModel,
    targetsOf: (name) => catalogue.resolve(name ?? catalogue.defaultModel).targets,
    canonicalOf: (name) => catalogue.canonicalOf(name ?? catalogue.defaultModel),
    providerOf: (name) => catalogue.resolve(name ?? catalogue.defaultModel).targets[0].provider,
    async complete(name, call, context) {
      const { provider, model, warnings, result, attempt, scope } = await run(
        name,
        asking(call, context, false),
        calling(call, (prepared, { signal, patienceMs }) => {
          const options = sendOptions(context, signal);
          return prepared.complete({ ...options, limits: patient(context.limits ?? timeLimits, patienceMs) });
        }),
      );
      scope.release();
      if (attempt.span) tellContents(attempt.span, call, result.parts);
      attempt.succeeded(result);
      return { provider, model, warnings, completion: result };
    },
    async stream(name, call, context) {
      const { provider, model, warnings, result, attempt, scope } = await run(
        name,
        asking(call, context, true),
        calling(call, (prepared, { signal }) => prepared.stream(sendOptions(context, signal))),
      );
      if (attempt.span) tellContents(attempt.span, call, null);
      return { provider, model, warnings, events: watchStream(result, scope, attempt) };
    },
    async ask(name, prepare, context) {
      const { provider, model, warnings, result, attempt, scope } = await run(
        name,
        context,
        (asked, target) => {
          const prepared = prepare(asked, target);
          return {
            warnings: prepared.warnings,
            send: ({ signal }) => prepared.send(sendOptions(context, signal)),
          };
        },
      );
      let over = false;
      const end = (thrown: unknown, ending: AnswerEnding | null = null) => {
        if (over) return;
        over = true;
        scope.release();
        if (thrown === null) attempt.succeeded(ending);
        else attempt.ended(thrown);
      };
      return {
        provider,
        model,
        warnings,
        result,
        signal: scope.signal,
        succeeded: (ending) => end(null, ending),
        ended: end,
      };
    },
    ableTo(prepare) {
      const { data } = catalogue.list(discovery.current);
      return settings.providers.slice(0, maxProvidersTried).flatMap(({ id }) => {
        const name = data.find(({ provider }) => provider === id)?.id;
        return name !== undefined && takes(name, prepare) ? [name] : [];
      });
    },
    providers: () => [...[...providers.values()].slice(1), sandbox],
    provider: (id) => providers.get(id) ?? null,
    checkProviders: async () => (await import('./discovery/check-provider.ts')).checkProviders(settings),
    refresh: () => discovery.refresh(),
    list: () => catalogue.list(discovery.current),
    find: catalogue.find,
    async close() {
      await Promise.all([...providers.values()].map(({ connection }) => connection?.close()));
    },
  };
}

/** The attributes of a call for spans, where there are any. */
function asking(call: UnroutedCall, context: CallContext, streaming: boolean): CallContext {
  if (activeTracer() === null) return context;
  const { maxTokens, temperature, topP } = call;
  return { ...context, asked: { streaming, maxTokens, temperature, topP } };
}

/** With the provider first that a client's session is bound to, if it is among those of the route. */
function preferring<R extends { targets: readonly [Target, ...Target[]] }>(
  route: R,
  preferred: string | undefined,
): R {
  const [first] = route.targets;
  if (preferred === undefined || first.provider === preferred) return route;
  const bound = route.targets.find(({ provider }) => provider === preferred);
  if (!bound) return route;
  return { ...route, targets: [bound, ...route.targets.filter((target) => target !== bound)] };
}

/** With nothing but the provider that a request is bound to. Throws `invalid_request` where the model does not lead to it. */
function pinnedTo<R extends { targets: readonly [Target, ...Target[]] }>(route: R, pinned: string): R {
  const [first, ...others] = route.targets.filter(({ provider }) => provider === pinned);
  if (first) return { ...route, targets: [first, ...others] };
  const { model } = route.targets[0];
  const message = `The request continues from something stored at the provider ${JSON.stringify(pinned)}, which does not serve the model ${JSON.stringify(model)}.`;
  throw new ServiceError('invalid_request', message, { param: 'model' });
}

/** So that it is the silence that is named, not the time that is over a moment later. */
const spareMs = 1000;

/**
 * A whole answer comes only when the model has finished, and models think for minutes. The last target may take all of the
 * request's time.
 */
function patient(limits: TimeLimits, patienceMs: number): TimeLimits {
  const firstByte = Math.floor((patienceMs - spareMs) / 1000) * 1000;
  return firstByte > limits.firstByte ? { ...limits, firstByte } : limits;
}

function sendOptions({ memory, limits }: CallContext, signal: AbortSignal): SendOptions {
  return { signal, memory: memory ?? null, limits: limits ?? null };
}

/**
 * Goes through the targets of a request as if each that can be asked failed, without asking any: their requests are made
 * and thrown away. Throws `DryRunOver`; where none can be asked, the refusal that `firstAnswer` would throw.
 */
function plan(
  dryRun: DryRun,
  route: Route,
  providers: ReadonlyMap<string, Provider>,
  prepare: (provider: Provider, target: Target) => Pick<DryTarget, 'warnings'>,
): never {
  const failures: ServiceError[] = [];
  const targets: DryTarget[] = [];
  dryRun.targets = targets;
  for (const target of route.targets) {
    const { provider: id, model } = target;
    const provider = providers.get(id);
    if (!provider) throw new Error(`There is no adapter for the provider "${id}".`);
    try {
      const { warnings } = prepare(provider, target);
      targets.push({ provider: id, model, warnings: [...route.warnings, ...warnings], error: null });
    } catch (thrown) {
      const error = toServiceError(thrown);
      failures.push(error);
      targets.push({ provider: id, model, warnings: [], error });
      if (!mayFallBack(error)) break;
    }
  }
  if (failures.length === targets.length) throw mostTelling(failures);
  throw new DryRunOver();
}
