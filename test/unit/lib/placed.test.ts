import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IndexedHeap, type Passing, PassingSet } from '../../../src/lib/placed.ts';

it('holds what was added and not deleted', () => {
  const set = new PassingSet<Passing & { readonly name: string }>();
  const [one, two, three] = ['one', 'two', 'three'].map((name) => ({ name, place: -1 }));
  if (!one || !two || !three) throw new Error('There are three.');
  for (const item of [one, two, three, two]) set.add(item);
  expect(set.size).toBe(3);
  set.delete(one);
  set.delete(one);
  expect([...set].map(({ name }) => name).sort()).toEqual(['three', 'two']);
  set.add(one);
  set.delete(three);
  set.delete(two);
  expect([...set]).toEqual([one]);
  set.delete(one);
  expect(set.size).toBe(0);
});

it('leaves alone what is in another set', () => {
  const [here, there] = [new PassingSet<Passing>(), new PassingSet<Passing>()];
  const item = { place: -1 };
  here.add(item);
  there.delete(item);
  expect([here.size, there.size]).toEqual([1, 0]);
});

it('gives those that were in it when it was asked, though they leave meanwhile', () => {
  const set = new PassingSet<Passing>();
  const items = Array.from({ length: 5 }, () => ({ place: -1 }));
  for (const item of items) set.add(item);
  const seen = [];
  for (const item of set) {
    seen.push(item);
    set.delete(item);
  }
  expect(seen).toEqual(items);
  expect(set.size).toBe(0);
});

it('keeps nothing alive that has left it', () => {
  // JavaScript's own leaves 3 to 20 MB behind, as it happens.
  expect(grownBy()).toBeLessThan(2e6);
});

/**
 * How much the old part of the heap grows while 60 MB pass through a set, 32 items at a time, in bytes. In a process of its own, as
 * what else a test's does would have its part in that.
 */
function grownBy(): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { PassingSet } from ${JSON.stringify(new URL('../../../src/lib/placed.ts', import.meta.url).href)};
    const oldBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space').space_used_size;
    const set = new PassingSet();
    const inside = [];
    gc();
    const before = oldBytes();
    for (let n = 0; n < 1_500; n += 1) {
      // About what a request holds.
      const item = { place: -1, load: Array.from({ length: 1_000 }, (_, index) => ({ index })) };
      inside.push(item);
      set.add(item);
      if (inside.length > 32) set.delete(inside.shift());
      if (n % 50 === 0) gc({ type: 'minor' });
    }
    process.stdout.write(String(oldBytes() - before));`;
  const flags = ['--expose-gc', '--max-semi-space-size=16', '--no-allocation-site-pretenuring'];
  const args = [...flags, '--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

type Step = { readonly kind: 'add' | 'change' | 'remove'; readonly at: number; readonly value: number };

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('add', 'add', 'change', 'remove'),
  at: fc.nat(30),
  value: fc.nat(20),
});

it('has the least first, whatever is added, changed and removed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new IndexedHeap<{ place: number; value: number }>((a, b) => a.value < b.value);
      const inside: { place: number; value: number }[] = [];
      for (const { kind, at, value } of steps) {
        if (kind === 'add') {
          const element = { place: -1, value };
          inside.push(element);
          queue.add(element);
        }
        const element = inside[at % Math.max(1, inside.length)];
        if (element && kind === 'change') {
          element.value = value;
          queue.moved(element);
        }
        if (element && kind === 'remove') {
          inside.splice(inside.indexOf(element), 1);
          queue.remove(element);
          // It was removed, and may be removed again.
          queue.remove(element);
          queue.moved(element);
        }
        expect(queue.size).toBe(inside.length);
        expect(queue.first?.value).toBe(
          inside.length === 0 ? undefined : Math.min(...inside.map((each) => each.value)),
        );
      }
    }),
    { numRuns: 500 },
  );
});
