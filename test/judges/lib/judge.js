/** What every judge in Node.js needs: its environment, its cases one after another, and one JSON line for each. */
import assert from 'node:assert/strict';
import { setTimeout as after } from 'node:timers/promises';

/** The environment that the runner gives. @param {string} name */
export function given(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

const oneLine = (error) => {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replace(/\s+/g, ' ').slice(0, 400);
};

/**
 * A case that the mock cannot pass, or not on every lane: on these lanes it has to pass all the same.
 * @param {() => Promise<unknown>} run
 * @param {string[]} lanes
 */
export const beyondMock = (run, lanes = ['native', 'translated']) =>
  Object.assign(() => run(), { lanes, anywhere: run.anywhere });

/** A case that is not about what a model says, so that the sandbox has to pass it too. @param {() => Promise<unknown>} run */
export const anywhere = (run) => Object.assign(() => run(), { lanes: run.lanes, anywhere: true });

/**
 * Runs the cases in order and prints a line for each. A case fails if it throws or takes more than `seconds`. Cases may lie in
 * groups. `ONLY` in the environment keeps those whose name contains it.
 * @param {Record<string, (() => Promise<unknown>) | Record<string, () => Promise<unknown>>>} all
 */
export async function judge(all, { seconds = 20 } = {}) {
  for (const [name, inside] of Object.entries(all)) {
    const cases = typeof inside === 'function' ? { [name]: inside } : inside;
    const group = typeof inside === 'function' ? {} : { group: name };
    for (const [what, run] of Object.entries(cases)) {
      if (process.env.TARGET === 'sandbox' && !run.anywhere) continue;
      if (process.env.ONLY && !`${name}: ${what}`.includes(process.env.ONLY)) continue;
      const must = run.lanes?.includes(process.env.TARGET) ? { must: true } : {};
      report({ case: what, ...group, ...must, ...(await outcome(`${name}: ${what}`, run, seconds)) });
    }
  }
  // A client that left a socket open is not to hold the judge up.
  process.exit(0);
}

async function outcome(name, run, seconds) {
  const timer = new AbortController();
  const late = after(seconds * 1000, undefined, { signal: timer.signal }).then(
    () => Promise.reject(new Error(`no result after ${seconds} s`)),
    () => {},
  );
  try {
    await Promise.race([run(), late]);
    return { ok: true };
  } catch (error) {
    process.stderr.write(`${name}: ${error?.stack ?? error}\n`);
    return { ok: false, detail: oneLine(error) };
  } finally {
    timer.abort();
  }
}

/** @param {{ case: string, group?: string, must?: boolean, ok: boolean, detail?: string }} result */
export function report(result) {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/**
 * What a call is refused with. Fails if it is not refused.
 * @param {() => Promise<unknown>} call
 */
export async function refusalOf(call) {
  let value;
  try {
    value = await call();
  } catch (error) {
    return error;
  }
  throw new Error(`an error was expected, and this came: ${JSON.stringify(value)?.slice(0, 200)}`);
}

/** Of an answer that broke off: its beginning came, and then the server's error, where the mock only hangs up. */
export function brokeOff(text, error) {
  assert.ok(text.startsWith('This answe'), `the text before the cut is lost: ${text}`);
  if (process.env.TARGET !== 'control') assert.match(error.message, /broke off in the middle of the answer/);
}
