import type { IncomingMessage } from 'node:http';
import { buffersFull } from '../contract/buffers-full.ts';
import type { Holding } from '../lib/byte-budget.ts';
import { arrivedBody } from './arrived-body.ts';

/**
 * Memory for each byte of a JSON body: its bytes, its text, what is parsed of it and what is written of that for a vendor
 * live at the same time.
 */
const memoryPerByte = 4;
/** Bodies of up to so many bytes are not worth watching while they arrive. */
const small = 16 * 1024;

/**
 * Reads a body as far as there is memory for it, which stays taken until the request is over. A large one takes it as it
 * arrives, so that nobody takes much by announcing it. Throws `buffers_full`, and what reading throws.
 * @param maxBytes of the decoded body; `read` refuses more
 */
export async function readWithin(
  memory: Holding,
  req: IncomingMessage,
  maxBytes: number,
  read: () => Promise<Buffer>,
): Promise<Buffer> {
  const declared = req.headers['content-length'] === undefined ? null : Number(req.headers['content-length']);
  // What will not be read needs no memory.
  if (declared !== null && declared > maxBytes) return read();
  if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') {
    // What it will come to is not seen from here.
    take(memory, maxBytes);
    const body = await read();
    memory.give((maxBytes - body.length) * memoryPerByte);
    return body;
  }
  if (declared !== null && (declared <= small || declared === req.readableLength)) {
    take(memory, declared);
    return arrivedBody(req) ?? read();
  }
  // No use in reading the beginning of what does not fit.
  take(memory, declared ?? small);
  memory.give((declared ?? small) * memoryPerByte);
  return watched(memory, req, read);
}

/** Reads while memory lasts. What is left is thrown away then, so that the client can read why. */
function watched(memory: Holding, req: IncomingMessage, read: () => Promise<Buffer>): Promise<Buffer> {
  return new Promise((fulfil, reject) => {
    const count = (chunk: Buffer) => {
      if (memory.take(chunk.length * memoryPerByte)) return;
      req.removeAllListeners('data');
      req.resume();
      reject(buffersFull());
    };
    req.on('data', count);
    read().then(fulfil, reject);
  });
}

function take(memory: Holding, bytes: number): void {
  if (!memory.begin(bytes * memoryPerByte)) throw buffersFull();
}
