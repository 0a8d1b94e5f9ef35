import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { redact } from '../lib/redact.ts';

export type { Logger };

/**
 * Standard output, written in pieces of 12 KiB and at the latest after a tenth of a second: a system call for every
 * line would cost a tenth of a request.
 */
const standardOutput = () => pino.destination({ sync: false, minLength: 12_288, periodicFlush: 100 });

/**
 * Structured logs, one JSON object a line. Prompts, answers and headers are never logged; what an error underneath
 * may quote of them is masked where it has the form of a credential.
 * @param level a level of pino, or `silent`
 */
export function createLog(level: string, destination: DestinationStream = standardOutput()): Logger {
  const serializers = { err: (error: unknown) => maskDeep(stdSerializers.err(error as Error)) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers }, destination);
}

function maskDeep(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null), (_name, held) =>
    typeof held === 'string' ? redact(held, null) : held,
  );
}
