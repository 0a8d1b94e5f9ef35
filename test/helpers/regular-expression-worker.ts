/** Runs expressions against attacks in a thread that can be ended. */
import { parentPort } from 'node:worker_threads';
import { attacksOn, type Expression } from './regular-expressions.ts';

/** Maximum length of a prompt. */
const length = 2000;

parentPort?.on('message', (expression: Expression) => {
  const pattern = new RegExp(expression.source, `${expression.flags.replace(/[gy]/g, '')}g`);
  let slowest = { ms: 0, attack: '' };
  for (const attack of attacksOn(expression, length)) {
    let ms = timed(pattern, attack);
    // Once more, as others may have had the processor meanwhile.
    for (let again = 0; again < 2 && ms > slowest.ms; again++) ms = Math.min(ms, timed(pattern, attack));
    if (ms > slowest.ms) slowest = { ms, attack: `${attack.slice(0, 30)}…${attack.slice(-5)}` };
  }
  parentPort?.postMessage(slowest);
});

function timed(pattern: RegExp, text: string): number {
  const start = performance.now();
  text.replace(pattern, '');
  return performance.now() - start;
}
