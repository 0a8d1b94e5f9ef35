import { describe, expect, it } from 'vitest';
import type { WireCall } from '../../../../src/contract/wire-operations.ts';
import { namedInPrompt, namedInRequests } from '../../../../src/gateway/lanes/model-naming.ts';
import { namedInBody, nativeCall } from '../../../../src/gateway/lanes/native-call.ts';
import { AnswerSample } from '../../../../src/gateway/lanes/translated-lane.ts';
import { wireTimeLimits } from '../../../../src/gateway/lanes/wire-context.ts';
import { endpointOf } from '../../../../src/gateway/upstream/settings.ts';
import { estimateTokens } from '../../../../src/lib/tokens.ts';
import type { ServerTimeLimits, TimeLimits } from '../../../../src/model/port.ts';
import { usageOf } from '../../../../src/tenants/metering/spent.ts';
import { callOf, canaryKey, providerOf } from '../../../helpers/vendor-gateway.ts';

const anthropic = endpointOf(providerOf('anthropic', 'http://127.0.0.1:9/v1'), 'anthropic');
const asked = { suffix: '/messages', model: 'claude', body: '{}' };

it("sends a client's headers, and never its credentials", () => {
  const headers = {
    'anthropic-beta': 'a',
    authorization: 'Bearer client',
    'x-api-key': 'client',
    'user-agent': 'claude-cli/2',
  };
  expect(nativeCall(anthropic, { headers }, asked)).toEqual({
    method: 'POST',
    path: '/v1/messages',
    body: '{}',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'user-agent': 'claude-cli/2',
      'anthropic-beta': 'a',
      'anthropic-version': '2023-06-01',
      'x-api-key': canaryKey,
    },
  });
});

it('takes the version of the wire from the client', () => {
  const { headers } = nativeCall(anthropic, { headers: { 'anthropic-version': '2099-01-01' } }, asked);
  expect(headers['anthropic-version']).toBe('2099-01-01');
});

it('says what its body is, and nothing of one that it lacks', () => {
  const client = { headers: { 'content-type': 'text/html' } };
  const form = { 'content-type': 'multipart/form-data; boundary=x', accept: '*/*' };
  expect(nativeCall(anthropic, client, { ...asked, bodyHeaders: form }).headers).toMatchObject(form);
  const without = nativeCall(anthropic, client, { ...asked, method: 'GET', body: null });
  expect(without).toMatchObject({ method: 'GET', body: null });
  expect(without.headers).not.toHaveProperty('content-type');
});

function call(body: WireCall['body'], model = 'fast'): WireCall {
  const bytes = Buffer.from(JSON.stringify(body));
  return {
    operation: 'embedContent',
    path: { model },
    query: new URLSearchParams(),
    body,
    bytes,
    headers: {},
  };
}

it('changes the model in a body to what its vendor calls it, also where the client left it out', () => {
  expect(namedInBody(call({ model: 'fast' }), 'gpt-4o')).toEqual({ model: 'gpt-4o' });
  expect(namedInBody(call({}), 'gpt-4o')).toEqual({ model: 'gpt-4o' });
  expect(namedInBody(call({ model: 'gpt-4o' }), 'gpt-4o')).toEqual({});
});

it("changes it in Google's bodies where they name that of the path, and leaves any other to Google", () => {
  const named = (model: string) => ({ model, content: {} });
  const one = namedInRequests(call({ requests: [named('models/fast'), named('models/x'), {}] }), 'g');
  expect(one).toEqual({ requests: [named('models/g'), named('models/x'), {}] });
  expect(namedInRequests(call(named('fast')), 'g')).toEqual({ model: 'models/g' });
  expect(namedInRequests(call(named('fast')), 'tunedModels/t')).toEqual({ model: 'tunedModels/t' });
  for (const body of [
    { requests: [named('models/x'), null] },
    named('models/x'),
    { requests: 'fast' },
    {},
    { model: 1 },
  ])
    expect(namedInRequests(call(body), 'g')).toEqual({});
  expect(namedInRequests(call(named('models/g'), 'g'), 'g')).toEqual({});
  expect(namedInPrompt(call({ generate_content_request: named('models/fast') }), 'g')).toEqual({
    generate_content_request: named('models/g'),
  });
  expect(namedInPrompt(call({ contents: [] }), 'g')).toEqual({});
});

describe('the sample of an answer', () => {
  it('keeps the beginning of a long answer, and the whole of a short one', () => {
    const sample = new AnswerSample();
    sample.add('Hi ');
    sample.add('there');
    expect([sample.beginning, sample.length]).toEqual(['Hi there', 8]);
    for (let n = 0; n < 100; n += 1) sample.add('x'.repeat(10_000));
    expect([sample.beginning.length, sample.length]).toEqual([64 * 1024, 1_000_008]);
  });

  it('an answer of which the beginning is known is estimated by it', async () => {
    const { maxTokens: _, ...call } = callOf();
    const text = 'one two three four '.repeat(50);
    const whole = await usageOf(null, call, text);
    expect(whole.tokens.output).toBe(await estimateTokens(text));
    const tenfold = await usageOf(null, call, text, text.length * 10);
    expect(tenfold.tokens.output).toBe((await estimateTokens(text)) * 10);
  });
});

describe('time limits', () => {
  const own = { connect: 2000, firstByte: 60_000, idle: 30_000, total: 120_000 };
  const patient = { connect: 2000, firstByte: 300_000, idle: 300_000, total: 3_600_000 };

  const limits = (timeout?: string | string[], settings: ServerTimeLimits = own) =>
    wireTimeLimits(
      { headers: { ...(timeout !== undefined && { 'x-stainless-timeout': timeout }) } },
      settings,
    );

  it('waits for as long as thinking takes where nothing is set', () => {
    expect(limits()).toEqual(patient);
  });

  it.each<Partial<TimeLimits>>([
    { firstByte: 5000 },
    { firstByte: 400_000, idle: 500_000 },
    { idle: 4000, total: 20_000 },
    { total: 7_200_000 },
  ])('takes what the operator sets, lower or higher: %j', (set) => {
    expect(limits(undefined, { ...own, ...set, set })).toEqual({ ...patient, ...set });
    expect(limits('10', { ...own, ...set, set })).toEqual({ ...patient, ...set, total: 10_000 });
  });

  it('waits no longer than the client does', () => {
    expect(limits('60')).toEqual({ ...patient, total: 60_000 });
    expect(limits('600')).toEqual({ ...patient, total: 600_000 });
    expect(limits('1')).toMatchObject({ total: 1000 });
  });

  it.each(['0', '0.5', '-1', 'soon', '', 'NaN', 'Infinity', '1e9', '7200'])(
    'waits for an hour at most where the client says %j',
    (timeout) => expect(limits(timeout)).toEqual(patient),
  );
});
