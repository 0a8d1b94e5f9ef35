import type { CallContext } from '../../model/port.ts';
import type { MeteredRequest } from '../../tenants/metering/demand.ts';

/** A request to a foreign interface, and whose it is. */
export interface WireContext extends MeteredRequest, CallContext {
  readonly signal: AbortSignal;
  /** The headers of the client's request, in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}
