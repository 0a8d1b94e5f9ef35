/** The operator's commands. They work on the database itself, so a server may run or not. */

import { refuseBrotliAnswers } from '../lib/brotli-guard.ts';
import { brotliIsSafeHere } from '../lib/node-faults.ts';
import { toFailure } from './failure.ts';
import { createProgram } from './program.ts';

if (!brotliIsSafeHere) refuseBrotliAnswers();
try {
  await createProgram().parseAsync();
} catch (thrown) {
  const { line, exitCode } = toFailure(thrown);
  if (line !== null) console.error(line);
  process.exitCode = exitCode;
}
