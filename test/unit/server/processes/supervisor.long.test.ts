import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../../../helpers/contract.ts';
import { until } from '../../../helpers/vendor-gateway.ts';

const script = path.join(root, 'test/fixtures/processes/supervised.ts');

function supervise(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await ended;
  });
  return { child, ended, output: () => output };
}

it('passes SIGHUP on to every process, also to one that is not ready yet', async () => {
  const { child, ended, output } = supervise();
  await until(() => output().includes('1 of 2 listens on 4711'));
  child.kill('SIGHUP');
  await until(() => output().includes('1 of 2 reads its configuration again'));
  await until(() => output().includes('2 of 2 reads its configuration again'));
  expect(output()).toContain('2 of 2 listens on 4711');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(output()).toContain('1 of 2 stops');
  expect(output()).toContain('2 of 2 stops');
});

it('ends all when one of them ends again and again before it is ready', async () => {
  const { ended, output } = supervise({ SECOND: 'ends' });
  expect(await ended).toBe(1);
  expect([...output().matchAll(/Restarting in ([\d.]+) s/g)].map(([, pause]) => pause)).toEqual([
    '0.5',
    '1',
    '2',
    '4',
  ]);
  expect(output()).toContain(
    'Process 2 ended with exit code 7, for the 5th time in a row before it was ready.',
  );
  expect(output()).toContain('1 of 2 stops');
});
