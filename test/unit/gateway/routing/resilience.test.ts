import { describe, expect, test } from 'vitest';
import { createModelGateway } from '../../../../src/gateway/routing/gateway.ts';
import type { ModelsSettings } from '../../../../src/gateway/upstream/settings.ts';
import { said } from '../../../../src/model/parts.ts';
import type { Attempt, ModelGateway } from '../../../../src/model/port.ts';
import { anthropicFixture, openAiFixture } from '../../../helpers/vendor-fixtures.ts';
import {
  callOf,
  errorOf,
  gatewayTo,
  longLimits,
  providerOf,
  settingsOf,
  shown,
  vendorFor,
} from '../../../helpers/vendor-gateway.ts';
import type { ScriptedVendor, VendorScript } from '../../../lib/vendor.ts';

const { signal } = new AbortController();
const works: VendorScript = ({ request, json, events }) =>
  request.json['stream'] ? events(openAiFixture.stream) : json(openAiFixture.reply);
const answers =
  (
    status: number,
    headers: Record<string, string> = {},
    body: unknown = { error: { message: 'Because.' } },
  ): VendorScript =>
  ({ json }) =>
    json(body, status, headers);

interface Chain {
  readonly gateway: ModelGateway;
  readonly vendors: readonly ScriptedVendor[];
  readonly attempts: Attempt[];
  readonly sent: () => number[];
  ask(): ReturnType<ModelGateway['complete']>;
  stream(): ReturnType<ModelGateway['stream']>;
}

/** The model `m`, served by the first vendor and, should that fail, by the others in turn. */
async function chainOf(scripts: readonly VendorScript[], more: Partial<ModelsSettings> = {}): Promise<Chain> {
  const vendors = await Promise.all(scripts.map(vendorFor));
  const names = ['one', 'two', 'three', 'four'];
  const providers = vendors.map(({ baseUrl }, i) =>
    providerOf('openai', baseUrl, { id: names[i] ?? '', patterns: [] }),
  );
  const fallbacks = names.slice(1, vendors.length).map((name) => `${name}/m`);
  const models = [{ id: 'm', provider: 'one', model: 'm', temperature: null, fallbacks }];
  const gateway = createModelGateway(settingsOf(providers, { models, maxAttempts: 4, ...more }));
  const attempts: Attempt[] = [];
  const context = { signal, onAttempt: (attempt: Attempt) => void attempts.push(attempt) };
  return {
    gateway,
    vendors,
    attempts,
    sent: () => vendors.map(({ requests }) => requests.length),
    ask: () => gateway.complete('m', callOf(), context),
    stream: () => gateway.stream('m', callOf(), context),
  };
}

describe('retries', () => {
  test.each<[string, VendorScript]>([
    ['500', answers(500)],
    ['502', answers(502)],
    ['503', answers(503)],
    ['408', answers(408)],
    ['409', answers(409)],
    ['429', answers(429)],
    ['529', answers(529)],
    ['an invalid reply', answers(200, {}, {})],
    ['a broken connection', ({ reset }) => reset()],
  ])('%s is retried', async (_, script) => {
    const { ask, attempts } = await chainOf([(reply) => (reply.index === 0 ? script(reply) : works(reply))]);
    expect(shown((await ask()).completion).content).toBe(openAiFixture.text);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'succeeded']);
  });

  test.each([400, 401, 402, 403, 404, 405, 413, 422])('%i is not', async (status) => {
    const { ask, sent } = await chainOf([answers(status)]);
    await errorOf(ask());
    expect(sent()).toEqual([1]);
  });

  test('a spent quota is not', async () => {
    const body = {
      error: {
        message: 'You exceeded your current quota',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      },
    };
    const { ask, sent } = await chainOf([answers(429, {}, body)]);
    expect(await errorOf(ask())).toMatchObject({
      code: 'provider_rate_limited',
      message: expect.stringContaining('quota'),
      retryable: false,
    });
    expect(sent()).toEqual([1]);
  });

  test('there are no more attempts than allowed, over retries and fallbacks together', async () => {
    for (const maxAttempts of [1, 2, 3, 5]) {
      const { ask, sent } = await chainOf([answers(500), answers(500), answers(500)], { maxAttempts });
      await errorOf(ask());
      expect(sent().reduce((sum, count) => sum + count)).toBe(maxAttempts);
    }
  });

  test('each fallback keeps one attempt', async () => {
    const { ask, sent } = await chainOf([answers(500), answers(500), works], { maxAttempts: 4 });
    await ask();
    expect(sent()).toEqual([2, 1, 1]);
  });

  test('all attempts and waits share one deadline', async () => {
    const timeLimits = { ...longLimits, total: 150, firstByte: 60 };
    const { ask, attempts } = await chainOf([() => undefined], { timeLimits, maxAttempts: 100 });
    const startedAt = performance.now();
    expect(await errorOf(ask())).toMatchObject({ code: expect.stringMatching(/first_byte|total/) });
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(attempts.length).toBeLessThan(5);
  });
});

