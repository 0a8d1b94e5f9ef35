/** The operations that stream, and `"stream": true` of version 1.0, which is handed over to them. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { agentOf } from '../helpers/agents.ts';
import { appForThisTest, startApp, type TestApp, testKey } from '../helpers/app.ts';
import { ask, eventsOf } from '../helpers/http.ts';
import { replyDraft } from '../helpers/vendor-answers.ts';
import { longLimits, providerOf, until, vendorFor } from '../helpers/vendor-gateway.ts';

/** An agent of the operator, whose operation is the general one. */
const ownAgent = agentOf({ id: 'own', tools: [] });
const text = { text: 'The city closes a street. Shops lose customers. Harbour Road was closed before.' };

/** The operations that stream, and the paths that hand over to them: what they are asked, and what the ledger says. */
const streams = [
  {
    path: '/v1/chat/stream',
    whole: ['/v1/chat', '/api/chat'],
    body: { message: 'Hello there!' },
    ledger: 'createChat',
    scope: 'chat',
  },
  {
    path: '/v1/ai/summarize/stream',
    whole: ['/v1/ai/summarize'],
    body: { input: text },
    ledger: 'summarize',
    scope: 'ai',
  },
  {
    path: '/v1/agents/assistant/run/stream',
    whole: ['/v1/agents/assistant/run'],
    body: { input: 'What is 17 * 23?' },
    ledger: 'runAssistant',
    scope: 'agents',
  },
  {
    path: `/v1/agents/${ownAgent.id}/run/stream`,
    whole: [`/v1/agents/${ownAgent.id}/run`],
    body: { input: 'Hello' },
    ledger: 'runAgent',
    scope: 'agents',
  },
] as const;

/** What says the same every time: ids, times and how a text is cut into pieces are left out. */
function told(stream: string) {
  const events = eventsOf(stream).map(({ data }) => data as Record<string, unknown> & { type: string });
  const written = events.map(({ content }) => content ?? '').join('');
  return { kinds: [...new Set(events.map(({ type }) => type))], last: events.at(-1)?.type, written };
}

describe.each(streams)('POST $path', ({ path, whole, body, ledger, scope }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ agents: { agents: [ownAgent] } });
  });
  afterAll(() => app.close());

  it('streams from the first event to the last', async () => {
    const { status, headers, text } = await ask(app.url + path, { body });
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(told(text)).toMatchObject({ last: 'end', written: expect.stringMatching(/\w/) });
  });

  it.each(whole)('is what %s answers to "stream": true, whatever it is told to accept', async (plain) => {
    const expected = told((await ask(app.url + path, { body })).text);
    for (const accept of ['*/*', 'text/event-stream', 'application/json']) {
      const { status, headers, text } = await ask(app.url + plain, {
        body: { ...body, stream: true },
        headers: { accept },
      });
      expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
      expect(told(text)).toEqual(expected);
    }
  });

  it.each(whole)('is not what %s answers without, or with "stream": false', async (plain) => {
    for (const more of [{}, { stream: false }]) {
      const { status, json } = await ask(app.url + plain, { body: { ...body, ...more } });
      expect(status).toBe(200);
      expect(json.id).toMatch(/^(chat|ai|run)[-_]/);
    }
  });

  it.each(['stream', 'background'])('takes no "%s"', async (field) => {
    const { status, error } = await ask(app.url + path, { body: { ...body, [field]: false } });
    expect([status, error.code, error.param]).toEqual([400, 'invalid_request', field]);
  });

  it('stands in the ledger as the operation that answers whole', async () => {
    await ask(app.url + path, { body });
    await ask(app.url + whole[0], { body: { ...body, stream: true } });
    await until(() => app.accounts.admissions.waitingSettlements === 0);
    const { json } = await ask(`${app.url}/v1/requests?limit=2`);
    const rows = json.data.map(({ operation, status }: Record<string, string>) => [operation, status]);
    expect(rows).toEqual([
      [ledger, 'succeeded'],
      [ledger, 'succeeded'],
    ]);
  });

  it('is refused when the limits are used up, with its own status', async () => {
    const limited = await appForThisTest({
      limits: { requestsPerMinute: 0 },
      agents: { agents: [ownAgent] },
    });
    for (const asked of [path, ...whole]) {
      const more = asked === path ? {} : { stream: true };
      const { status, error } = await ask(limited.url + asked, { body: { ...body, ...more } });
      expect([status, error.code]).toEqual([429, 'rate_limited']);
    }
  });

  it(`needs the scope ${scope}, also by way of "stream": true`, async () => {
    for (const asked of [path, ...whole]) {
      const more = asked === path ? {} : { stream: true };
      const { status, error } = await ask(app.url + asked, {
        body: { ...body, ...more },
        key: 'test-key-without-scopes',
      });
      expect([status, error.code]).toEqual([403, 'insufficient_scope']);
    }
  });
});

