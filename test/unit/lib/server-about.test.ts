import { expect, it } from 'vitest';
import type { Health } from '../../../src/lib/health-checks.ts';
import { ServerAbout } from '../../../src/lib/server-about.ts';

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
  // A look costs the database something, so it is not taken each time that somebody asks.
  expect(reads).toBe(1);
  lifecycle.draining = true;
  expect(about.now().state).toBe('draining');
});
