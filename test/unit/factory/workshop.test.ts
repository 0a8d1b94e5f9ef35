import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../../src/factory/build-app.ts';
import { openThreads } from '../../../src/factory/workshop/threads.ts';

const never = new AbortController().signal;

it('threads make what the event loop would, and one that is terminated is replaced', async () => {
  const threads = openThreads({ threads: 1, idleMs: 1_000 });
  onTestFinished(() => threads.close());
  const prompt = 'an expense tracker';
  const runaway = new AbortController();
  const { spec } = await threads.workshop(never).plan(prompt, {});
  const files = await threads.workshop(never).render(spec);
  const stopped = threads.workshop(runaway.signal).verify(files, spec);
  setTimeout(() => runaway.abort(), 5);
  await expect(stopped).rejects.toThrow();

  const workshop = threads.workshop(never);
  const { html, passed } = await workshop.verify(files, spec);
  expect(passed).toBe(true);
  const { sha256 } = await workshop.pack(files, html ?? '', spec);
  expect(sha256).toBe((await buildApp(prompt)).package.sha256);
});

it('threads that cannot begin are told of, until they can', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-threads-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const steps = path.join(folder, 'steps.mjs');
  const threads = openThreads({ threads: 1, idleMs: 1_000, steps });
  onTestFinished(() => threads.close());
  // None is started to find out.
  expect(await threads.check()).toContain('0 of at most 1 threads run');
  const { plan } = threads.workshop(new AbortController().signal);
  await expect(plan('A tip calculator', {})).rejects.toThrow();
  await expect(threads.check()).rejects.toThrow();
  await writeFile(steps, 'export const begin = () => null;');
  expect(await threads.check()).toContain('1 of at most 1 threads run');
});
