import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IndexedHeap } from '../../../../src/tenants/overload/indexed-heap.ts';

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
          // It is gone, and may be told so again.
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
