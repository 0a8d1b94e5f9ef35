import type { Warning } from '../../generated/types.gen.ts';
import { ServiceError } from './errors.ts';
import type { LimitState } from './limit-state.ts';

/** The header by which a client asks what its request would come to, and by which the report is known. */
export const dryRunHeader = 'x-switchyard-dry-run';

/** A model that the request would be sent to, in the order in which they would be tried. */
export interface DryTarget {
  readonly provider: string;
  /** The provider's own name of it. */
  readonly model: string;
  /** The adaptations that would be made. */
  readonly warnings: readonly Warning[];
  /** Why this one cannot be asked; null: it can. */
  readonly error: ServiceError | null;
}

/** The tokens of a request as far as they are known before it is sent. */
export interface DryTokens {
  readonly prompt: number;
  /** Maximum tokens of the answer; null: the request names none, and the model's own holds. */
  readonly maxCompletion: number | null;
}

/**
 * A request that goes its whole way but for what costs or counts: it is checked, held against the limits and routed, and what is
 * found out is gathered here. Nothing is admitted, written or sent.
 */
export class DryRun {
  /** The model as the client named it; null where none was, or where the request did not come that far. */
  model: string | null = null;
  tokens: DryTokens | null = null;
  /** Whether what the contract says of the request has been found to hold. */
  checked = false;
  limits: LimitState = [];
  targets: readonly DryTarget[] = [];
  readonly #refusals: ServiceError[] = [];

  /** The refusals that the request would meet; its client would see the first. */
  get refusals(): readonly ServiceError[] {
    return this.#refusals;
  }

  refuse(error: ServiceError): void {
    this.#refusals.push(error);
  }
}

/** Ends a request on a dry run where it would have been sent. */
export class DryRunOver extends Error {
  constructor() {
    super('The dry run has come to where the request would be sent.');
  }
}

/** Whether the header asks for a dry run. Throws `invalid_request` for anything but `true` and `false`. */
export function asksForDryRun(header: string | readonly string[] | undefined): boolean {
  if (header === undefined || header === 'false') return false;
  if (header === 'true') return true;
  throw new ServiceError('invalid_request', `The header ${dryRunHeader} must be true or false.`);
}
