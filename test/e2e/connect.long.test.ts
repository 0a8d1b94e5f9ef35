/**
 * The lines that set up each client, run as the page `/connect` has them, with the client itself. The clients are those that
 * `npm run judges` installs; without them there is nothing to run.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { vendorDefaults } from '../../src/gateway/routing/builtin.ts';
import { type Client, clientGroups } from '../../src/pages/connect/connect.ts';
import { startApp, type TestApp, testKey } from '../helpers/app.ts';
import { root } from '../helpers/contract.ts';
import { blocksIn, readMarkdown } from '../helpers/guides.ts';
import { startMcpServer } from '../helpers/mcp-server.ts';

const run = promisify(execFile);
const tools = process.env['TOOLS'] ?? path.join(root, 'build/judges');
const installed = (file: string) => existsSync(path.join(tools, file));

/** Servers whose tools clients of MCP call behind one key. */
const servers = ['north', 'south', 'west'] as const;
const closing: (() => Promise<void>)[] = [];

let app: TestApp;
beforeAll(async () => {
  const started = await Promise.all(servers.map(() => startMcpServer()));
  const settings = { headers: {}, tools: null, timeoutMs: 10_000 };
  const mcpServers = started.map(({ url }, index) => ({ ...settings, id: servers[index] as string, url }));
  app = await startApp({ agents: { mcpServers } });
  closing.push(() => app.close(), ...started.map(({ close }) => close));
});
afterAll(async () => {
  for (const close of closing) await close();
});

/** A folder that is a home too. Codex refuses one in the folder for temporary files. */
async function homeForThisTest(): Promise<string> {
  await mkdir(path.join(root, 'build'), { recursive: true });
  const home = await mkdtemp(path.join(root, 'build/connect-'));
  onTestFinished(() => rm(home, { recursive: true, maxRetries: 3 }));
  return home;
}

/** The client as the page of this server has it. */
function client(id: string): Client {
  const found = clientGroups(app.url, vendorDefaults)
    .flatMap(({ clients }) => clients)
    .find((one) => one.id === id);
  if (!found) throw new Error(`There is no client ${id}.`);
  return found;
}

const environment = (home: string) => ({
  PATH: `${path.join(home, 'bin')}:${process.env['PATH']}`,
  HOME: home,
  LANG: 'C.UTF-8',
  NO_PROXY: '127.0.0.1,localhost',
  SWITCHYARD_API_KEY: testKey,
});

/** The requests that the server has answered since its log had this length, and none of them with an error. */
function answeredSince(length: number): unknown[] {
  const requests = app.log.slice(length).filter(({ msg }) => msg === 'request');
  expect(requests.filter((line) => Number(line['status']) >= 400)).toEqual([]);
  return requests;
}

/** What the sandbox says of itself is in the answer, so it came from this server. */
const fromSandbox = /sandbox/i;

const programs = clientGroups('http://127.0.0.1', vendorDefaults)
  .flatMap(({ clients }) => clients)
  .filter(({ packages }) => packages !== undefined)
  .map(({ id, packages = '' }) => ({
    id,
    from: packages === 'npm' ? 'npm/node_modules' : `python/${packages}/bin/python`,
  }));

describe('the programs', () => {
  it.for(programs)('of $id run', async ({ id, from }, { skip }) => {
    if (!installed(from)) return skip(`npm run judges has not installed ${from}`);
    const [block] = client(id).blocks;
    const home = await homeForThisTest();
    const before = app.log.length;
    const options = { cwd: home, env: environment(home), timeout: 100_000 };
    const file = path.join(home, block?.lang === 'js' ? 'program.mjs' : 'program.py');
    await writeFile(file, block?.code ?? '');
    if (block?.lang === 'js') await symlink(path.join(tools, from), path.join(home, 'node_modules'));
    const command = block?.lang === 'js' ? process.execPath : path.join(tools, from);
    const { stdout } = await run(command, [file], options);
    expect(stdout).toMatch(fromSandbox);
    expect(answeredSince(before).length).toBeGreaterThan(0);
  });
});

/** What makes an agent, which asks its user, answer once and end. */
const agents: readonly { readonly id: string; readonly program: string; readonly given: string }[] = [
  { id: 'claude-code', program: 'claude', given: '"$@" -p "Say hello."' },
  {
    id: 'codex',
    program: 'codex',
    given: 'exec --skip-git-repo-check --sandbox danger-full-access "$@" "Say hello."',
  },
  { id: 'gemini-cli', program: 'gemini', given: '"$@" -p "Say hello."' },
];

