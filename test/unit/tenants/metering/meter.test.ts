import { expect, it } from 'vitest';
import { ServiceError } from '../../../../src/contract/errors.ts';
import type { LimitState } from '../../../../src/contract/limit-state.ts';
import { StoreError } from '../../../../src/store/errors.ts';
import type { Limits } from '../../../../src/tenants/accounts/plans.ts';
import type { Demand } from '../../../../src/tenants/metering/demand.ts';
import { admit, type Delivered, nothingDelivered } from '../../../../src/tenants/metering/meter.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { ledgerRows, success, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';

const usage = success.usage ?? null;
const delivered: Delivered = {
  served: { provider: 'openai', model: 'gpt-4o', warnings: [] },
  usage,
  finishReason: 'stop',
};
const gone = new DOMException('The client went away.', 'AbortError');

onEveryStore('the meter of a request', (on) => {
  /** Requests of one tenant, with the limit state that they got. */
  async function metering(overrides: Partial<Limits> = {}) {
    const accounts = await testAccounts(on);
    await tenantOn(accounts, 'acme', 'enterprise', overrides);
    const {
      keys: _keys,
      buildWeight: _builds,
      requestWeight: _requests,
      ...limits
    } = accounts.plans.enterprise;
    const told: LimitState[] = [];
    const client = new AbortController();
    const begin = (demand: Partial<Demand> = {}) =>
      admit(
        accounts.admissions,
        {
          caller: {
            tenantId: 'acme',
            keyId: 'testkey00000',
            scopes: new Set(['chat']),
            plan: 'enterprise',
            limits: { ...limits, ...overrides },
          },
          requestId: 'req_a',
          operation: 'createChat',
          signal: client.signal,
          tellLimits: (state) => told.push(state),
        },
        { model: 'gpt-4o', ...demand },
      );
    const row = async () => {
      await accounts.admissions.flush();
      const rows = await ledgerRows(accounts, 'acme');
      expect(rows).toHaveLength(1);
      return rows[0];
    };
    return { begin, told, client, row };
  }

  it('tells how the limits stand with it counted, and tells nothing more when it is refused', async () => {
    const { begin, told } = await metering({ requestsPerMinute: 1 });
    await begin();
    expect(told).toMatchObject([[{ name: 'minute', limit: 1, remaining: 0 }]]);
    const refusal = await begin().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ServiceError);
    expect(refusal).toMatchObject({
      code: 'rate_limited',
      limits: [{ name: 'minute', limit: 1, remaining: 0 }],
      retryAfter: 60,
      shouldRetry: true,
      retryable: true,
    });
    expect(told).toHaveLength(1);
  });

  it('sets tokens aside only where they are limited', async () => {
    const unlimited = await metering();
    const never = () => {
      throw new Error('asked for its tokens');
    };
    expect((await unlimited.begin({ tokens: never })).tokens).toBeNull();
    const limited = await metering({ tokensPerMinute: 1_000 });
    const meter = await limited.begin({ tokens: (perMinute) => perMinute / 4 });
    expect(meter.tokens).toBe(250);
    expect(limited.told).toMatchObject([[{ name: 'tokens', remaining: 750 }]]);
    await meter.succeeded(delivered);
    await limited.begin({ tokens: () => 0 });
    // What it used takes the place of what was set aside.
    expect(limited.told[1]).toMatchObject([{ name: 'tokens', remaining: 880 }]);
  });

  it('settles a success with what was delivered and who tried, once', async () => {
    const { begin, row } = await metering();
    const meter = await begin();
    const [attempt] = success.attempts ?? [];
    if (attempt) meter.onAttempt(attempt);
    await meter.succeeded(delivered);
    await meter.failed(new Error('too late'), nothingDelivered);
    expect(await row()).toMatchObject({
      status: 'succeeded',
      http_status: 200,
      model: 'gpt-4o',
      prompt_tokens: 100,
      finish_reason: 'stop',
      first_byte_ms: expect.any(Number),
      attempts: JSON.stringify(success.attempts),
    });
  });

  it.each([
    ['its own error', new ServiceError('provider_error', 'It failed.'), 'provider_error', 502],
    ['a failure of the store', new StoreError('unreachable', 'no database'), 'storage_unavailable', 503],
    ['a fault of ours', new TypeError('x is not a function'), 'internal_error', 500],
  ])(
    'settles %s under its code, with the status that its client sees',
    async (_what, thrown, code, status) => {
      const before = await metering();
      await (await before.begin()).failed(thrown, nothingDelivered);
      expect(await before.row()).toMatchObject({ status: 'failed', error_code: code, http_status: status });
      const after = await metering();
      const meter = await after.begin();
      meter.answering();
      await meter.failed(thrown, delivered);
      const ended = { status: 'failed', error_code: code, http_status: 200, prompt_tokens: 100 };
      expect(await after.row()).toMatchObject(ended);
    },
  );

  it('is cancelled by the end of its client, but not by that of the server', async () => {
    const left = await metering();
    const meter = await left.begin();
    left.client.abort(gone);
    await meter.failed(gone, delivered);
    expect(await left.row()).toMatchObject({ status: 'cancelled', http_status: 499, error_code: null });
    const stopped = await metering();
    const other = await stopped.begin();
    const stopping = new ServiceError('shutting_down', 'The server is stopping.');
    stopped.client.abort(stopping);
    await other.failed(stopping, nothingDelivered);
    const ended = { status: 'failed', http_status: 503, error_code: 'shutting_down' };
    expect(await stopped.row()).toMatchObject(ended);
  });

  it.each([
    ['answer', 'succeeded', 200],
    ['answer', 'failed', 200],
    ['answer', 'cancelled', 499],
    ['acceptance', 'succeeded', 202],
    ['acceptance', 'failed', 202],
    ['acceptance', 'cancelled', 202],
  ] as const)(
    'of what has a record as its %s goes on without its client: %s is %i',
    async (told, end, status) => {
      const { begin, client, row } = await metering();
      const meter = await begin({ clientSaw: told });
      client.abort(gone);
      if (end === 'succeeded') await meter.succeeded(delivered);
      else if (end === 'failed')
        await meter.failed(new ServiceError('provider_error', 'It failed.'), delivered);
      else meter.cancelled(delivered);
      expect(await row()).toMatchObject({ status: end, http_status: status, first_byte_ms: null });
    },
  );

  it('is not begun for a client that has left', async () => {
    const { begin, client, told } = await metering();
    client.abort(gone);
    await expect(begin()).rejects.toBe(gone);
    expect(told).toEqual([]);
  });
});
