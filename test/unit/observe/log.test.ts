import { expect, it } from 'vitest';
import { createLog, type LogOptions, logRequest } from '../../../src/observe/log.ts';

/** Of a request, with what has to be escaped, and a field that is left out. */
const fields = {
  request_id: 'req_1',
  operation: null,
  status: 200,
  duration_ms: 1.5,
  key_id: undefined,
  attempts: [{ model: 'a "model"\n\u0007', errorCode: null }],
};

function logged(level: string, options: LogOptions, write: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = [];
  write(createLog(level, { ...options, destination: { write: (line) => lines.push(line) } }));
  return lines.map((line) => line.replace(/"time":"[^"]+"/, '"time"'));
}

it.each([{}, { process: 2 }])('writes the line of a request as pino does, with %j', (options) => {
  const lines = logged('info', options, (log) => logRequest(log, fields));
  expect(lines).toEqual(logged('info', options, (log) => log.info(fields, 'request')));
  expect(lines).toHaveLength(1);
});

it('writes no line of a request above the level of information', () => {
  expect(logged('warn', {}, (log) => logRequest(log, fields))).toEqual([]);
});