describe('a vendor that asks to wait', () => {
  test.each<[string, Record<string, string | (() => string)>, number]>([
    ['in seconds', { 'retry-after': '33' }, 33],
    ['in part of a second', { 'retry-after': '20.2' }, 21],
    ['in milliseconds', { 'retry-after-ms': '12345', 'retry-after': '99' }, 13],
    ['until a date', { 'retry-after': () => new Date(Date.now() + 40_000).toUTCString() }, 40],
    ['until a date that is past', { 'retry-after': 'Mon, 01 Jan 2024 00:00:00 GMT' }, 0],
  ])('%s: the client is told', async (_, headers, seconds) => {
    const sent = Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value(),
    ]);
    const { ask } = await chainOf([answers(429, Object.fromEntries(sent))], { maxAttempts: 1 });
    const { retryAfter } = await errorOf(ask());
    expect(retryAfter).toBeGreaterThanOrEqual(seconds - 1);
    expect(retryAfter).toBeLessThanOrEqual(seconds);
  });

  test.each(['soon', '-5', '', 'NaN'])(
    'in words that mean nothing (%j): the client is told no time',
    async (value) => {
      const { ask } = await chainOf([answers(429, { 'retry-after': value })], { maxAttempts: 1 });
      expect(await errorOf(ask())).toMatchObject({ code: 'provider_rate_limited', retryAfter: undefined });
    },
  );

  test('is waited for', async () => {
    const at: number[] = [];
    const { ask } = await chainOf([
      (reply) => {
        at.push(performance.now());
        return reply.index === 0 ? answers(429, { 'retry-after-ms': '400' })(reply) : works(reply);
      },
    ]);
    await ask();
    const [first = 0, second = 0] = at;
    expect(second - first).toBeGreaterThanOrEqual(390);
  });

  test.each([
    ['once only, as it asks for long', answers(429, { 'retry-after': '30' }), 4, undefined],
    ['once only, as that is all that may be', answers(429), 1, undefined],
    ['as often as may be', answers(429), 2, false],
  ])(
    'and was asked %s: the client is told whether to ask again itself',
    async (_, script, maxAttempts, told) => {
      const { ask } = await chainOf([script], { maxAttempts });
      expect(await errorOf(ask())).toMatchObject({ code: 'provider_rate_limited', shouldRetry: told });
    },
  );

  test('of two vendors of which each was asked once: it is not, when that was all', async () => {
    const { ask, sent } = await chainOf([answers(429), answers(429)], { maxAttempts: 2 });
    expect(await errorOf(ask())).toMatchObject({ code: 'provider_rate_limited', shouldRetry: false });
    expect(sent()).toEqual([1, 1]);
  });

  test('is not waited for past the deadline: it fails at once and passes the wait on', async () => {
    const { ask, sent } = await chainOf([answers(429, { 'retry-after': '30' })]);
    const startedAt = performance.now();
    expect(await errorOf(ask())).toMatchObject({ code: 'provider_rate_limited', retryAfter: 30 });
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(sent()).toEqual([1]);
  });

  test('that is longer than a client would wait is passed on at once', async () => {
    const { ask, sent } = await chainOf([answers(429, { 'retry-after': '7' })], {
      timeLimits: { ...longLimits, total: 300_000 },
    });
    expect(await errorOf(ask())).toMatchObject({ code: 'provider_rate_limited', retryAfter: 7 });
    expect(sent()).toEqual([1]);
  });

  test('for long is passed over for the fallback, and its wait is told when that fails too', async () => {
    const { ask, sent } = await chainOf([
      answers(429, { 'retry-after': '9' }),
      (reply) => (reply.index === 0 ? works(reply) : answers(401)(reply)),
    ]);
    expect((await ask()).provider).toBe('two');
    expect(await errorOf(ask())).toMatchObject({ code: 'provider_rate_limited', retryAfter: 9 });
    expect(sent()).toEqual([2, 2]);
  });
});

