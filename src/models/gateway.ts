import { ByteBudget } from '../lib/byte-budget.ts';
import { createAnthropicAdapter } from './anthropic/adapter.ts';
import { type Answer, firstAnswer, type Provider } from './attempts.ts';
import { Breakers } from './breaker.ts';
import { createCatalogue } from './catalogue.ts';
import { createOpenAiAdapter } from './openai/adapter.ts';
import {
  type CallContext,
  type ModelGateway,
  type PreparedCall,
  type SendOptions,
  sandboxId,
  type UnroutedCall,
} from './port.ts';
import { createRequestScope, type RequestScope } from './request-scope.ts';
import { createSandboxAdapter } from './sandbox/adapter.ts';
import type { ModelsSettings } from './settings.ts';
import { watchStream } from './watched-stream.ts';

const unbounded = new ByteBudget(Number.POSITIVE_INFINITY);

/**
 * Throws `Error` with a message for the operator when the settings contradict themselves.
 * @param budget for the answers of vendors that are in memory
 */
export function createModelGateway(settings: ModelsSettings, budget = unbounded): ModelGateway {
  const catalogue = createCatalogue(settings);
  const { timeLimits, maxAttempts } = settings;
  const providers = new Map<string, Provider>();
  providers.set(sandboxId, { adapter: createSandboxAdapter(), breakers: new Breakers() });
  for (const provider of settings.providers) {
    const createAdapter = provider.wire === 'anthropic' ? createAnthropicAdapter : createOpenAiAdapter;
    providers.set(provider.id, {
      adapter: createAdapter(provider, timeLimits, budget),
      breakers: new Breakers(),
    });
  }

  async function run<Result>(
    name: string | null,
    call: UnroutedCall,
    { signal, onAttempt, limits }: CallContext,
    send: (prepared: PreparedCall, signal: AbortSignal) => Promise<Result>,
  ): Promise<{ readonly answer: Answer<Result>; readonly scope: RequestScope }> {
    signal.throwIfAborted();
    const route = catalogue.resolve(name ?? catalogue.defaultModel);
    const scope = createRequestScope(signal, (limits ?? timeLimits).total);
    try {
      return {
        answer: await firstAnswer({ route, call, scope, providers, maxAttempts, onAttempt, send }),
        scope,
      };
    } catch (error) {
      scope.release();
      throw error;
    }
  }

  return {
    defaultModel: catalogue.defaultModel,
    providerOf: (name) => catalogue.resolve(name ?? catalogue.defaultModel).targets[0].provider,
    async complete(name, call, context) {
      const { answer, scope } = await run(name, call, context, (prepared, signal) =>
        prepared.complete(sendOptions(context, signal)),
      );
      scope.release();
      answer.attempt.succeeded();
      const { provider, model, warnings, result } = answer;
      return { provider, model, warnings, completion: result };
    },
    async stream(name, call, context) {
      const { answer, scope } = await run(name, call, context, (prepared, signal) =>
        prepared.stream(sendOptions(context, signal)),
      );
      const { provider, model, warnings, result, attempt } = answer;
      return { provider, model, warnings, events: watchStream(result, scope, attempt) };
    },
    list: catalogue.list,
    async close() {
      await Promise.all([...providers.values()].map(({ adapter }) => adapter.close()));
    },
  };
}

function sendOptions({ memory, limits }: CallContext, signal: AbortSignal): SendOptions {
  return { signal, memory: memory ?? null, limits: limits ?? null };
}
