/**
 * MCP servers of others behind the gateway, as an operator sets them: their tools, prompts and resources by the official client, in both
 * generations of the protocol and with one key.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { root } from '../../helpers/contract.ts';
import { startServer } from '../../helpers/server-process.ts';
import { install } from '../../lib/install.ts';
import { freePort } from '../../lib/server.ts';

const version = '2026.10.19';
const key = 'key-of-real-servers-0123456789abcdef';
const programs = path.join(root, 'test/conformance/node_modules/@modelcontextprotocol');
const python = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  `switchyard-mcp-servers-${version}/bin`,
);

/** Where they work: files, and a repository with one commit. */
let folder: string;
let url: string;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  await install('conformance');
  if (!existsSync(path.join(python, 'mcp-server-git'))) {
    execFileSync('python3', ['-m', 'venv', '--clear', path.dirname(python)]);
    const wanted = ['time', 'git'].map((name) => `mcp-server-${name}==${version}`);
    execFileSync(path.join(python, 'pip'), ['install', '--quiet', ...wanted]);
  }
  folder = await mkdtemp(path.join(tmpdir(), 'switchyard-mcp-servers-'));
  closing.push(() => rm(folder, { recursive: true }));
  await Promise.all(['files', 'repository', 'data'].map((name) => mkdir(path.join(folder, name))));
  const git = (...args: string[]) => execFileSync('git', ['-C', path.join(folder, 'repository'), ...args]);
  git('init', '--quiet', '--initial-branch=main');
  git(
    '-c',
    'user.name=T',
    '-c',
    'user.email=t@example.com',
    'commit',
    '--quiet',
    '--allow-empty',
    '-m',
    'Begin.',
  );
  const server = await startServer({
    DATA_DIR: path.join(folder, 'data'),
    API_KEYS: key,
    MCP_COMMANDS: 'on',
    SWITCHYARD_CONFIG: await configuration(await startOverHttp()),
  });
  closing.unshift(() => server.end('SIGTERM'));
  url = server.url;
}, 600_000);
afterAll(async () => {
  for (const close of closing) await close();
});

