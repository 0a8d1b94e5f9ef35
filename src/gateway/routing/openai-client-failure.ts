import { ProviderError } from '../upstream/provider-error.ts';
import { errorOfReply } from '../upstream/vendor-errors.ts';
import type { Provider } from './provider.ts';

/** What the official client of OpenAI throws, as far as it is looked at: its class would load it. */
interface ClientError {
  readonly name: string;
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly error?: unknown;
}

/** Whether the vendor says that what was asked for is not there. */
export function isNotThere(thrown: unknown): boolean {
  return (thrown as Partial<ClientError> | null)?.status === 404;
}

/** A failure of the official client as one of the provider, in our own words or, for a refused request, in the vendor's, redacted. */
export function clientFailure({ id, connection }: Provider, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || connection === null) return thrown;
  const { status, headers, error } = thrown as Error & Partial<ClientError>;
  if (typeof status === 'number') {
    const given = headers instanceof Headers ? Object.fromEntries(headers) : {};
    return errorOfReply(connection.vendor, '', status, given, JSON.stringify({ error: error ?? {} }));
  }
  const kind = thrown.constructor.name;
  if (/Timeout/.test(kind))
    return new ProviderError('provider_first_byte_timeout', `The provider ${id} did not answer in time.`, {
      worthRetrying: false,
    });
  if (/Connection/.test(kind))
    return new ProviderError('provider_unreachable', `The provider ${id} cannot be reached.`, {
      worthRetrying: false,
      cause: thrown,
    });
  return thrown;
}
