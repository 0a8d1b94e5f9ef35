import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exampleModels, vendorDefaults } from '../../../src/gateway/routing/builtin.ts';
import { clientGroups, connectPage, keyInLines } from '../../../src/pages/connect/connect.ts';
import { docsPage, guidePages } from '../../../src/pages/docs.ts';
import { testEvery } from '../../helpers/test-every.ts';

const base = 'https://ai.example.com';
const models = { openai: 'model-o', anthropic: 'model-a', gemini: 'model-g' };
const clients = clientGroups(base, models).flatMap((group) => group.clients);

/** The clients that the issue and its groundwork name. */
const expected = [
  'aider',
  'anthropic-node',
  'anthropic-python',
  'claude-code',
  'cline',
  'codex',
  'continue',
  'curl',
  'cursor',
  'gemini-cli',
  'google-genai-node',
  'google-genai-python',
  'kilo',
  'langchain-js',
  'langchain-python',
  'litellm',
  'llm',
  'open-webui',
  'openai-agents',
  'openai-node',
  'openai-python',
  'opencode',
  'pydantic-ai',
  'qwen-code',
  'vercel-ai',
  'vibe',
  'vscode',
];

describe('the clients', () => {
  it('are all there, once', () => {
    expect(clients.map(({ id }) => id).sort()).toEqual(expected);
  });

  it('are as many as the README says', () => {
    const readme = readFileSync(path.join(import.meta.dirname, '../../../README.md'), 'utf8');
    expect(readme).toContain(`the lines for ${clients.length} clients`);
  });

  testEvery('are set up with the address, the key and a model', clients, ({ id, blocks, docs, wires }) => {
    const code = blocks.map((block) => block.code).join('\n');
    expect(code).toContain(base);
    expect(code.includes('SWITCHYARD_API_KEY') || code.includes(keyInLines)).toBe(true);
    // Open WebUI asks for the list of models, and clients of MCP bring a model of their own.
    const [wire] = wires;
    if (!wire) expect(code).toContain(`${base}/mcp`);
    else if (id !== 'open-webui') expect(code).toContain(models[wire]);
    expect(code).not.toMatch(/\{\{\w|127\.0\.0\.1/);
    expect(URL.parse(docs)?.protocol).toBe('https:');
  });

  testEvery('never have a key in an address', clients, ({ blocks }) => {
    for (const { code } of blocks) expect(code).not.toMatch(/[?&]key=|https?:\S*(?:sw_live|API_KEY)/);
  });

  testEvery('have lines that fit beside the list of clients', clients, ({ blocks }) => {
    for (const { code } of blocks)
      for (const line of code.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  });
});

describe('the page', () => {
  const page = connectPage(base, models);
  const body = String((page.render({} as never) as { body: string }).body);

  it('has each client at a place of its own, which its list leads to', () => {
    for (const { id } of clients) {
      expect(body).toContain(`id="${id}"`);
      expect(body).toContain(`href="#${id}"`);
    }
  });

  it('has the same word for the key as its script', () => {
    const script = readFileSync(
      path.join(import.meta.dirname, '../../../src/pages/assets/connect.ts'),
      'utf8',
    );
    expect(script).toContain(`'${keyInLines}'`);
    expect(body).toContain(`export SWITCHYARD_API_KEY=${keyInLines}`);
  });

  it('sends what is typed as the key nowhere', () => {
    expect(body).not.toContain('<form');
    expect(body).not.toMatch(/<input[^>]* name=/);
  });
});

describe('the models of the examples', () => {
  const gateway = (known: readonly string[]) => ({
    find(name: string) {
      if (!known.includes(name)) throw new Error('unknown');
      return { id: name } as never;
    },
    list: () => ({ default_model: 'mine' }) as never,
  });

  it("are the vendors' own where the server knows them, and else its default", () => {
    expect(exampleModels(gateway([vendorDefaults.anthropic]))).toEqual({
      openai: 'mine',
      anthropic: vendorDefaults.anthropic,
      gemini: 'mine',
    });
  });
});

describe('docs', () => {
  it('the documentation is read again after it could not be', async () => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'switchyard-docs-')), 'docs.html');
    onTestFinished(() => rm(path.dirname(file), { recursive: true }));
    const { render } = docsPage('http://127.0.0.1:8080', file);
    await mkdir(file);
    await expect(render({} as never)).rejects.toMatchObject({ code: 'EISDIR' });
    await rm(file, { recursive: true });
    await writeFile(file, 'All of it.');
    expect(String((await render({} as never)).body)).toBe('All of it.');
  });
});

describe('guides', () => {
  it('the guides are read again after they could not be', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'switchyard-guides-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = path.join(directory, 'guides.json');
    const [list] = guidePages('http://127.0.0.1:8080', file);
    const render = async () => list?.render({ params: {} } as never);
    await writeFile(file, '{');
    await expect(render()).rejects.toThrow(SyntaxError);
    const start = { title: 'Guides', html: '<p>All of them.</p>' };
    await writeFile(file, JSON.stringify({ groups: [], start, guides: [] }));
    expect(String((await render())?.body)).toContain('All of them.');
  });
});
