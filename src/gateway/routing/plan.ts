import { type DryRun, DryRunOver, type DryTarget } from '../../contract/dry-run.ts';
import { type ServiceError, toServiceError } from '../../contract/errors.ts';
import type { Provider } from './attempts.ts';
import type { Route, Target } from './catalogue.ts';
import { mayFallBack, mostTelling } from './retry.ts';

/**
 * Goes through the targets of a request as if each that can be asked failed, without asking any: what they would be sent is made
 * and thrown away. Throws `DryRunOver`; where none can be asked the refusal is what `firstAnswer` would throw.
 */
export function plan<P extends Provider>(
  dryRun: DryRun,
  route: Route,
  providers: ReadonlyMap<string, P>,
  prepare: (provider: P, target: Target) => Pick<DryTarget, 'warnings'>,
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
