import type { ErrorCode } from '../../../generated/types.gen.ts';

/** What a failure of a vendor means for the request, for its attempts and for the breaker. */
export interface Verdict {
  readonly code: ErrorCode;
  /** Whether asking the same vendor again may help. */
  readonly retry: boolean;
  /** Whether the vendor is out of order, which counts for the breaker. */
  readonly outage: boolean;
  /** Whether the prompt does not fit into the model's context. */
  readonly tooLong?: true;
  /** What the client reads. `said` is the vendor's own message, redacted; only a rejection may quote it. */
  readonly message: (provider: string, model: string, said: string) => string;
}

/** The same however often it is asked. */
const lasting = (code: ErrorCode, message: Verdict['message']) => ({
  code,
  retry: false,
  outage: false,
  message,
});
const passing = (code: ErrorCode, message: Verdict['message']) => ({
  code,
  retry: true,
  outage: false,
  message,
});
const outage = (code: ErrorCode, message: Verdict['message']) => ({
  code,
  retry: true,
  outage: true,
  message,
});

const refused = lasting(
  'provider_rejected',
  (provider, _, said) => `The provider ${provider} refused the request: ${said}`,
);

export const verdicts = {
  /** The request is at fault. */
  rejected: refused,
  /** The model or its server has nothing of the kind: asked again, or in another form, it says the same. */
  cannot: refused,
  tooLong: { ...refused, tooLong: true },
  credentials: lasting(
    'provider_credentials_refused',
    (provider) => `The provider ${provider} refused the credentials of this server.`,
  ),
  accountEmpty: lasting(
    'provider_credentials_refused',
    (provider) => `The account of this server at the provider ${provider} has no credit left.`,
  ),
  /** Not for want of a key. The reason, such as a country or a model, may name the operator's account. */
  forbidden: lasting(
    'provider_credentials_refused',
    (provider) =>
      `The provider ${provider} does not allow this server what was asked for; the server's log has its reason.`,
  ),
  unknownModel: lasting(
    'model_not_found',
    (provider, model) => `The provider ${provider} has no model ${model}, or not for this server.`,
  ),
  rateLimited: passing(
    'provider_rate_limited',
    (provider) => `The provider ${provider} limits how often this server may call it.`,
  ),
  quotaSpent: lasting(
    'provider_rate_limited',
    (provider) => `The quota of this server at the provider ${provider} is spent.`,
  ),
  failed: outage('provider_error', (provider) => `The provider ${provider} failed to answer.`),
  /** It could not serve this request now, which says nothing about the next one. */
  hindered: passing(
    'provider_error',
    (provider) => `The provider ${provider} could not serve the request at this moment.`,
  ),
  /** Mostly a wrong base URL. */
  misunderstood: lasting(
    'provider_error',
    (provider) => `The provider ${provider} does not understand this server.`,
  ),
  overloaded: outage('provider_overloaded', (provider) => `The provider ${provider} is overloaded.`),
} as const satisfies Record<string, Verdict>;

export type VerdictName = keyof typeof verdicts;
