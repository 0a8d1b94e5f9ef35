import { ServiceError } from '../../contract/errors.ts';
import { type ModelGateway, sandboxId } from '../../model/port.ts';
import type { Feature } from './catalogue.ts';
import type { Engine } from './declaration.ts';
import { modelRequired } from './model-engine.ts';

/** What a call says about who is to answer it. */
export interface Asked {
  readonly asked: Engine | undefined;
  readonly model: string | undefined;
}

/** Throws `invalid_request`, `model_not_found`, or `model_required` when only a model could answer and there is none. */
export function chooseEngine(feature: Feature, { asked, model }: Asked, models: ModelGateway): Engine {
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

/** What answers a call that asks for nothing; `engine` is null while nothing can. */
export function defaultEngine(
  { declaration: { engines }, model }: Feature,
  models: ModelGateway,
): { readonly engine: Engine | null; readonly lacksModel: boolean } {
  const lacksModel = engines.includes('model') && models.providerOf(model) === sandboxId;
  const able = engines.filter((engine) => engine === 'local' || !lacksModel);
  return { engine: able[0] ?? null, lacksModel };
}

function wrong(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `${path} ${message}.`, {
    details: [{ path, code: 'option', message }],
  });
}