describe('fallbacks', () => {
  /** A model of OpenAI whose fallback is one of Anthropic. */
  async function onTwoWires(openai: VendorScript, anthropic: VendorScript) {
    const [one, two] = [await vendorFor(openai), await vendorFor(anthropic)];
    const fallbacks = ['claude-opus-5'];
    const model = { id: 'gpt-4o', provider: 'openai', model: 'gpt-4o', temperature: null, fallbacks };
    const providers = [providerOf('openai', one.baseUrl), providerOf('anthropic', two.baseUrl)];
    return { gateway: createModelGateway(settingsOf(providers, { models: [model], maxAttempts: 2 })), two };
  }

  test.each<[string, VendorScript, string]>([
    ['refused credentials', answers(401), 'provider_credentials_refused'],
    ['an unknown model', answers(404), 'model_not_found'],
    ['overload', answers(529), 'provider_overloaded'],
    ['a broken connection', ({ reset }) => reset(), 'provider_unreachable'],
  ])('follow %s, with a warning that names it', async (_, script, code) => {
    const { ask, attempts } = await chainOf([script, works], { maxAttempts: 2 });
    const { provider, model, warnings, completion } = await ask();
    expect({ provider, model }).toEqual({ provider: 'two', model: 'm' });
    expect(shown(completion).content).toBe(openAiFixture.text);
    const message = `m of one failed (${code}); m of two answered instead.`;
    expect(warnings).toEqual([{ code: 'fallback_used', message, param: 'model' }]);
    expect(attempts).toMatchObject([
      { provider: 'one', outcome: 'failed', errorCode: code },
      { provider: 'two', outcome: 'succeeded' },
    ]);
  });

  test('do not follow a rejection', async () => {
    const { ask, sent } = await chainOf([answers(400), works]);
    expect(await errorOf(ask())).toMatchObject({ code: 'provider_rejected' });
    expect(sent()).toEqual([1, 0]);
  });

  test('happen unnoticed before the first piece of text', async () => {
    const { stream } = await chainOf(
      [
        ({ events }) => events(openAiFixture.beforeText, openAiFixture.errorEvent('overloaded_error', 'x')),
        works,
      ],
      { maxAttempts: 2 },
    );
    const { events, provider, warnings } = await stream();
    let text = '';
    for await (const event of events) if (event.type === 'delta') text += event.content;
    expect({ text, provider }).toEqual({ text: openAiFixture.text, provider: 'two' });
    expect(warnings.map(({ code }) => code)).toEqual(['fallback_used']);
  });

  test('never happen after it', async () => {
    const { stream, sent, attempts } = await chainOf([
      (reply) => {
        reply.eventStream();
        reply.chunk(openAiFixture.firstHalf);
        reply.end();
      },
      works,
    ]);
    const { events } = await stream();
    expect(await events.next()).toMatchObject({ value: { type: 'delta' } });
    expect(await errorOf(events.next())).toMatchObject({ code: 'provider_stream_interrupted' });
    expect(sent()).toEqual([1, 0]);
    expect(attempts).toMatchObject([{ outcome: 'failed', errorCode: 'provider_stream_interrupted' }]);
  });

  test('may speak another wire, with the warnings of the model that answers', async () => {
    const { gateway, two } = await onTwoWires(answers(500), ({ json }) => json(anthropicFixture.reply));
    const answer = await gateway.complete('gpt-4o', callOf('Hi', { temperatureGiven: true }), { signal });
    expect(answer).toMatchObject({ provider: 'anthropic', model: 'claude-opus-5' });
    expect(answer.warnings.map(({ code }) => code)).toEqual(['temperature_ignored', 'fallback_used']);
    expect(two.requests[0]?.json).not.toHaveProperty('temperature');
  });

  test('that cannot take the request do not hide why the first failed', async () => {
    const { gateway } = await onTwoWires(answers(503), works);
    const call = callOf('', { messages: [said('system', 'Be brief.')] });
    expect(await errorOf(gateway.complete('gpt-4o', call, { signal }))).toMatchObject({
      code: 'provider_overloaded',
    });
  });
});

