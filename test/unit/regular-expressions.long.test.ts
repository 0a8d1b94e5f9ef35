/**
 * No text makes a regular expression of ours hang. Each is attacked in a thread with what such expressions are slow at:
 * long repetitions that they can take apart in many ways, with an end that does not fit.
 */
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { type Expression, madeExpressions, writtenExpressions } from '../helpers/regular-expressions.ts';
import { judgedPrompts } from './factory/prompts.ts';

/**
 * For all attacks on one expression together, in milliseconds. The slowest that we have takes a tenth of it; one that
 * takes a text apart in all ways takes years, and one that nests three repetitions takes minutes.
 */
const limitMs = 20_000;

interface Outcome {
  readonly ms: number;
  readonly attack: string;
}

function openThread() {
  const worker = new Worker(new URL('../helpers/regular-expression-worker.ts', import.meta.url));
  return {
    /** Null: there was no answer in time, and the thread was ended. */
    attack(expression: Expression): Promise<Outcome | null> {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          void worker.terminate();
          resolve(null);
        }, limitMs);
        worker.removeAllListeners();
        worker.once('error', reject);
        worker.once('message', (outcome: Outcome) => {
          clearTimeout(timer);
          resolve(outcome);
        });
        worker.postMessage(expression);
      });
    },
    close: () => worker.terminate(),
  };
}

/** The expressions that do not answer in time. With `SLOWEST` set it prints the slowest. */
async function hanging(expressions: readonly Expression[]): Promise<string[]> {
  const left = [...expressions];
  const found: string[] = [];
  const times: [number, string][] = [];
  const next = async () => {
    let thread = openThread();
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      const outcome = await thread.attack(one);
      if (outcome === null) {
        found.push(`${one.place} /${one.source.slice(0, 60)}/`);
        thread = openThread();
      } else times.push([outcome.ms, `${one.place} ${JSON.stringify(outcome.attack)}`]);
    }
    await thread.close();
  };
  await Promise.all([next(), next()]);
  if (process.env['SLOWEST']) {
    times.sort(([one], [other]) => other - one);
    for (const [ms, what] of times.slice(0, 20)) console.info(ms.toFixed(1), 'ms', what);
  }
  return found;
}

it('notices one that hangs', async () => {
  const bad = { place: 'nowhere', source: '^(?:a|ab|b)*(?:a+)+$', flags: 'u' };
  expect(await hanging([bad])).toHaveLength(1);
});

it('none that stands in the sources hangs', { timeout: 600_000 }, async () => {
  const written = writtenExpressions();
  expect(written.length).toBeGreaterThan(600);
  expect(await hanging(written)).toEqual([]);
});

it('none that the reader of prompts puts together hangs', { timeout: 600_000 }, async () => {
  const made = await madeExpressions(async () => {
    // Many are put together when their module is loaded.
    const { read } = await import('../../src/factory/read/read.ts');
    for (const { prompt } of judgedPrompts) read(prompt);
  });
  expect(made.length).toBeGreaterThan(70);
  expect(await hanging(made)).toEqual([]);
});
