/**
 * Tests by property: what holds for each of many things, such as the operations of the contract, is one test, which goes on over
 * all of them and fails with the ids of those it does not hold for. Reported for each thing, a few dozen properties were thousands
 * of tests, in which nobody saw what is tested.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

type Check<T> = (thing: T) => unknown;

export interface EveryOptions<T> {
  /** By what a thing is named where it fails; its `id` if left out, or the thing itself where it is a text or a number. */
  readonly idOf?: (thing: T) => string;
  /** How many are checked at the same time; one if left out. */
  readonly atATime?: number;
}

/** All options, or none for what has a name. */
type Rest<T> = [T] extends [string | number | { readonly id: string }]
  ? [options?: EveryOptions<T>]
  : [options: EveryOptions<T> & { readonly idOf: (thing: T) => string }];

/** A test that checks each of the things, in their order. A check must assert something, and there must be things. */
export function testEvery<T>(
  name: string,
  things: readonly T[],
  check: Check<T>,
  ...[options]: Rest<T>
): void {
  it(name, ({ signal }) => checkEvery(things, check, { ...options, signal }));
}

/** Throws what fails of the things, once all are checked. @param options.signal is aborted where the test is given up */
export async function checkEvery<T>(
  things: readonly T[],
  check: Check<T>,
  { idOf = nameOf, atATime = 1, signal }: EveryOptions<T> & { readonly signal?: AbortSignal } = {},
): Promise<void> {
  if (things.length === 0) throw new Error('There is nothing that this could hold for.');
  const failures = new Map<number, unknown>();
  const running = new Set<string>();
  signal?.addEventListener('abort', () => console.error(`It was at ${[...running].join(', ')}.`));
  const left = things.entries();
  const work = async () => {
    for (const [place, thing] of left) {
      signal?.throwIfAborted();
      const id = idOf(thing);
      running.add(id);
      const before = assertions();
      try {
        await check(thing);
        if (assertions() === before) throw new Error('Nothing was asserted.');
      } catch (error) {
        failures.set(place, error);
      }
      running.delete(id);
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  const failed = things.flatMap((thing, place) =>
    failures.has(place) ? [{ id: idOf(thing), error: failures.get(place) }] : [],
  );
  if (failed.length > 0) throw failureOf(failed, things.length);
}

const nameOf = (thing: unknown) => (typeof thing === 'object' ? (thing as { id: string }).id : String(thing));

const assertions = () => expect.getState().assertionCalls;

/** Maximum number of failures that are shown with their messages. */
const maxTold = 10;

function failureOf(
  failed: readonly { readonly id: string; readonly error: unknown }[],
  count: number,
): Error {
  const told = failed.slice(0, maxTold).map(({ id, error }) => `${id}: ${textOf(error)}`);
  const others = failed.slice(maxTold).map(({ id }) => id);
  const also = others.length === 0 ? [] : [`And ${others.join(', ')}.`];
  // Of the cause the report shows the difference, and the lines of the code.
  const cause = failed[0]?.error;
  return new Error([`${failed.length} of ${count} fail:`, ...told, ...also].join('\n\n'), { cause });
}

const root = `${pathToFileURL(path.join(import.meta.dirname, '../..')).href}/`;
const isOfTests = (line: string) => line.includes(`${root}test/`) && !line.includes('helpers/test-every.ts');

/** The message, with where in the tests it comes from. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ +at /.test(line) && isOfTests(line));
  const places = frames.map((frame) => frame.replace(root, '').replace(/\?vitest=\d+/, ''));
  return [error.message, ...places.slice(0, 3)].join('\n');
}
