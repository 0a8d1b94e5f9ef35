import type { MeteredRequest } from '../metering/demand.ts';

import type { CallContext } from '../models/port.ts';

/** A request to a foreign interface, and whose it is. */
export interface WireContext extends MeteredRequest, CallContext {
  readonly signal: AbortSignal;
  /** The headers of the client's request, in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}
