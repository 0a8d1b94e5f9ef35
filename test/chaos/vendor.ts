/**
 * The vendor of the suite, a process of its own. What it does to a request stands in the request's prompt:
 * `chaos=<request id> vendor=<act>@<number>`. Each request and each end is a line in its log before anything else
 * happens, so that nothing that reached it is forgotten.
 *
 * Argument: the file of the log. Sends `{port}` when it listens.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startVendor } from '../lib/vendor.ts';
import { type Act, type Answer, answerBytes, endOf, reply, type Wire } from './vendor-answers.ts';

const log = openSync(process.argv[2] ?? '', 'a');
let calls = 0;

export interface VendorLine {
  readonly call: number;
  /** The request's id; empty where it has none. */
  readonly id: string;
  /** Milliseconds of the machine's monotonic clock. */
  readonly at: number;
  readonly type: 'came' | 'answered' | 'broke';
  readonly prompt: number;
  readonly completion: number;
  /** Whether what says that the answer is over was sent, after all of it. */
  readonly whole: boolean;
  /** Whether a byte of it was another one than it should be, so that nothing in it can be relied on. */
  readonly garbled?: boolean;
}

function note(line: Omit<VendorLine, 'at'>): void {
  writeSync(log, `${JSON.stringify({ ...line, at: Number(process.hrtime.bigint()) / 1e6 })}\n`);
}

const larges = new Map<string, Buffer>();

/** Large answers are made once: making them all would keep this process from everybody else. */
function large(wire: Wire, stream: boolean, answer: Answer): Buffer {
  const key = `${wire} ${stream} ${answer.text.length}`;
  const bytes = larges.get(key) ?? answerBytes(wire, stream, answer);
  larges.set(key, bytes);
  return bytes;
}

async function serve(socket: Socket, path: string, body: string): Promise<void> {
  calls += 1;
  const call = calls;
  const [, id = '', act = 'good', amount = '0'] = /chaos=([\w.-]+) vendor=(\w+)(?:@(\d+))?/.exec(body) ?? [];
  const { model, stream = false } = JSON.parse(body) as { model: string; stream?: boolean };
  const number = Number(amount);
  const wire: Wire = path.endsWith('/messages')
    ? 'anthropic'
    : path.startsWith('/gemini')
      ? 'gemini'
      : 'openai';
  // Different from call to call, so that usage of another one would show.
  const prompt = 20 + (call % 97);
  const completion = 5 + (call % 1009);
  const text =
    act === 'big' ? 'x'.repeat(number) : `An answer to ${id}, number ${call}, with ünïcödé and "quotes".`;
  const answer: Answer = { id: `vendor-${call}`, model, text, prompt, completion };
  const line = { call, id, prompt, completion, whole: false } as const;
  note({ ...line, type: 'came' });
  const broke = () => note({ ...line, type: 'broke' });
  socket.once('close', broke);
  const bytes = act === 'big' ? large(wire, stream, answer) : answerBytes(wire, stream, answer);
  const write = (part: string | Uint8Array) => new Promise((done) => socket.write(part, done));
  let garbled = false;
  const whole = async (all: Buffer, good = true) => {
    // Before the last byte: whoever has it may ask again at once, and is not to be taken for a second one at the same time.
    note({ ...line, type: 'answered', whole: good, garbled });
    socket.off('close', broke);
    await write(all);
  };
  const part = (length: number) => {
    const some = bytes.subarray(0, length);
    return length >= endOf(bytes) ? whole(some) : write(some).then(() => undefined);
  };
  switch (act as Act) {
    case 'cut':
      await part(number);
      socket.end();
      return;
    case 'reset':
      await part(number);
      socket.resetAndDestroy();
      return;
    case 'stall':
      return part(number);
    case 'garbage': {
      const at = number % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      // It may still be a good answer, with another letter or another number in it.
      garbled = true;
      return whole(bytes);
    }
    case 'status': {
      const error = {
        type: 'error',
        error: { type: 'api_error', message: `The vendor was told to answer ${number}.` },
      };
      return whole(reply(number, JSON.stringify(error), number === 429 ? 'retry-after: 1\r\n' : ''), false);
    }
    case 'continue':
      await write('HTTP/1.1 100 Continue\r\n\r\n');
      return whole(bytes);
    case 'deep':
      return whole(reply(200, `${'['.repeat(number)}${']'.repeat(number)}`), false);
    case 'number':
      return whole(
        reply(200, bytes.subarray(bytes.indexOf('{')).toString().replace(JSON.stringify(text), '42')),
        false,
      );
    case 'unfinished':
      return whole(
        reply(
          200,
          bytes
            .subarray(bytes.indexOf('{'))
            .toString()
            .replace(/"(stop|end_turn)"/, 'null'),
        ),
      );
    case 'slow':
      for (let at = 0; at < bytes.length; at += 64) {
        if (socket.destroyed) return;
        const piece = bytes.subarray(at, at + 64);
        await (at + 64 < endOf(bytes) ? write(piece) : whole(piece));
        await sleep(number);
      }
      return;
    case 'big':
      // The same answer for all, with the figures of the first.
      garbled = true;
      return whole(bytes);
    default:
      return whole(bytes);
  }
}

const vendor = await startVendor(
  ({ request, socket }) => serve(socket, request.path, request.body).catch(() => void socket.destroy()),
  false,
);
process.send?.({ port: vendor.port });
process.once('disconnect', () => {
  closeSync(log);
  process.exit();
});
