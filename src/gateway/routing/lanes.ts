import type { Warning } from '../../../generated/types.gen.ts';
import type { AnswerEnding } from '../../lib/gen-ai-conventions.ts';
import type { CallContext, ModelGateway, SendOptions, Served } from '../../model/port.ts';
import type { Target } from './catalogue.ts';
import type { ProviderCheck } from './discovery/check-provider.ts';
import type { Provider } from './provider.ts';

/** A request in the terms of one vendor. It may be sent more than once, and throws as `PreparedCall` does. */
export interface PreparedAsk<Result> {
  readonly warnings: readonly Warning[];
  send(options: SendOptions): Promise<Result>;
}

/** Says a request in the terms of a vendor. Throws `ServiceError` for what that one cannot be asked. */
export type Prepare<Prepared> = (provider: Provider, target: Target) => Prepared;

/** The result of a request. The caller reports how it ended, once; until then its signal can stop it. */
export interface Asked<Result> extends Served {
  readonly result: Result;
  /** Aborted when the client goes away and when the deadline passes. */
  readonly signal: AbortSignal;
  /** @param ending how the answer ended, if it was read */
  succeeded(ending?: AnswerEnding | null): void;
  ended(thrown: unknown): void;
}

/** The models, also for requests that are said in a vendor's own terms. */
export interface LaneGateway extends ModelGateway {
  /**
   * The same for a request that is not in our own terms: `prepare` says it in those of each vendor that is tried, and throws
   * `ServiceError` for what that one cannot be asked.
   */
  ask<Result>(
    name: string | null,
    prepare: Prepare<PreparedAsk<Result>>,
    context: CallContext,
  ): Promise<Asked<Result>>;
  /** The models that a request can be prepared for: of each of the first few providers the first one, as `list` names them. */
  ableTo(prepare: Prepare<unknown>): readonly string[];
  /** Asks every configured provider for its models. Never rejects. */
  checkProviders(): Promise<readonly ProviderCheck[]>;
  /** A configured provider, or the sandbox, by its id; null: there is none. */
  provider(id: string): Provider | null;
  /** All of them, as the operator has them, the sandbox last. */
  providers(): readonly Provider[];
}