describe('a model that keeps failing', () => {
  test('leaves the other models of its provider alone', async () => {
    const gateway = await gatewayTo(openAiFixture, (reply) =>
      reply.request.json['model'] === 'gpt-failing' ? answers(500)(reply) : works(reply),
    );
    const { signal } = new AbortController();
    const failing = () => errorOf(gateway.complete('gpt-failing', callOf(), { signal }));
    for (let n = 0; n < 5; n += 1) await failing();
    expect(await failing()).toMatchObject({ code: 'provider_unavailable' });
    expect(await gateway.ask(callOf())).toBeDefined();
  });
});

describe('a provider that keeps failing', () => {
  const trip = async ({ ask }: Chain) => {
    for (let i = 0; i < 5; i += 1) await errorOf(ask());
  };

  test('is left alone, and the client is told for how long', async () => {
    const chain = await chainOf([answers(503, { 'retry-after': '20' })], { maxAttempts: 1 });
    await trip(chain);
    const error = await errorOf(chain.ask());
    expect(error).toMatchObject({ code: 'provider_unavailable', retryAfter: expect.any(Number) });
    expect(error.retryAfter).toBeGreaterThan(15);
    expect(error.retryAfter).toBeLessThanOrEqual(20);
    expect(chain.sent()).toEqual([5]);
    expect(chain.attempts.at(-1)).toMatchObject({ outcome: 'skipped', errorCode: 'provider_unavailable' });
  });

  test('is judged by requests, not by their attempts', async () => {
    const chain = await chainOf([answers(500)], { maxAttempts: 2 });
    await trip(chain);
    expect(chain.sent()).toEqual([10]);
    expect(await errorOf(chain.ask())).toMatchObject({ code: 'provider_unavailable' });
    expect(chain.sent()).toEqual([10]);
  });

  test('is not one that answers at the second attempt', async () => {
    const chain = await chainOf([(reply) => (reply.index % 2 === 0 ? answers(500)(reply) : works(reply))], {
      maxAttempts: 2,
    });
    for (let i = 0; i < 7; i += 1) await chain.ask();
    expect(chain.sent()).toEqual([14]);
  });

  test.each<[string, VendorScript]>([
    ['a picture', answers(500, {}, { error: { message: 'image input is not supported' } })],
    ['what it has not', answers(501)],
    ['too much', answers(500, {}, { error: { message: 'Context size has been exceeded.' } })],
  ])('is not one that is asked %s: each request is refused once', async (_, script) => {
    const chain = await chainOf([script, works]);
    for (let i = 0; i < 12; i += 1)
      expect(await errorOf(chain.ask())).toMatchObject({ code: 'provider_rejected', retryable: false });
    expect(chain.sent()).toEqual([12, 0]);
  });

  test('is passed over for the fallback', async () => {
    const chain = await chainOf([answers(500), works], { maxAttempts: 2 });
    for (let i = 0; i < 7; i += 1) expect((await chain.ask()).provider).toBe('two');
    expect(chain.sent()).toEqual([5, 7]);
  });

  test.each<[string, VendorScript]>([
    ['400', answers(400)],
    ['401', answers(401)],
    ['404', answers(404)],
    ['408', answers(408)],
    ['429', answers(429, { 'retry-after': '60' })],
  ])('is not one that answers %s', async (_, script) => {
    const chain = await chainOf([script], { maxAttempts: 1 });
    for (let i = 0; i < 12; i += 1) await errorOf(chain.ask());
    expect(chain.sent()).toEqual([12]);
  });

  test('is not one whose clients go away', async () => {
    const gateway = await gatewayTo(openAiFixture, () => undefined);
    for (let i = 0; i < 12; i += 1) {
      const asking = gateway.ask(callOf(), AbortSignal.timeout(5));
      await asking.catch(() => undefined);
    }
    expect(gateway.attempts.map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 12 }, () => 'cancelled'),
    );
  });

  test('is one that breaks its streams in the middle', async () => {
    const chain = await chainOf(
      [
        (reply) => {
          reply.eventStream();
          reply.chunk(openAiFixture.firstHalf);
          reply.end();
        },
      ],
      { maxAttempts: 1 },
    );
    for (let i = 0; i < 5; i += 1) {
      const { events } = await chain.stream();
      await events.next();
      await errorOf(events.next());
    }
    expect(await errorOf(chain.stream())).toMatchObject({ code: 'provider_unavailable' });
  });
});
