import { expect, it } from 'vitest';
import type { Usage, Warning } from '../../../../generated/types.gen.ts';
import { type Price, tokenUsage } from '../../../../src/model/usage.ts';
import { checkStore } from '../../../../src/store/check/check-store.ts';
import { findRequest } from '../../../../src/tenants/metering/requests.ts';
import {
  answeredBy,
  countedIn,
  nothingSpent,
  sumOfUsage,
  usageView,
} from '../../../../src/tenants/metering/spent.ts';
import { dayRange, usageByDay, usageByTenant } from '../../../../src/tenants/metering/usage.ts';
import { requestView, tenantUsageView } from '../../../../src/tenants/metering/view.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { admitted, success, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';

const tokens = tokenUsage({
  inputUncached: 500,
  cacheRead: 40,
  cacheWrite5m: 20,
  cacheWrite1h: 10,
  output: 300,
  reasoning: 5,
  audioIn: 7,
  audioOut: 8,
  imageIn: 9,
  imageOut: 11,
});
const usage = { tokens, source: 'provider' } as const;

/** The classes that are shown only where there are any. */
const rarer = {
  cache_write_5m_tokens: 20,
  cache_write_1h_tokens: 10,
  audio_prompt_tokens: 7,
  audio_completion_tokens: 8,
  image_prompt_tokens: 9,
  image_completion_tokens: 11,
};

it('usage has every class in the terms of the contract, and leaves out the rarer ones where they are 0', () => {
  const view = usageView(usage);
  expect(view).toEqual({
    prompt_tokens: 570,
    completion_tokens: 300,
    total_tokens: 870,
    prompt_tokens_details: {
      cached_tokens: 40,
      cache_write_5m_tokens: 20,
      cache_write_1h_tokens: 10,
      audio_tokens: 7,
      image_tokens: 9,
    },
    completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 8, image_tokens: 11 },
    source: 'provider',
  } satisfies Usage);
  expect(countedIn(view)).toEqual(usage);
  const plain = usageView({ tokens: tokenUsage({ inputUncached: 3, output: 2 }), source: 'estimated' });
  expect(JSON.stringify(plain)).toBe(
    '{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":0},"source":"estimated"}',
  );
});

it('the usage of several calls adds up class by class', () => {
  const twice = sumOfUsage(usage, usage);
  expect(Object.entries(twice.tokens)).toEqual(
    Object.entries(tokens).map(([name, count]) => [name, 2 * count]),
  );
  expect(sumOfUsage(twice, { ...usage, source: 'estimated' }).source).toBe('estimated');
});

it('what several calls were warned of is kept once each', () => {
  const spent = nothingSpent();
  const adapted: Warning = { code: 'temperature_adapted', message: '2 became 1.', param: 'temperature' };
  const fallback: Warning = { code: 'fallback_used', message: 'Another answered.', param: null };
  answeredBy(spent, { provider: 'anthropic', model: 'one', warnings: [adapted] });
  answeredBy(spent, { provider: 'openai', model: 'two', warnings: [adapted, fallback] });
  expect(spent).toMatchObject({ served: { model: 'two' }, warnings: [adapted, fallback] });
});

onEveryStore('the ledger by class', (on) => {
  it('keeps every class, prices it, and adds it to the sums of the day', async () => {
    const prices: Record<string, Price> = {
      'openai/gpt-4o': { prompt: 1, completion: 2, cacheWrite5m: 3, cacheWrite1h: 4, audioPrompt: 5 },
    };
    const priceOf = (provider: string, model: string) => prices[`${provider}/${model}`] ?? null;
    const accounts = await testAccounts(on, { priceOf });
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    await admitted(await ask({ requestId: 'req_a' })).settle({ ...success, usage });
    await admitted(await ask({ requestId: 'req_b' })).settle({ ...success, usage });
    await admitted(await ask({ requestId: 'req_c' })).settle(success);
    const record = await findRequest(accounts.store, 'acme', 'req_a');
    const cost = 493 + 40 + 7 * 5 + 20 * 3 + 10 * 4 + 300 * 2;
    expect(record).toMatchObject({ costMicroUsd: cost });
    expect(record && requestView(record).usage).toEqual(usageView(usage));
    const range = dayRange(Date.now());
    const [day] = await usageByDay(accounts.store, 'acme', range);
    const sums = { prompt_tokens: 2 * 570 + 100, completion_tokens: 620, cached_tokens: 120 };
    const [all] = (await usageByTenant(accounts.store, range)).items;
    for (const found of [day && { tenantId: 'acme', ...day }, all]) {
      expect(found && tenantUsageView(found)).toMatchObject({
        ...sums,
        ...Object.fromEntries(Object.entries(rarer).map(([name, count]) => [name, 2 * count])),
        cost_usd: (2 * cost + 60 + 40 + 20 * 2) / 1e6,
      });
    }
    expect(await checkStore(accounts.store)).toEqual([]);
  });

  it('shows no class of which there is nothing', async () => {
    const accounts = await testAccounts(on);
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    await admitted(await ask({ requestId: 'req_a' })).settle(success);
    const [all] = (await usageByTenant(accounts.store, dayRange(Date.now()))).items;
    for (const name of Object.keys(rarer)) expect(all && tenantUsageView(all)).not.toHaveProperty(name);
  });

  it('keeps what a request was warned of, without the words, and no more than a hundred', async () => {
    const accounts = await testAccounts(on);
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    const warning = (param: string | null): Warning => ({
      code: 'unknown_field_dropped',
      message: 'x'.repeat(100),
      param,
    });
    const hostile = `\u0000\ud800'"<script>`;
    const warnings = [warning(null), warning(hostile), warning('y'.repeat(300))];
    await admitted(await ask({ requestId: 'req_a' })).settle({ ...success, warnings });
    const kept = (await findRequest(accounts.store, 'acme', 'req_a'))?.warnings;
    expect(kept).toEqual([
      { code: 'unknown_field_dropped', param: null },
      { code: 'unknown_field_dropped', param: hostile },
      { code: 'unknown_field_dropped', param: `${'y'.repeat(199)}…` },
    ]);
    const many = Array.from({ length: 300 }, (_, n) => warning(`field_${n}`));
    await admitted(await ask({ requestId: 'req_b' })).settle({ ...success, warnings: many });
    const bounded = (await findRequest(accounts.store, 'acme', 'req_b'))?.warnings;
    expect(bounded).toHaveLength(100);
    expect(bounded?.at(-1)).toEqual({ code: 'unknown_field_dropped', param: 'field_99' });
  });
});
