import { ServiceError } from './errors.ts';

/** Seconds after which there may be room again: many answers take no longer to be read. */
const retryAfter = 2;

/** There is no memory left for this request or its answer. */
export function buffersFull(): ServiceError {
  const message = 'The server has no memory left for this request at the moment. Try again in a moment.';
  return new ServiceError('buffers_full', message, { retryAfter });
}
