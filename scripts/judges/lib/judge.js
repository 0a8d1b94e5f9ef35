/** What every judge in Node.js needs: its environment, its cases one after another, and one JSON line for each. */
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
 * Runs the cases in order and prints a line for each. A case fails if it throws or takes more than `seconds`. `ONLY` in the
 * environment keeps those whose name contains it.
 * @param {Record<string, () => Promise<unknown>>} cases
 */
export async function judge(cases, { seconds = 20 } = {}) {
  for (const [name, run] of Object.entries(cases)) {
    if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
    const timer = new AbortController();
    const late = after(seconds * 1000, undefined, { signal: timer.signal }).then(
      () => Promise.reject(new Error(`no result after ${seconds} s`)),
      () => {},
    );
    try {
      await Promise.race([run(), late]);
      report({ case: name, ok: true });
    } catch (error) {
      process.stderr.write(`${name}: ${error?.stack ?? error}\n`);
      report({ case: name, ok: false, detail: oneLine(error) });
    } finally {
      timer.abort();
    }
  }
  // A client that left a socket open is not to hold the judge up.
  process.exit(0);
}

/** @param {{ case: string, ok: boolean, detail?: string }} result */
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
