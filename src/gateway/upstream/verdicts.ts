import type { ErrorCode } from '../../../generated/types.gen.ts';
import { tableFile } from '../../lib/yaml-file.ts';

/** The consequences of a vendor's failure for the request, for its attempts and for the breaker. */
export interface Verdict {
  readonly code: ErrorCode;
  /** Whether asking the same vendor again may help. */
  readonly retry: boolean;
  /** Whether the vendor is out of order, which counts for the breaker. */
  readonly outage: boolean;
  /** Whether the prompt does not fit into the model's context. */
  readonly tooLong?: true;
  /** The message for the client. SAID is the vendor's own message, redacted; only a rejection may quote it. */
  readonly message: string;
}

const saying =
  (retry: boolean, outage: boolean) =>
  (code: ErrorCode, message: string): Verdict => ({ code, retry, outage, message });
/** The same however often it is asked. */
const lasting = saying(false, false);
const passing = saying(true, false);
const outage = saying(true, true);

const refused = lasting('provider_rejected', 'The provider PROVIDER refused the request: SAID');

export const verdicts = {
  /** The request is at fault. */
  rejected: refused,
  /** The model or its server has nothing of the kind: asked again, or in another form, it says the same. */
  cannot: refused,
  tooLong: { ...refused, tooLong: true },
  credentials: lasting(
    'provider_credentials_refused',
    'The provider PROVIDER refused the credentials of this server.',
  ),
  accountEmpty: lasting(
    'provider_credentials_refused',
    'The account of this server at the provider PROVIDER has no credit left.',
  ),
  /** Not for want of a key. The reason, such as a country or a model, may name the operator's account. */
  forbidden: lasting(
    'provider_credentials_refused',
    "The provider PROVIDER does not allow this server what was asked for; the server's log has its reason.",
  ),
  unknownModel: lasting(
    'model_not_found',
    'The provider PROVIDER has no model MODEL, or not for this server.',
  ),
  rateLimited: passing(
    'provider_rate_limited',
    'The provider PROVIDER limits how often this server may call it.',
  ),
  quotaSpent: lasting('provider_rate_limited', 'The quota of this server at the provider PROVIDER is spent.'),
  failed: outage('provider_error', 'The provider PROVIDER failed to answer.'),
  /** It could not serve this request now, which says nothing about the next one. */
  hindered: passing('provider_error', 'The provider PROVIDER could not serve the request at this moment.'),
  /** Mostly a wrong base URL. */
  misunderstood: lasting('provider_error', 'The provider PROVIDER does not understand this server.'),
  overloaded: outage('provider_overloaded', 'The provider PROVIDER is overloaded.'),
} as const satisfies Record<string, Verdict>;

export type VerdictName = keyof typeof verdicts;

/** A line of `vendor-faults.yaml`. */
export interface FaultLine {
  readonly verdict: VerdictName;
  readonly status?: readonly (number | readonly [number, number])[];
  readonly names?: readonly string[];
  readonly words?: RegExp;
  readonly source: string;
}

interface Faults<Line = FaultLine> {
  readonly reply: readonly Line[];
  readonly named: readonly Line[];
}

let read: Faults | undefined;

/** The table of what vendors say when they do not answer. It is read from its file when one first does not. */
export function vendorFaults(): Faults {
  if (read) return read;
  const file = new URL('vendor-faults.yaml', import.meta.url);
  const { reply, named } = tableFile(file) as Faults<Omit<FaultLine, 'words'> & { readonly words?: string }>;
  const lines = (written: typeof reply) =>
    written.map(({ words, ...line }) => (words ? { ...line, words: new RegExp(words, 'i') } : line));
  read = { reply: lines(reply), named: lines(named) };
  return read;
}
