import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { describe, expect, it } from 'vitest';
import { appForThisTest, type TestApp, testKey, testMetricsToken } from '../helpers/app.ts';
import { root } from '../helpers/contract.ts';
import { blocksIn, readMarkdown } from '../helpers/guides.ts';
import { anthropicFixture, openAiFixture } from '../helpers/vendor-fixtures.ts';
import { canaryKey, providerOf, vendorFor } from '../helpers/vendor-gateway.ts';
import type { VendorScript } from '../lib/vendor.ts';

/** What clients find before they ask for anything, and the page that says how they are set up. */
describe('what clients find', () => {
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
});

/** A client's key reaches no vendor, and is written down nowhere, in whichever way it comes. */
describe('keys of clients', () => {
  const wrongKey = 'sk-canary-of-a-stranger-0123456789';

  interface Sent {
    readonly headers?: Readonly<Record<string, string>>;
    readonly query?: string;
  }

  const ways: readonly (readonly [string, (key: string) => Sent])[] = [
    ['Authorization', (key) => ({ headers: { authorization: `Bearer ${key}` } })],
    ['x-api-key', (key) => ({ headers: { 'x-api-key': key } })],
    ['api-key', (key) => ({ headers: { 'api-key': key } })],
    ['x-goog-api-key', (key) => ({ headers: { 'x-goog-api-key': key } })],
    ['the query', (key) => ({ query: `?key=${key}` })],
  ];

  /** What is asked, and how it ends: on the native lane, on the translated lane, at a vendor that fails, and with a refusal. */
  const asked = [
    { url: '/v1/messages', model: 'claude-haiku-5-5', status: 200 },
    { url: '/v1/chat/completions', model: 'claude-haiku-5-5', status: 200 },
    { url: '/v1/messages', model: 'gpt-4o', status: 502 },
    { url: '/v1/chat/completions', model: 'of-nobody', status: 404 },
  ] as const;

  async function post(app: TestApp, at: (typeof asked)[number], { headers, query = '' }: Sent) {
    const reply = await fetch(app.url + at.url + query, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: at.model, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    return { status: reply.status, text: (await reply.text()) + JSON.stringify([...reply.headers]) };
  }

  async function filesOf(folder: string): Promise<string> {
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = names
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
  }

  describe.each(ways)('a key in %s', (_, sent) => {
    it('stays here, and is in no reply, log, metric or file', async () => {
      const anthropic = await vendorFor(({ json }) => json(anthropicFixture.reply));
      const openai = await vendorFor(({ json }) => json({ error: { message: 'no' } }, 500));
      const app = await appForThisTest({
        metricsToken: testMetricsToken,
        models: {
          providers: [providerOf('anthropic', anthropic.baseUrl), providerOf('openai', openai.baseUrl)],
          maxAttempts: 1,
        },
      });
      const seen: string[] = [];
      for (const at of asked) {
        const reply = await post(app, at, sent(testKey));
        expect([at.model, reply.status]).toEqual([at.model, at.status]);
        const refused = await post(app, at, sent(wrongKey));
        expect(refused.status).toBe(401);
        seen.push(reply.text, refused.text);
      }
      expect([anthropic.requests.length, openai.requests.length]).toEqual([2, 1]);
      const headers = { authorization: `Bearer ${testMetricsToken.reveal()}` };
      const metrics = await (await fetch(`${app.url}/metrics`, { headers })).text();
      expect(metrics).toContain('createMessage');
      const files = await filesOf(app.dataDir);
      expect(files).toContain('createMessage');
      const written = [
        ...seen,
        JSON.stringify(anthropic.requests),
        JSON.stringify(openai.requests),
        metrics,
        files,
      ];
      for (const text of [...written, JSON.stringify(app.log)])
        for (const key of [testKey, wrongKey]) expect(text).not.toContain(key);
    });
  });
});

/** What clients of foreign interfaces do besides asking a model. Each way was seen of the client that is named. */
describe('ways of clients', () => {
  async function appWith(wire: 'openai' | 'anthropic' | 'gemini', script: VendorScript, pingMs = 10_000) {
    const vendor = await vendorFor(script);
    const app = await appForThisTest({ models: { providers: [providerOf(wire, vendor.baseUrl)] }, pingMs });
    return { app, vendor };
  }

  it('lists models whatever a client adds to the query, as Claude Code does with a limit and Codex with its version', async () => {
    const app = await appForThisTest();
    const get = async (query: string) => {
      const reply = await fetch(`${app.url}/v1/models${query}`, {
        headers: { authorization: `Bearer ${testKey}` },
      });
      return [reply.status, await reply.json()];
    };
    const plain = await get('');
    expect(plain[0]).toBe(200);
    for (const query of [
      '?limit=1000',
      '?limit=1000&beta=true&after_id=a&after_id=b',
      '?client_version=0.169.0',
    ])
      expect(await get(query)).toEqual(plain);
  });

  it('refuses a WebSocket with 426, after which Codex goes on over HTTP at once', async () => {
    const app = await appForThisTest();
    const headers = {
      authorization: `Bearer ${testKey}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': '64aDsOU7WzalEUFd+ceBsw==',
    };
    const reply = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const call = request(`${app.url}/v1/responses`, { headers }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode, body }));
      });
      call.on('upgrade', () => reject(new Error('it was upgraded')));
      call.on('error', reject).end();
    });
    expect(reply.status).toBe(426);
    expect(JSON.parse(reply.body)).toMatchObject({ error: { code: 'websocket_unsupported' } });
    const plain = await fetch(`${app.url}/v1/responses`, { headers: { authorization: `Bearer ${testKey}` } });
    expect(plain.status).toBe(405);
  });

  it("says that no thread is kept so that the loop of Anthropic's own client sends the whole conversation", async () => {
    const { app, vendor } = await appWith('openai', ({ request: { json }, reply }) => {
      const messages = json['messages'] as { role: string }[];
      const call = {
        id: 'call_1',
        type: 'function',
        function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
      };
      const answered = messages.some(({ role }) => role === 'tool');
      const message = answered
        ? { role: 'assistant', content: 'It rains.' }
        : { role: 'assistant', content: null, tool_calls: [call] };
      const answer = {
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'gpt-4o',
        choices: [{ index: 0, message, finish_reason: answered ? 'stop' : 'tool_calls' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      };
      reply(200, JSON.stringify(answer));
    });
    const anthropic = new Anthropic({ baseURL: app.url, apiKey: testKey, maxRetries: 0 });
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const;
    const weather = betaTool({
      name: 'get_weather',
      description: 'The weather in a city',
      inputSchema: schema,
      run: () => 'rain',
    });
    const answer = await anthropic.beta.messages.toolRunner({
      model: 'gpt-4o',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
      tools: [weather],
    });
    expect(answer.content).toMatchObject([{ type: 'text', text: 'It rains.' }]);
    expect(
      vendor.requests.map(({ json }) => (json['messages'] as { role: string }[]).map(({ role }) => role)),
    ).toEqual([['user'], ['user', 'assistant', 'tool']]);
  });

  it('keeps no thread in the sandbox either', async () => {
    const app = await appForThisTest();
    const anthropic = new Anthropic({ baseURL: app.url, apiKey: testKey, maxRetries: 0 });
    const asked = anthropic.beta.messages.create({
      model: 'sandbox',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hi' }],
      thread: { type: 'create' },
    });
    await expect(asked).rejects.toMatchObject({
      status: 400,
      error: { error: { param: 'thread', details: { error_code: 'thread_unsupported_request' } } },
    });
  });

  it('counts tokens in the version of the wire that its client names, under our own key', async () => {
    const { app, vendor } = await appWith('anthropic', ({ json }) => json({ input_tokens: 7 }));
    const anthropic = new Anthropic({
      baseURL: app.url,
      apiKey: testKey,
      maxRetries: 0,
      defaultHeaders: { 'anthropic-version': '2099-01-01' },
    });
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    const counted = await anthropic.messages.countTokens({ model: 'claude-sonnet-4-6', messages });
    expect(counted.input_tokens).toBe(7);
    expect(vendor.requests[0]?.headers).toMatchObject({
      'anthropic-version': '2099-01-01',
      'x-api-key': canaryKey,
    });
  });

  it.each([404, 405, 501])(
    'estimates the tokens of a prompt where a vendor answers %i to be asked for them',
    async (status) => {
      const { app } = await appWith('anthropic', ({ reply }) =>
        reply(status, JSON.stringify({ error: { message: 'Not found', type: 'not_found' } })),
      );
      const reply = await fetch(`${app.url}/v1/messages/count_tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'claude-sonnet-4-6',
          messages: [{ role: 'user', content: 'Good day to you' }],
        }),
      });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('x-switchyard-warnings')).toBe('tokens_estimated');
      const { input_tokens: tokens } = (await reply.json()) as { input_tokens: number };
      expect(tokens).toBeGreaterThan(3);
    },
  );

  it.each([
    ['openai', '/v1/chat/completions', { model: 'gpt-4o' }, ': ping\n\n', openAiFixture.stream],
    [
      'anthropic',
      '/v1/messages',
      { model: 'claude-sonnet-4-6', max_tokens: 100 },
      'event: ping\n',
      anthropicFixture.stream,
    ],
  ] as const)(
    'says at once that it is still there when it begins a stream of %s before its vendor does',
    async (wire, path, more, ping, stream) => {
      const begun = Promise.withResolvers<void>();
      const { app } = await appWith(wire, ({ events }) => void begun.promise.then(() => events(stream)), 200);
      const reply = await fetch(app.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...more, stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
      });
      // Only its head has come, and the vendor answers before the next silence is over.
      begun.resolve();
      const text = await reply.text();
      expect(text.startsWith(ping)).toBe(true);
      expect(text).toContain('data: {');
    },
  );
});
