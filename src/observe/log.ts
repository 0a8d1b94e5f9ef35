import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { redact } from '../lib/redact.ts';
import { currentSpan } from '../lib/trace.ts';

export type { Logger };

/**
 * Standard output, written in pieces of 12 KiB and at the latest after a tenth of a second: a system call for every
 * line would cost a tenth of a request.
 */
const standardOutput = (shared: boolean) =>
  pino.destination({
    sync: false,
    periodicFlush: 100,
    // What several processes write to one pipe stays in one piece up to 4 KiB (PIPE_BUF, pipe(7)).
    ...(shared ? { minLength: 3584, maxWrite: 4096 } : { minLength: 12_288 }),
  });

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
 * Structured logs, one JSON object a line. Prompts, answers and headers are never logged; what an error underneath
 * may quote of them is masked where it has the form of a credential.
 * @param level a level of pino, or `silent`
 */
export function createLog(level: string, options: LogOptions = {}): Logger {
  const { process = null, traced = false, also = null } = options;
  const { destination = standardOutput(process !== null) } = options;
  const serializers = { err: (error: unknown) => maskDeep(stdSerializers.err(error as Error)) };
  return pino(
    {
      level,
      base: process === null ? null : { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers,
      ...(traced && { mixin: () => currentSpan()?.ids ?? {} }),
    },
    also ? both(destination, also) : destination,
  );
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
