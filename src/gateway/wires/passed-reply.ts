import type { SendOptions, VendorUsage } from '../../model/port.ts';
import {
  answered,
  bodyAsFarAsItComes,
  eventsOf,
  mediaTypeOf,
  type NativeCall,
  type NativePiece,
  type Pieces,
  StartedPieces,
} from '../upstream/native-reply.ts';
import type { ProviderError } from '../upstream/provider-error.ts';
import { invalidReply } from '../upstream/vendor.ts';
import type { Connection } from '../upstream/vendor-client.ts';
import type { VendorRequest } from '../upstream/vendor-request.ts';
import { usageIn } from './openai-media/vendor-native.ts';

/** The end of a JSON reply in which its usage is looked for, in bytes. */
const tailBytes = 4096;

/** A vendor's reply that goes on as it comes, whatever it is, and what has been read of it so far. */
export interface PassedReply {
  readonly mediaType: string;
  /** Whether it is an event stream: its pieces are whole events. */
  readonly events: boolean;
  /** The last piece is marked, so that what is to be done before it can be. */
  readonly pieces: Pieces;
  usage(): VendorUsage;
  /** An error that the vendor reported in a stream; it has been passed on. */
  failure(): ProviderError | null;
}

/**
 * Sends a request and gives the reply as it comes, its first piece at hand: earlier failures are thrown here, so that
 * another attempt can take over. It is not held, so it may be of any length. One that breaks off throws. Throws as
 * `wholeReply` does.
 */
export async function passedReply(
  connection: Connection,
  native: NativeCall,
  options: SendOptions,
): Promise<PassedReply> {
  const { vendor } = connection;
  const sent = await answered(connection, native, options);
  const mediaType = mediaTypeOf(sent);
  if (/^text\/html\b/i.test(mediaType))
    throw invalidReply(vendor, 'a web page', (await bodyAsFarAsItComes(sent)).toString('utf8', 0, 20_000));
  if (/^text\/event-stream\b/i.test(mediaType)) {
    const { reader } = native;
    const pieces = await eventsOf(sent, reader, vendor);
    return {
      mediaType,
      events: true,
      pieces,
      usage: () => reader.summary.usage,
      failure: () => reader.summary.failure,
    };
  }
  const tail = /\bjson\b/i.test(mediaType) ? new Tail() : null;
  const pieces = chunksOf(sent, tail);
  const first = await pieces.next();
  return {
    mediaType,
    events: false,
    pieces: new StartedPieces(first, pieces),
    usage: () => (tail === null ? null : usageIn(tail.bytes)),
    failure: () => null,
  };
}

/** The chunks as they come, except one byte that is held back until it is known whether it is the last. */
async function* chunksOf(sent: VendorRequest, tail: Tail | null): AsyncGenerator<NativePiece, undefined> {
  let over = false;
  let held = Buffer.alloc(0);
  try {
    for (;;) {
      const chunk = await sent.read();
      sent.answering();
      if (chunk === null) {
        over = true;
        yield { bytes: held, last: true };
        return undefined;
      }
      tail?.push(chunk);
      const bytes = Buffer.concat([held, chunk.subarray(0, -1)]);
      held = Buffer.from(chunk.subarray(-1));
      if (bytes.length > 0) yield { bytes, last: false };
    }
  } finally {
    if (!over) sent.close();
  }
}

/** The last bytes of what has passed. */
class Tail {
  bytes: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    this.bytes =
      chunk.length >= tailBytes
        ? Buffer.from(chunk.subarray(-tailBytes))
        : Buffer.concat([this.bytes, chunk]).subarray(-tailBytes);
  }
}
