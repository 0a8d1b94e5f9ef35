import { ServiceError } from '../../contract/errors.ts';
import { durationInWords } from '../../lib/duration-in-words.ts';
import type { TimeLimits } from '../../model/port.ts';
import { ProviderError } from './provider-error.ts';
import { interrupted, invalidReply, type Vendor } from './vendor.ts';

/** What a request to a vendor is waiting for, and the time limit that holds for it. */
export type Phase = 'connect' | 'firstByte' | 'idle';

const timeouts = {
  connect: ['provider_connect_timeout', 'No connection to the provider PROVIDER came about within LIMIT.'],
  firstByte: ['provider_first_byte_timeout', 'The provider PROVIDER did not begin to answer within LIMIT.'],
  idle: ['provider_idle_timeout', 'The provider PROVIDER fell silent for LIMIT in the middle of the answer.'],
} as const;

/** A time limit ran out. `outage` false: it was not the vendor's fault. */
export function timeoutError(vendor: Vendor, phase: Phase, limits: TimeLimits, outage = true): ProviderError {
  const [code, text] = timeouts[phase];
  const message = text
    .replace('PROVIDER', () => JSON.stringify(vendor.id))
    .replace('LIMIT', durationInWords(limits[phase]));
  return new ProviderError(code, message, { outage });
}

/** What undici reports, in the contract's terms. `answering`: whether the reply's head has arrived. */
export function transportError(
  vendor: Vendor,
  error: Error & { readonly code?: unknown },
  limits: TimeLimits,
  answering: boolean,
): ServiceError {
  const code = String(error.code ?? '');
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return timeoutError(vendor, 'connect', limits);
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED')
    return new ServiceError('shutting_down', 'The server is stopping and takes no new requests.');
  // Not the parser's error as it is: it holds the bytes that it stumbled over.
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW')
    return invalidReply(vendor, 'something that is not HTTP', error.message);
  if (answering) return interrupted(vendor, error);
  const message = `The provider ${JSON.stringify(vendor.id)} could not be reached, or broke the connection before it answered.`;
  return new ProviderError('provider_unreachable', message, { outage: true, cause: error });
}
