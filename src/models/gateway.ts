import type { ModelList } from '../../generated/types.gen.ts';
import { createAnthropicAdapter } from './anthropic/adapter.ts';
import { type Answer, type ChatCall, firstAnswer, type Provider } from './attempts.ts';
import { createBreaker } from './breaker.ts';
import { createCatalogue } from './catalogue.ts';
import { createOpenAiAdapter } from './openai/adapter.ts';
import type { Attempt, Completion, CompletionStream, PreparedCall } from './port.ts';
import { createRequestScope, type RequestScope } from './request-scope.ts';
import { createSandboxAdapter } from './sandbox/adapter.ts';
import { sandboxId } from './sandbox/models.ts';
import type { ModelsSettings } from './settings.ts';
import { watchStream } from './watched-stream.ts';

export interface CallContext {
  /** Aborted when the client goes away; everything stops at once, and what is thrown is its reason. */
  readonly signal: AbortSignal;
  /** Told of each attempt when it is over. Must not throw. */
  readonly onAttempt?: (attempt: Attempt) => void;
}

export type CompletedCall = Pick<Answer<never>, 'provider' | 'model' | 'warnings'> & {
  readonly completion: Completion;
};

export type StreamedCall = Pick<Answer<never>, 'provider' | 'model' | 'warnings'> & {
  readonly events: CompletionStream;
};

/**
 * Models under their names, whoever serves them. Calls go through routing, retries, fallbacks and breakers; they throw
 * `ServiceError`, or the reason of the client's signal. A null name is the default model.
 */
export interface ModelGateway {
  readonly defaultModel: string;
  complete(name: string | null, call: ChatCall, context: CallContext): Promise<CompletedCall>;
  /**
   * Resolves with the first event at hand; until then retries and fallbacks happen unnoticed, afterwards a failure is
   * thrown by `events`, exactly once, and what came before it stands. Who stops reading early must call `return`.
   */
  stream(name: string | null, call: ChatCall, context: CallContext): Promise<StreamedCall>;
  /** What `GET /v1/models` shows. */
  list(): ModelList;
  /** Takes no new calls, and resolves when the running ones are done and the connections closed. */
  close(): Promise<void>;
}

/** Throws `Error` with a message for the operator when the settings contradict themselves. */
export function createModelGateway(settings: ModelsSettings): ModelGateway {
  const catalogue = createCatalogue(settings);
  const { timeLimits, maxAttempts } = settings;
  const providers = new Map<string, Provider>();
  providers.set(sandboxId, { adapter: createSandboxAdapter(), breaker: createBreaker() });
  for (const provider of settings.providers) {
    const createAdapter = provider.wire === 'anthropic' ? createAnthropicAdapter : createOpenAiAdapter;
    providers.set(provider.id, { adapter: createAdapter(provider, timeLimits), breaker: createBreaker() });
  }

  async function run<Result>(
    name: string | null,
    call: ChatCall,
    { signal, onAttempt }: CallContext,
    send: (prepared: PreparedCall, signal: AbortSignal) => Promise<Result>,
  ): Promise<{ readonly answer: Answer<Result>; readonly scope: RequestScope }> {
    signal.throwIfAborted();
    const route = catalogue.resolve(name ?? catalogue.defaultModel);
    const scope = createRequestScope(signal, timeLimits.total);
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
    async complete(name, call, context) {
      const { answer, scope } = await run(name, call, context, (prepared, signal) =>
        prepared.complete(signal),
      );
      scope.release();
      answer.attempt.succeeded();
      const { provider, model, warnings, result } = answer;
      return { provider, model, warnings, completion: result };
    },
    async stream(name, call, context) {
      const { answer, scope } = await run(name, call, context, (prepared, signal) => prepared.stream(signal));
      const { provider, model, warnings, result, attempt } = answer;
      return { provider, model, warnings, events: watchStream(result, scope, attempt) };
    },
    list: catalogue.list,
    async close() {
      await Promise.all([...providers.values()].map(({ adapter }) => adapter.close()));
    },
  };
}
