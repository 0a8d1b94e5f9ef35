import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { redact } from '../lib/redact.ts';
import { currentSpan } from '../lib/trace.ts';

/**
 * Lines on their way to a destination, gathered to pieces. The destination's own way of gathering (sonic-boom, `minLength`) puts all that
 * waits together again with each line, to count its bytes: 9 of the 82 KB that a chat made were that (profile of 2026-11-26).
 */
export class GatheredLines {
  readonly #destination: LineDestination;
  readonly #enough: number;
  readonly #most: number;
  readonly #withinMs: number;
  #waiting = '';
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  readonly #pass = () => this.#passOn();

  constructor(
    destination: LineDestination,
    { enough, most = Number.POSITIVE_INFINITY, withinMs }: GatheringOptions,
  ) {
    this.#destination = destination;
    this.#enough = enough;
    this.#most = most;
    this.#withinMs = withinMs;
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > this.#most) this.#passOn();
    this.#waiting += line;
    this.#bytes += bytes;
    if (this.#bytes >= this.#enough) this.#passOn();
    else this.#timer ??= setTimeout(this.#pass, this.#withinMs).unref();
  }

  /** @param done is called when all that was written until now is out. */
  flush(done?: (error?: Error) => void): void {
    this.#passOn();
    this.#destination.flush(done);
  }

  /** For the end of the process. */
  flushSync(): void {
    this.#passOn();
    this.#destination.flushSync();
  }

  #passOn(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting === '') return;
    const text = this.#waiting;
    this.#waiting = '';
    this.#bytes = 0;
    this.#destination.write(text);
  }
}

export type { Logger };

/**
 * Standard output, written in pieces of 12 KiB and at the latest after a tenth of a second: a system call for every
 * line would cost a tenth of a request. The rest is written when the process ends.
 * @param shared whether several processes write to it: a write to one pipe stays in one piece up to 4 KiB (PIPE_BUF, pipe(7))
 */
function standardOutput(shared: boolean): GatheredLines {
  // Without any length, it would not signal when it has written.
  const output = pino.destination({ sync: false, minLength: 1, ...(shared && { maxWrite: 4_096 }) });
  const pieces = shared ? { enough: 3_584, most: 4_096 } : { enough: 12_288 };
  const lines = new GatheredLines(output, { ...pieces, withinMs: 100 });
  process.on('exit', () => lines.flushSync());
  return lines;
}

export interface LogOptions {
  /** Standard output if left out. */
  readonly destination?: DestinationStream;
  /** Which of several processes writes it, shown in each line; null: there is one. */
  readonly process?: number | null;
  /** Whether requests are traced, so that their lines have the ids of their spans. */
  readonly traced?: boolean;
  /** Takes each line as well. */
  readonly also?: ((line: string) => void) | null;
}

/**
 * Structured logs, one JSON object a line. Prompts, answers and headers are never logged; quotes of them in an underlying
 * error are masked where they have the form of a credential.
 * @param level a level of pino, or `silent`
 */
export function createLog(level: string, options: LogOptions = {}): Logger {
  const { process: number = null, traced = false, also = null } = options;
  const { destination = standardOutput(number !== null) } = options;
  const serializers = { err: (error: unknown) => maskDeep(stdSerializers.err(error as Error)) };
  return pino(
    {
      level,
      base: number === null ? null : { process: number },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers,
      ...(traced && { mixin: () => currentSpan()?.ids ?? {} }),
    },
    also ? both(destination, also) : destination,
  );
}

/**
 * Writes the line of a request, as pino would at the level `info`. It puts a line together name by name, and every request has one: 3 % of
 * the CPU time of a chat and 8 of its 90 KB (profile of 2026-11-25).
 * @param fields without an error, which only pino's serializer masks
 */
export function logRequest(log: Logger, fields: Readonly<Record<string, unknown>>): void {
  if (!log.isLevelEnabled('info')) return;
  const inside = log as unknown as Readonly<Record<symbol, unknown>>;
  const stream = inside[pino.symbols.streamSym] as DestinationStream;
  const text = JSON.stringify(fields).slice(1, -1);
  const time = new Date().toISOString();
  stream.write(`{"level":30,"time":"${time}"${inside[pino.symbols.chindingsSym]},${text},"msg":"request"}\n`);
}

/** Writes each line to two places, of which the first can be flushed. */
function both(
  first: DestinationStream & { flush?: (done: (error?: Error) => void) => void },
  also: (line: string) => void,
) {
  return {
    write(line: string) {
      first.write(line);
      also(line);
    },
    flush: (done: (error?: Error) => void) => (first.flush ? first.flush(done) : done()),
  };
}

function maskDeep(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null), (_name, held) =>
    typeof held === 'string' ? redact(held, null) : held,
  );
}

/** The destination of lines, made by `pino.destination`. */
interface LineDestination {
  write(text: string): unknown;
  flush(done?: (error?: Error) => void): void;
  flushSync(): void;
}

export interface GatheringOptions {
  /** So many bytes are written at once. */
  readonly enough: number;
  /** No piece of several lines is longer, in bytes. */
  readonly most?: number;
  /** The longest that a line waits for others, in milliseconds. */
  readonly withinMs: number;
}
