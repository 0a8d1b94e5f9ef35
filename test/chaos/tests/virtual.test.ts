import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AdmissionsLog, VirtualTime } from '../virtual/world.ts';

/** A small simulation of the leases, in a process of its own, as its time takes the place of the timers. */

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

function logOf(times: readonly number[]): AdmissionsLog {
  const log = new AdmissionsLog();
  for (const at of times) log.add(7, at);
  return log;
}

it('sees one too many within 60 seconds, and none in the moment when they are over', () => {
  const ten = Array.from({ length: 10 }, (_, index) => index);
  expect(logOf([...ten, 59_999]).worstMinute(7)).toBe(11);
  expect(logOf([...ten, 60_000]).worstMinute(7)).toBe(10);
  expect(logOf([...ten, 60_000]).worstMinute(8)).toBe(0);
});

it('counts as one does who looks at every window, in whatever order the times come', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(300_000), { maxLength: 60 }), fc.nat(300_000), (times, to) => {
      const log = logOf(times);
      const windows = times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length);
      expect(log.worstMinute(7)).toBe(Math.max(0, ...windows));
      const sorted = times.toSorted((a, b) => a - b);
      expect(log.within(7, to - 60_000, to)).toEqual(sorted.filter((at) => at > to - 60_000 && at <= to));
      expect(log.total(7)).toBe(times.length);
    }),
  );
});

it('lets all happen in its order, each with what follows from it', async () => {
  const time = new VirtualTime();
  const seen: string[] = [];
  const note = (what: string) => void seen.push(`${time.now} ${what}`);
  time.after(20, () => note('third'));
  time.after(10, () => {
    note('first');
    void time.pause(10).then(() => note('fourth'));
    void Promise.resolve().then(() => note('at once'));
  });
  time.after(10, () => note('second'));
  const gone = time.after(15, () => note('never'));
  gone.cancelled = true;
  time.after(31, () => note('later'));
  await time.runUntil(30);
  expect(seen).toEqual(['10 first', '10 at once', '10 second', '20 third', '20 fourth']);
  expect(time.now).toBe(30);
  await time.runUntil(40);
  expect(seen.at(-1)).toBe('31 later');
});
