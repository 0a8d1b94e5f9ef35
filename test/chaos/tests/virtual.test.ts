/** A small simulation of the leases, in a process of its own, as its time takes the place of the timers. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

async function simulated(seed: string): Promise<string> {
  const sizes = ['--servers', '8', '--tenants', '400', '--per-second', '300', '--minutes', '1'];
  const args = [
    '--disable-warning=ExperimentalWarning',
    'test/chaos/main.ts',
    '--virtual',
    ...sizes,
    '--seed',
    seed,
  ];
  return (await run(process.execPath, args)).stdout;
}

/** The figures of one kind, one for each world. */
function figures(text: string, name: string): number[] {
  const lines = text.split('\n').filter((line) => line.trim().startsWith(name));
  return lines.map((line) => Number(/-?[\d.]+/.exec(line.slice(name.length + 2))?.[0]));
}

it('no limit is exceeded in any 60 seconds, whatever crashes and is cut off, and little is withheld', async () => {
  const [first, again, other] = await Promise.all([simulated('a'), simulated('a'), simulated('b')]);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  for (const text of [first, other]) {
    const worst = figures(text, 'worst 60 seconds');
    expect(worst).toHaveLength(4);
    // Both are filled, and neither is exceeded.
    expect(Math.max(...worst)).toBeLessThanOrEqual(100);
    expect(worst[0]).toBe(100);
    const [many, none, one] = figures(text, 'saturated tenants');
    expect(many).toBeGreaterThan(20);
    expect([none, one]).toEqual([0, 1]);
    const admitted = figures(text, 'admitted of their limits').filter((share) => !Number.isNaN(share));
    expect(admitted).toHaveLength(2);
    for (const share of admitted) expect(share).toBeGreaterThan(90);
    const withheld = figures(text, 'withheld of their limits').filter((share) => !Number.isNaN(share));
    expect(withheld).toHaveLength(2);
    for (const share of withheld) expect(share).toBeLessThan(1.5);
    for (const crashes of figures(text, 'crashes, cuts of the network')) expect(crashes).toBeGreaterThan(20);
  }
});
