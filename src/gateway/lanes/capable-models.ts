import { ServiceError } from '../../contract/errors.ts';
import type { LaneGateway, Prepare, PreparedAsk } from '../routing/lanes.ts';

/** Refusals by a model's abilities, as against errors of a request that no model would take. */
const refusals = new WeakSet<ServiceError>();

/** Marks an error as one that another model may not make. */
export function refusal(error: ServiceError): ServiceError {
  refusals.add(error);
  return error;
}

/**
 * A refusal, with the models of this server that the request can be sent to; any other error as it is. It takes as long as
 * preparing the request for one model of each provider.
 */
export function withThoseWhoCan(
  thrown: unknown,
  models: LaneGateway,
  prepare: Prepare<PreparedAsk<unknown>>,
): unknown {
  if (!(thrown instanceof ServiceError) || !refusals.has(thrown)) return thrown;
  const able = models.ableTo(prepare);
  if (able.length === 0) return thrown;
  const message = `${thrown.message.replace(/\.?$/, '.')} Models here that can be asked this: ${able.join(', ')}.`;
  return new ServiceError(thrown.code, message, {
    ...(thrown.param !== null && { param: thrown.param }),
    details: thrown.details,
    cause: thrown,
  });
}