it('an own feature of the operator streams by the general operation', async () => {
  const app = await appForThisTest({ features: [replyDraft] });
  const body = { input: { ticket: 'It is broken.' } };
  const stream = await ask(`${app.url}/v1/ai/${replyDraft.id}/stream`, { body });
  const asked = await ask(`${app.url}/v1/ai/${replyDraft.id}`, { body: { ...body, stream: true } });
  // There is no model here: both find the feature, whose engine is missing.
  for (const { status, error } of [stream, asked])
    expect([status, error.code]).toEqual([400, 'model_required']);
});

it.each([
  ['/v1/ai/no-such-feature/stream', { input: text }, 404, 'not_found'],
  ['/v1/agents/no-such-agent/run/stream', { input: 'Hello' }, 404, 'not_found'],
  ['/v1/ai/keywords/stream', { input: text }, 400, 'invalid_request'],
  ['/v1/chat/stream', { message: 'Hello', model: 'sandbox/rate-limited' }, 429, 'provider_rate_limited'],
  ['/v1/chat/stream', { message: 'Hello', model: 'sandbox/error' }, 502, 'provider_error'],
])('POST %s is an ordinary error reply before its first event: %j', async (path, body, expected, code) => {
  const app = await appForThisTest();
  const { status, error } = await ask(app.url + path, { body });
  expect([status, error.code]).toEqual([expected, code]);
});

it('a feature whose vendor fails before the first event is an ordinary error reply', async () => {
  const vendor = await vendorFor((reply) => reply.json({}, 500));
  const providers = [providerOf('openai', vendor.baseUrl)];
  const app = await appForThisTest({ models: { providers, maxAttempts: 1, timeLimits: longLimits } });
  const body = { input: text, model: 'gpt-4o' };
  const { status, error } = await ask(`${app.url}/v1/ai/summarize/stream`, { body });
  expect([status, error.code]).toEqual([502, 'provider_error']);
});

const choice = { message: 'Hello', tool_choice: 'auto' };
const local = { input: text, engine: 'local', model: 'sandbox/echo' };
it.each([
  ['/v1/chat', choice, 'tool_choice', 'dependency'],
  ['/v1/chat', { message: 'Hello', parallel_tool_calls: true }, 'parallel_tool_calls', 'dependency'],
  ['/v1/ai/summarize', local, 'model', 'option'],
])(
  'POST %s is refused as a stream by the rules between fields as it is without: %j',
  async (path, body, param, code) => {
    const app = await appForThisTest();
    const refusals = [
      await ask(app.url + path, { body }),
      await ask(app.url + path, { body: { ...body, stream: true } }),
      await ask(`${app.url + path}/stream`, { body }),
    ].map(({ status, error }) => [status, error?.param, error?.details[0]?.code]);
    expect(refusals).toEqual(Array(3).fill([400, param, code]));
  },
);

const isEnd = /event: (?:end|message_stop)\n/;
const piece = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'gpt-4o', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

it.each([
  ['/v1/chat/stream', { message: 'Hello', model: 'gpt-4o' }],
  [
    '/v1/messages',
    { model: 'gpt-4o', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'Hi' }] },
  ],
])(
  '%s gives its reader what came together with the end without waiting until the end is written',
  async (target, body) => {
    const goOn = Promise.withResolvers<void>();
    const vendor = await vendorFor(async (reply) => {
      reply.eventStream();
      reply.chunk(piece({ role: 'assistant', content: 'one ' }));
      await goOn.promise;
      reply.chunk(
        `${piece({ content: 'two ' })}${piece({ content: 'three' })}${piece({}, 'stop')}data: [DONE]\n\n`,
      );
      reply.lastChunk();
    });
    const providers = [providerOf('openai', vendor.baseUrl)];
    const app = await appForThisTest({ models: { providers, timeLimits: longLimits } });
    const other = new DatabaseSync(path.join(app.dataDir, 'switchyard.db'), { timeout: 5_000 });
    onTestFinished(() => other.close());
    const response = await fetch(app.url + target, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const steps = [
      // The beginning is written by now; until it is let go, nothing else is.
      {
        shown: 'one ',
        next: () => {
          other.exec('begin immediate');
          goOn.resolve();
        },
      },
      { shown: 'three', next: () => other.exec('rollback') },
    ];
    let stream = '';
    for await (const chunk of response.body ?? []) {
      stream += Buffer.from(chunk).toString();
      const [step] = steps;
      if (!step || !stream.includes(step.shown)) continue;
      expect(stream).not.toMatch(isEnd);
      steps.shift();
      step.next();
    }
    expect(stream).toMatch(isEnd);
  },
);
