/** What clients find before they ask for anything, and the page that says how they are set up. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { appForThisTest, testKey } from '../helpers/app.ts';
import { root } from '../helpers/contract.ts';
import { blocksIn, readMarkdown } from '../helpers/guides.ts';
import { providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

it.each([
  ['HEAD', '/'],
  ['HEAD', '/api/hello'],
  ['GET', '/api/hello'],
])('%s %s says without a key that there is a server', async (method, path) => {
  const app = await appForThisTest();
  const reply = await fetch(app.url + path, { method });
  expect(reply.status).toBe(200);
  expect(await reply.text()).toBe(method === 'GET' ? '{"message":"hello"}' : '');
  expect(app.log.filter(({ msg, status }) => msg === 'request' && Number(status) >= 400)).toEqual([]);
});

it('the page /connect names this server, and models that it knows', async () => {
  const vendor = await vendorFor(() => undefined);
  const app = await appForThisTest({
    publicUrl: 'https://ai.example.com',
    models: { providers: [providerOf('anthropic', vendor.baseUrl)], defaultModel: 'claude-haiku-5-5' },
  });
  const text = await (await fetch(`${app.url}/connect`)).text();
  expect(text).toContain('export ANTHROPIC_BASE_URL=https://ai.example.com\n');
  expect(text).toContain('claude --model claude-sonnet-5-5');
  expect(text).toContain('model = &quot;claude-haiku-5-5&quot;');
  expect(text).not.toContain('gpt-');
  expect(text).not.toContain('127.0.0.1');
});

it.each(['/', '/docs/guides'])('%s leads there', async (path) => {
  const app = await appForThisTest();
  const text = await (await fetch(app.url + path)).text();
  expect(text).toContain('href="/connect"');
});

const program = `
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
const messages = [{ role: 'user', content: 'Hello!' }];
const told = await new OpenAI().chat.completions.create({ model: 'sandbox', messages });
const said = await new Anthropic().messages.create({ model: 'sandbox', max_tokens: 500, messages });
const made = await new GoogleGenAI({}).models.generateContent({ model: 'sandbox', contents: 'Hello!' });
console.log(JSON.stringify([told.choices[0].message.content, said.content[0].text, made.text]));
`;

it.each(['README.md', 'docs/guides/connect.md'])(
  'the variables of %s are all that the SDKs need',
  async (file) => {
    const { url } = await appForThisTest();
    const block = blocksIn(readMarkdown(file)).find(({ text }) => text.includes('export OPENAI_BASE_URL='));
    const script = `${block?.text.replaceAll('http://127.0.0.1:8080', url)}\nexec "$NODE" --input-type=module -e "$PROGRAM"`;
    const env = { NODE: process.execPath, PROGRAM: program, SWITCHYARD_API_KEY: testKey };
    const { stdout } = await promisify(execFile)('/bin/bash', ['-euc', script], { cwd: root, env });
    const answers = JSON.parse(stdout) as string[];
    expect(answers).toHaveLength(3);
    for (const answer of answers) expect(answer).toContain('built-in sandbox of Switchyard');
  },
);
