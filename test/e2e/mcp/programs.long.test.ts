/** MCP servers that are programs: what they get, what they may take, and how they end. */
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { McpCommand } from '../../../src/services/agents/settings.ts';
import { mcpSource } from '../../../src/services/agents/tools/mcp.ts';
import { toolContext } from '../../helpers/agents.ts';

const program = path.join(import.meta.dirname, '../../fixtures/mcp-program.js');

async function started(more: Partial<McpCommand> = {}) {
  const command = {
    command: process.execPath,
    args: [program],
    env: { GIVEN: 'yes' },
    cwd: null,
    memoryBytes: 512 * 2 ** 20,
    processes: 8,
    ...more,
  };
  let time = 0;
  const errors: string[] = [];
  const source = mcpSource(
    { id: 'p', url: 'command:node', headers: {}, tools: null, timeoutMs: 20_000, command },
    (error) => errors.push(String(error)),
    { now: () => time },
  );
  onTestFinished(() => source.close());
  await source.refresh();
  const call = async (name: string): Promise<unknown> => {
    const tool = source.list().find(({ ownName }) => ownName === name);
    if (!tool) throw new Error(`There is no tool ${name}: ${errors.join()}`);
    const result = await tool.run({}, toolContext());
    return JSON.parse(typeof result === 'string' ? result : result.text);
  };
  const later = (ms: number) => {
    time += ms;
  };
  return { source, call, errors, later };
}

const runs = (pid: unknown) => {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
};

it('a program gets no variable of the server but those of paths, user and language, and those that are set for it', async () => {
  process.env['OPENAI_API_KEY'] = 'canary';
  onTestFinished(() => void delete process.env['OPENAI_API_KEY']);
  const { call, errors } = await started();
  const names = (await call('env')) as string[];
  const few = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];
  // The shell that sets its limits adds the last three.
  expect(names.filter((name) => ![...few, 'PWD', 'OLDPWD', '_', 'SHLVL'].includes(name))).toEqual(['GIVEN']);
  expect(errors).toEqual([]);
});

it('progress that comes in one piece with the answer is told of', async () => {
  const { source } = await started();
  const heard: unknown[] = [];
  const { signal } = new AbortController();
  await source.callTool('pid', {}, { signal, onprogress: ({ progress }) => heard.push(progress) });
  expect(heard).toEqual([1]);
});

it('answers that nobody asked for, that come twice and too late are nobody else’s', async () => {
  const { source, call, errors } = await started();
  const gone = new AbortController();
  const taken = Promise.withResolvers<unknown>();
  const late = source.callTool('late', {}, { signal: gone.signal, onprogress: taken.resolve });
  await taken.promise;
  gone.abort(new Error('gone'));
  await expect(late).rejects.toThrow('gone');
  const pid = await call('pid');
  expect(pid).toBeGreaterThan(0);
  const stray = source.callTool('stray', {}, { signal: new AbortController().signal });
  expect(await Promise.all([call('pid'), stray, call('pid')])).toMatchObject([
    pid,
    { content: [{ type: 'text' }] },
    pid,
  ]);
  expect([source.failure, errors]).toEqual([null, []]);
});

it('one that dies is started again after a pause, the longer the more often it does', async () => {
  const { source, call, errors, later } = await started();
  for (const pause of [1000, 2000, 4000]) {
    await expect(call('dies')).rejects.toThrow('failed');
    await expect.poll(() => source.failure).toBe('has ended and is started again');
    later(pause - 1);
    await source.refresh();
    expect(source.list()).toMatchObject([{ available: false }]);
    later(1);
    await source.refresh();
    expect(source.failure).toBeNull();
  }
  expect(errors[0]).toContain('The program of the server has ended. It wrote: The program says hello.');
  later(60_001);
  await expect(call('dies')).rejects.toThrow('failed');
  await expect.poll(() => source.failure).not.toBeNull();
  later(1000);
  await source.refresh();
  expect(await call('pid')).toBeGreaterThan(0);
});

it.each([
  ['writes too much', 'floods', {}, 'larger than 4 MiB'],
  ['starts too many processes', 'forks', {}, 'more than 8 processes'],
  ['takes too much memory', 'eats', { memoryBytes: 300 * 2 ** 20 }, 'more than 300 MiB'],
] as const)('one that %s ends, with all that it has started', async (_, name, more, why) => {
  const { source, call, errors } = await started(more);
  const pid = await call('pid');
  const made = await call(name).catch(() => []);
  await expect.poll(() => source.failure, { timeout: 20_000 }).toBe('has ended and is started again');
  expect(errors.join()).toMatch(why);
  for (const one of [pid, made].flat()) await expect.poll(() => runs(one), { timeout: 20_000 }).toBe(false);
});

it('one that does not want to end ends with the server', async () => {
  const { source, call } = await started();
  const pid = await call('stays');
  await source.close();
  expect(runs(pid)).toBe(false);
});

it('a program that is none is told of', async () => {
  const { source, errors } = await started({ command: '/nowhere/at-all', args: [] });
  expect(source.list()).toMatchObject([{ available: false }]);
  expect(errors.join()).toContain('not found');
});
