import { featureOperations } from '../../generated/features.gen.ts';
import type { AiCall, AiStreamEvent } from '../../generated/types.gen.ts';
import { callerOf } from '../accounts/caller.ts';
import type { Handlers, Scope } from '../contract/registry.ts';
import type { FeatureService } from '../features/service.ts';
import type { Attempt } from '../models/port.ts';

type FeatureOperation = keyof typeof featureOperations;

/** One handler for every feature: the general operation, and the one that each built-in feature has of its own. */
export function aiHandlers(features: FeatureService) {
  const use = async (id: string, operation: string, call: AiCall, scope: Scope) => {
    const attempts: Attempt[] = [];
    scope.note('feature', id);
    scope.note('attempts', attempts);
    const context = {
      caller: callerOf(scope.principal),
      requestId: scope.requestId,
      operation,
      signal: scope.signal,
      memory: scope.memory,
      setHeaders: scope.setHeaders,
      onAttempt: (attempt: Attempt) => attempts.push(attempt),
    };
    if (!call.stream) return { status: 200, body: await features.answer(id, call, context) } as const;
    return { status: 200, events: closed(await features.stream(id, call, context), scope) } as const;
  };
  const own = Object.entries(featureOperations).map(([operation, id]) => [
    operation,
    ({ body }: { readonly body: AiCall }, scope: Scope) => use(id, operation, body, scope),
  ]);
  return {
    listFeatures: async () => ({ status: 200, body: features.list() }),
    useFeature: ({ path, body }, scope) => use(path.feature_id, 'useFeature', body, scope),
    // What each operation takes and gives is what its feature's validators let through.
    ...(Object.fromEntries(own) as unknown as Pick<Handlers, FeatureOperation>),
  } satisfies Partial<Handlers>;
}

/** Gives a stream that breaks off its terminal event. */
async function* closed(events: AsyncIterable<AiStreamEvent>, scope: Scope): AsyncIterable<AiStreamEvent> {
  try {
    yield* events;
  } catch (thrown) {
    yield { type: 'error', error: scope.describe(thrown) };
  }
}
