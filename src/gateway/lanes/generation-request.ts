import type { WireCall } from '../../contract/wire-operations.ts';
import type { WireRequest } from '../wires/wire.ts';
import type { GenerationWire } from './generation-wires.ts';
import type { Keeping } from './kept-responses.ts';
import type { WireContext } from './wire-context.ts';

/** A request for an answer of a model. */
export interface Generation {
  readonly wire: GenerationWire;
  readonly call: WireCall;
  /** As the client named it. */
  readonly model: string;
  readonly streaming: boolean;
  /** Reads the request into our own terms, once, and only where something has to be known of it. */
  readonly read: () => WireRequest;
  readonly context: WireContext;
  /** Null for an interface on which nothing that is kept can be named. */
  readonly keeping: Keeping | null;
}