async function configuration(overHttp: string): Promise<string> {
  const { execPath: node } = process;
  const program = (name: string, ...args: string[]) => ({
    command: node,
    args: [path.join(programs, `server-${name}`, 'dist/index.js'), ...args],
  });
  const content = {
    mcp_servers: {
      everything: program('everything'),
      everything_http: { url: overHttp },
      files: program('filesystem', path.join(folder, 'files')),
      memory: { ...program('memory'), env: { MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') } },
      time: { command: path.join(python, 'mcp-server-time'), args: ['--local-timezone', 'UTC'] },
      git: {
        command: path.join(python, 'mcp-server-git'),
        args: ['--repository', path.join(folder, 'repository')],
      },
    },
  };
  const file = path.join(folder, 'switchyard.yaml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify(content));
  return file;
}

async function startOverHttp(): Promise<string> {
  const port = await freePort();
  const program = path.join(programs, 'server-everything/dist/index.js');
  const child = spawn(process.execPath, [program, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  closing.unshift(() => child.kill());
  const address = `http://127.0.0.1:${port}/mcp`;
  await vi.waitFor(() => fetch(address), { timeout: 60_000, interval: 100 });
  return address;
}

async function clientOf(server: string, mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp/${server}`.replace(/\/$/, '')), { requestInit }),
  );
  onTestFinished(() => client.close());
  return client;
}

interface Call {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}
const call = (name: string, values: Record<string, unknown>): Call => ({ name, arguments: values });
const said = (text: unknown) => ({ content: [{ type: 'text', text }] });
const sum = { right: call('get-sum', { a: 2, b: 3 }), told: said('The sum of 2 and 3 is 5.') };
const everything = { ...sum, wrong: call('get-sum', { a: 'two', b: 3 }), refused: 'expected number' };

/** By server: a call, what it answers, one that is wrong, and what is said of it. */
const servers = (): Record<string, { right: Call; told: object; wrong: Call; refused: string }> => {
  const repo_path = path.join(folder, 'repository');
  return {
    everything,
    everything_http: everything,
    files: {
      right: call('write_file', { path: path.join(folder, 'files/a.txt'), content: 'Ünïcode.' }),
      told: said(expect.stringContaining('Successfully wrote')),
      wrong: call('read_text_file', { path: '/etc/passwd' }),
      refused: 'outside allowed directories',
    },
    memory: {
      right: call('create_entities', {
        entities: [{ name: 'Oslo', entityType: 'city', observations: ['rain'] }],
      }),
      told: {},
      wrong: call('add_observations', { observations: [{ entityName: 'Nowhere', contents: ['x'] }] }),
      refused: 'Nowhere',
    },
    time: {
      right: call('convert_time', { source_timezone: 'UTC', time: '12:00', target_timezone: 'Asia/Tokyo' }),
      told: said(expect.stringContaining('T21:00:00+09:00')),
      wrong: call('get_current_time', { timezone: 'Mars/Olympus' }),
      refused: 'Mars/Olympus',
    },
    git: {
      right: call('git_log', { repo_path }),
      told: said(expect.stringContaining('Begin.')),
      wrong: call('git_show', { repo_path, revision: 'no-such-revision' }),
      refused: 'no-such-revision',
    },
  };
};
const names = ['everything', 'everything_http', 'files', 'memory', 'time', 'git'];

describe.each(['legacy', 'auto'] as const)('a client of the generation %s', (mode) => {
  it.each(names)('lists the tools of %s, calls one, and hears what is wrong with a call', async (name) => {
    const { right, told, wrong, refused } = servers()[name] ?? expect.fail();
    const client = await clientOf(name, mode);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining([right.name, wrong.name]));
    for (const onprogress of [undefined, () => undefined]) {
      const result = await client.callTool(right, { ...(onprogress && { onprogress }) });
      expect(result).toMatchObject(told);
      expect(result.isError ?? false).toBe(false);
      const failed = await client.callTool(wrong, { ...(onprogress && { onprogress }) });
      expect(failed.isError).toBe(true);
      expect(JSON.stringify(failed.content)).toContain(refused);
    }
  });

  it.each(['everything', 'everything_http'])('is passed on what %s has beside plain calls', async (name) => {
    const client = await clientOf(name, mode);
    const { resources } = await client.listResources();
    const [first = expect.fail()] = resources;
    expect((await client.readResource({ uri: first.uri })).contents).toMatchObject([
      { uri: first.uri, mimeType: 'text/markdown', text: expect.stringMatching(/^# /) },
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates.length).toBe(2);
    expect(await client.readResource({ uri: 'demo://resource/dynamic/text/7' })).toMatchObject({
      contents: [{ text: expect.stringContaining('Resource 7') }],
    });
    await expect(client.readResource({ uri: 'demo://nowhere' })).rejects.toMatchObject({ code: -32602 });

    expect((await client.listPrompts()).prompts.map((prompt) => prompt.name)).toContain('args-prompt');
    const prompt = { name: 'args-prompt', arguments: { city: 'Oslo' } };
    expect((await client.getPrompt(prompt)).messages).toMatchObject([
      { content: { text: "What's weather in Oslo?" } },
    ]);
    await expect(client.getPrompt({ name: 'args-prompt' })).rejects.toMatchObject({ code: -32602 });
    const ref = { type: 'ref/prompt' as const, name: 'completable-prompt' };
    const { completion } = await client.complete({ ref, argument: { name: 'department', value: 'E' } });
    expect(completion.values).toEqual(['Engineering']);

    const ask = (tool: string, values: Record<string, unknown>) => client.callTool(call(tool, values));
    expect(await ask('get-structured-content', { location: 'Chicago' })).toMatchObject({
      structuredContent: { humidity: 82 },
    });
    expect((await ask('get-tiny-image', {})).content).toContainEqual(
      expect.objectContaining({ type: 'image', mimeType: 'image/png' }),
    );
    const heard: unknown[] = [];
    await client.callTool(call('trigger-long-running-operation', { duration: 0.1, steps: 2 }), {
      onprogress: (progress) => heard.push(progress),
    });
    expect(heard).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
    // Its server takes it as a task only.
    expect(await ask('simulate-research-query', { topic: 'rain' })).toMatchObject(
      said(expect.stringContaining('Research Report: rain')),
    );
    // It is in the session that the server has with the gateway.
    const made = await ask('gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain,hello' });
    const [link] = made.content;
    const { contents } = await client.readResource({ uri: link?.type === 'resource_link' ? link.uri : '' });
    expect(contents).toMatchObject([{ mimeType: 'application/gzip', blob: expect.stringMatching(/^H4sI/) }]);
  });

  it('has all of them at one address', async () => {
    const client = await clientOf('', mode);
    const tools = (await client.listTools()).tools.map((tool) => tool.name);
    for (const [name, { right, told }] of Object.entries(servers())) {
      expect(tools).toContain(`${name}_${right.name}`);
      expect(await client.callTool({ ...right, name: `${name}_${right.name}` })).toMatchObject(told);
    }
    const uri = 'mcp://everything/demo://resource/dynamic/text/7';
    expect((await client.readResource({ uri })).contents).toMatchObject([{ uri }]);
    expect((await client.listPrompts()).prompts.map((prompt) => prompt.name)).toEqual(
      expect.arrayContaining(['everything_simple-prompt', 'everything_http_simple-prompt']),
    );
  });
});
