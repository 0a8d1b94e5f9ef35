import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** Names under which a secret could reach a log line; their values are never written. */
const secretFields = ['authorization', 'api_key', 'apiKey', 'key', 'password', 'secret', 'token', 'cookie'];

/**
 * Structured logs, one JSON object a line, on standard output. Prompts and answers are never logged.
 * @param level a level of pino, or `silent`
 */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ sync: false }),
): Logger {
  const redact = { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact }, destination);
}
