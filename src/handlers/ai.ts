import { featureOperations } from '../../generated/features.gen.ts';
import type { AiCall, AiStreamCall } from '../../generated/types.gen.ts';
import type { Scope } from '../contract/registry.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import type { FeatureService } from '../services/features/service.ts';
import { contextOf } from './chat.ts';
import { ok } from './replies.ts';

type FeatureOperation = keyof typeof featureOperations;

/** Feature -> the operation that it has of its own, for those that are built in. */
const operationOf = new Map<string, string>(
  Object.entries(featureOperations).map(([operation, id]) => [id, operation]),
);

/** One handler for every feature: the general operation, and the one that each built-in feature has of its own. */
export function aiHandlers(features: FeatureService) {
  const use = async (id: string, call: AiCall, scope: Scope) =>
    ok(await features.answer(id, call, noted(id, scope)));
  const own = Object.entries(featureOperations).map(([operation, id]) => [
    operation,
    ({ body }: { readonly body: AiCall }, scope: Scope) => use(id, body, scope),
  ]);
  const stream = async (id: string, call: AiStreamCall, scope: Scope) => {
    const events = await features.stream(id, { ...call, stream: true }, noted(id, scope));
    return { status: 200, events } as const;
  };
  return {
    listFeatures: async () => ok(features.list()),
    useFeature: ({ path, body }, scope) => use(path.feature_id, body, scope),
    streamFeature: ({ path, body }, scope) => stream(path.feature_id, body, scope),
    // The validators of each operation's feature check its input and output.
    ...(Object.fromEntries(own) as unknown as Pick<Handlers, FeatureOperation>),
  } satisfies Partial<Handlers>;
}

/** In the ledger a call stands under the operation of its feature, in whatever form it is answered. */
function noted(id: string, scope: Scope) {
  scope.note('feature', id);
  return contextOf(scope, operationOf.get(id) ?? 'useFeature');
}
