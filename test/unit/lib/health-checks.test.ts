import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Health, type HealthCheck, HealthChecks } from '../../../src/lib/health-checks.ts';
import { ServerAbout } from '../../../src/lib/server-about.ts';

describe('health checks', () => {
  function counted(
    run: () => Promise<string>,
    required = true,
  ): HealthCheck & { readonly runs: () => number } {
    let runs = 0;
    return {
      required,
      run() {
        runs += 1;
        return run();
      },
      runs: () => runs,
    };
  }

  const well = async () => 'It works.';
  const broken = async () => {
    throw new Error('It is broken.');
  };

  it('a flood of questions is one look, and so are those that come soon after it', async () => {
    const check = counted(async () => {
      await sleep(20);
      return 'It works.';
    });
    const health = new HealthChecks({ check });
    await Promise.all(Array.from({ length: 1_000 }, () => health.read()));
    for (let n = 0; n < 1_000; n += 1) expect((await health.read()).status).toBe('ready');
    expect(check.runs()).toBe(1);
  });

  it('what was found holds for a while only', async () => {
    const check = counted(well);
    const health = new HealthChecks({ check }, { freshMs: 30 });
    await health.read();
    await sleep(60);
    await health.read();
    expect(check.runs()).toBe(2);
  });

  it('tells what may be wrong from what may not', async () => {
    const of = async (needed: () => Promise<string>, other: () => Promise<string>) =>
      (await new HealthChecks({ needed: counted(needed), other: counted(other, false) }).read()).status;
    expect(await of(well, well)).toBe('ready');
    expect(await of(well, broken)).toBe('degraded');
    expect(await of(broken, well)).toBe('unavailable');
    expect(await of(broken, broken)).toBe('unavailable');
  });

  it('a check that hangs has failed, is not begun again while it hangs, and passes when it ends well', async () => {
    const hanging = Promise.withResolvers<string>();
    const check = counted(() => hanging.promise);
    const quick = counted(well);
    const health = new HealthChecks({ check, quick }, { freshMs: 0, runMs: 20 });
    for (let n = 0; n < 5; n += 1) {
      const { checks, status } = await health.read();
      expect(status).toBe('unavailable');
      expect(checks.check.detail).toContain('no answer within');
      expect(checks.quick.ok).toBe(true);
    }
    expect(check.runs()).toBe(1);
    hanging.resolve('It works.');
    await sleep(0);
    expect((await health.read()).checks.check).toEqual({ ok: true, detail: 'It works.' });
  });
});

describe('server about', () => {
  it('tells its version at once, its state when the checks have said it, and that it is stopping before all', async () => {
    const about = new ServerAbout('host', '1.2.3');
    expect(about.now()).toEqual({ name: 'host', version: '1.2.3', state: 'starting', config: null });
    const lifecycle = { draining: false, startedAt: 0 };
    let say: (status: 'degraded') => void = () => {};
    let reads = 0;
    const health = {
      read() {
        reads += 1;
        return new Promise<Health<string>>((resolve) => {
          say = (status) => resolve({ status, checks: {} });
        });
      },
    };
    about.follow({ lifecycle, health, configDigest: () => 'abc' });
    expect(about.now()).toMatchObject({ state: 'starting', config: 'abc' });
    say('degraded');
    await expect.poll(() => about.now().state).toBe('degraded');
    // A check costs the database something, so not every request runs one.
    expect(reads).toBe(1);
    lifecycle.draining = true;
    expect(about.now().state).toBe('draining');
  });
});
