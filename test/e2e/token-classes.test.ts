/** What each class of tokens comes to, from the vendor's reply to the reports of the tenant and the operator. */
import { expect, it } from 'vitest';
import { appForThisTest, type TestApp } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { anthropicFixture, openAiFixture } from '../helpers/vendor-fixtures.ts';
import { providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

const usage = {
  input_tokens: 100,
  cache_read_input_tokens: 1000,
  cache_creation_input_tokens: 230,
  cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 30 },
  output_tokens: 50,
};
const price = { prompt: 3, completion: 15, cachedPrompt: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };
const cost = (100 * 3 + 1000 * 0.3 + 200 * 3.75 + 30 * 6 + 50 * 15) / 1e6;
const counted = {
  prompt_tokens: 1330,
  completion_tokens: 50,
  total_tokens: 1380,
  prompt_tokens_details: {
    cached_tokens: 1000,
    cache_write_5m_tokens: 200,
    cache_write_1h_tokens: 30,
  },
  completion_tokens_details: { reasoning_tokens: 0 },
  source: 'provider',
};

async function behindAnthropic(): Promise<TestApp> {
  const vendor = await vendorFor(({ json }) => json({ ...anthropicFixture.reply, usage }));
  return appForThisTest({
    models: { providers: [providerOf('anthropic', vendor.baseUrl)] },
    prices: { 'anthropic/claude-sonnet-4-6': price },
  });
}

const model = 'claude-sonnet-4-6';
const messages = [{ role: 'user', content: 'Hi' }];
const requests = {
  '/v1/chat': { model, message: 'Hi' },
  '/v1/messages': { model, messages, max_tokens: 9 },
  '/v1/chat/completions': { model, messages },
};

it.each(Object.entries(requests))('%s keeps and prices what was written to the cache', async (path, body) => {
  const app = await behindAnthropic();
  const { json, status, headers } = await ask(app.url + path, { body });
  expect(status).toBe(200);
  if (path === '/v1/chat') expect(json.usage).toEqual(counted);
  const record = (await ask(`${app.url}/v1/requests/${headers['x-request-id']}`)).json;
  expect(record).toMatchObject({ usage: counted, cost_usd: cost, warnings: [] });
  const report = (await ask(`${app.url}/v1/usage`)).json;
  const sums = { cached_tokens: 1000, cache_write_5m_tokens: 200, cache_write_1h_tokens: 30, cost_usd: cost };
  expect(report.total).toMatchObject(sums);
  expect(report.total).not.toHaveProperty('audio_prompt_tokens');
  expect(report.days).toMatchObject([sums]);
  const { text } = await ask(`${app.url}/metrics`, { key: null });
  for (const [kind, tokens] of Object.entries({ prompt: 1330, cache_write_5m: 200, cache_write_1h: 30 }))
    expect(text).toContain(`switchyard_tokens_total{provider="anthropic",kind="${kind}"} ${tokens}\n`);
});

it('audio and images of prompt and answer are told apart, and priced', async () => {
  const told = {
    prompt_tokens: 90,
    completion_tokens: 30,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 10, audio_tokens: 20, image_tokens: 40 },
    completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 15 },
  };
  const vendor = await vendorFor(({ json }) => json({ ...openAiFixture.reply, usage: told }));
  const app = await appForThisTest({
    models: { providers: [providerOf('openai', vendor.baseUrl)] },
    prices: {
      'openai/gpt-4o': { prompt: 1, completion: 2, audioPrompt: 32, imagePrompt: 5, audioCompletion: 64 },
    },
  });
  for (const [path, body] of Object.entries({
    '/v1/chat': { model: 'gpt-4o', message: 'Hi' },
    '/v1/chat/completions': { model: 'gpt-4o', messages },
  })) {
    const { headers } = await ask(app.url + path, { body });
    const record = (await ask(`${app.url}/v1/requests/${headers['x-request-id']}`)).json;
    expect(record.usage).toEqual({ ...told, source: 'provider' });
    expect(record.cost_usd).toBe((30 + 20 * 32 + 40 * 5 + 15 * 2 + 15 * 64) / 1e6);
  }
  expect((await ask(`${app.url}/v1/usage`)).json.total).toMatchObject({
    audio_prompt_tokens: 40,
    image_prompt_tokens: 80,
    audio_completion_tokens: 30,
  });
});

it('the record of a request says what was dropped and adapted, on every interface', async () => {
  const app = await behindAnthropic();
  const chat = await ask(`${app.url}/v1/chat`, { body: { model, message: 'Hi', temperature: 2 } });
  const ofChat = (await ask(`${app.url}/v1/requests/${chat.headers['x-request-id']}`)).json;
  expect(chat.json.warnings).not.toEqual([]);
  expect(ofChat.warnings).toEqual(
    chat.json.warnings.map(({ code, param }: Record<string, unknown>) => ({ code, param })),
  );
  const translated = await ask(`${app.url}/v1/chat/completions`, {
    body: { model, messages, metadata: { a: 'b' }, unheard_of: 1 },
  });
  const ofTranslated = (await ask(`${app.url}/v1/requests/${translated.headers['x-request-id']}`)).json;
  expect(ofTranslated.warnings).toContainEqual({ code: 'unknown_field_dropped', param: 'unheard_of' });
});