/** What an agent says when it is started as its page or the README has it. */
async function answerOf(program: string, given: string, home: string, script: string): Promise<string> {
  await mkdir(path.join(home, 'bin'), { recursive: true });
  const wrapper = path.join(home, 'bin', program);
  const found = path.join(tools, 'agents/node_modules/.bin', program);
  await writeFile(wrapper, `#!/bin/sh\nexec '${found}' ${given} < /dev/null\n`);
  await chmod(wrapper, 0o755);
  // Gemini CLI gets here the choice that the page names.
  await mkdir(path.join(home, '.gemini'), { recursive: true });
  await writeFile(
    path.join(home, '.gemini/settings.json'),
    '{"security": {"auth": {"selectedType": "gemini-api-key"}}}',
  );
  const env = { ...environment(home), GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  return (await run('bash', ['-euc', script], { cwd: home, env, timeout: 100_000 })).stdout;
}

describe('the agents', () => {
  const missing = 'npm run judges has not installed the agents';

  it.for(agents)('$id answers', async ({ id, program, given }, { skip }) => {
    if (!installed(`agents/node_modules/.bin/${program}`)) return skip(missing);
    const home = await homeForThisTest();
    const before = app.log.length;
    const [block] = client(id).blocks;
    const inFile = block?.caption.startsWith('~/') ? path.join(home, block.caption.slice(2)) : null;
    if (inFile !== null) await mkdir(path.dirname(inFile));
    if (inFile !== null) await writeFile(inFile, block?.code ?? '');
    const script = inFile === null ? (block?.code ?? '') : program;
    expect(await answerOf(program, given, home, script)).toMatch(fromSandbox);
    expect(answeredSince(before).length).toBeGreaterThan(0);
  });

  /** The sandbox calls the tool that the text names, with what follows it. */
  const asked = (tool: string) => `'${tool} Paris'`;
  type Caller = (home: string, blocks: Client['blocks']) => Promise<(tool: string) => Promise<string>>;
  const callers: Record<string, Caller> = {
    async 'claude-code'(home, [models, tools]) {
      await answerOf('claude', '"$@"', home, tools?.code ?? '');
      // A model would search for the tool first, which the sandbox does not.
      const script = `export ENABLE_TOOL_SEARCH=false\n${models?.code}`;
      return (tool) => {
        const given = `"$@" --allowedTools mcp__switchyard -p ${asked(`mcp__switchyard__${tool}`)}`;
        return answerOf('claude', given, home, script);
      };
    },
    async codex(home, blocks) {
      await mkdir(path.join(home, '.codex'));
      await writeFile(path.join(home, '.codex/config.toml'), blocks.map(({ code }) => code).join('\n'));
      const options = 'exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox';
      return (tool) => answerOf('codex', `${options} ${asked(`mcp__switchyard__${tool}`)}`, home, 'codex');
    },
    async opencode(home, blocks) {
      const settings = Object.assign({}, ...blocks.map(({ code }) => JSON.parse(code)));
      await writeFile(path.join(home, 'opencode.json'), JSON.stringify(settings));
      await run('npm', ['install', '--silent', '--prefix', 'program', 'opencode-ai@1.18.33'], { cwd: home });
      return async (tool) => {
        const script = `program/node_modules/.bin/opencode run ${asked(`switchyard_${tool}`)} < /dev/null`;
        return (await run('bash', ['-euc', script], { cwd: home, env: environment(home) })).stdout;
      };
    },
  };
  it.for(Object.keys(callers))('%s calls tools of three MCP servers with one key', async (id, { skip }) => {
    const { program } = agents.find((agent) => agent.id === id) ?? {};
    if (program && !installed(`agents/node_modules/.bin/${program}`)) return skip(missing);
    const call = await callers[id]?.(await homeForThisTest(), client(id).blocks);
    for (const server of servers) {
      const before = app.log.length;
      expect(await call?.(`${server}_weather_of`)).toContain('Rain in Paris');
      const calls = app.log.slice(before).filter((line) => line['mcp_tool'] !== undefined);
      expect(calls.map(({ status, mcp_tool }) => [status, mcp_tool])).toEqual([
        [200, `${server}_weather_of`],
      ]);
    }
  });

  it('that the README shows answers, with a model of another vendor', async ({ skip }) => {
    const { program = '', given = '' } = agents.find(({ id }) => id === 'claude-code') ?? {};
    if (!installed(`agents/node_modules/.bin/${program}`)) return skip(missing);
    const block = blocksIn(readMarkdown('README.md')).find(({ text }) => text.includes(` ${program} `));
    const script = (block?.text ?? '').replaceAll('http://127.0.0.1:8080', app.url);
    expect(script).toContain('gpt-');
    const before = app.log.length;
    expect(await answerOf(program, given, await homeForThisTest(), script)).toMatch(fromSandbox);
    expect(answeredSince(before).length).toBeGreaterThan(0);
  });
});

it('llm answers', async ({ skip }) => {
  const bin = path.join(tools, 'python/frameworks/bin');
  if (!existsSync(path.join(bin, 'llm'))) return skip('npm run judges has not installed llm');
  const home = await homeForThisTest();
  const env = { ...environment(home), PATH: `${bin}:${process.env['PATH']}` };
  const [settings, commands] = client('llm').blocks;
  const { stdout: database } = await run('llm', ['logs', 'path'], { env });
  await mkdir(path.dirname(database), { recursive: true });
  await writeFile(path.join(path.dirname(database), 'extra-openai-models.yaml'), settings?.code ?? '');
  const before = app.log.length;
  const running = run('bash', ['-euc', commands?.code ?? ''], { cwd: home, env });
  // It takes what comes on standard input for a part of the prompt.
  running.child.stdin?.end();
  const { stdout } = await running;
  expect(stdout).toMatch(fromSandbox);
  expect(answeredSince(before).length).toBeGreaterThan(0);
});
