/** What is reserved for the longest answers that a request allows, on every interface. */
import { expect, it } from 'vitest';
import { appForThisTest, testAdminPassword } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import {
  anthropicFixture,
  geminiFixture,
  openAiFixture,
  responsesFixture,
} from '../helpers/vendor-fixtures.ts';
import { providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
const search = (type: string) => ({ tools: [{ type, name: 'web_search' }] });
const chats = (model: string) => (more: object) =>
  ['/v1/chat/completions', { model, messages, ...more }] as const;
const native = chats('openai/gpt-4o');
const translated = chats('anthropic/claude-sonnet-4-6');
const completion = (more: object) =>
  ['/v1/completions', { model: 'openai/gpt-3.5-turbo-instruct', prompt: 'Hi', ...more }] as const;
const chatOnly = (more: object) =>
  ['/v1/completions', { model: 'anthropic/claude-sonnet-4-6', prompt: 'Hi', ...more }] as const;
const response = (more: object) =>
  ['/v1/responses', { model: 'responses/gpt-4o', input: 'Hi', ...more }] as const;
const message = (more: object) =>
  ['/v1/messages', { model: 'anthropic/claude-sonnet-4-6', messages, ...more }] as const;
const gemini = (generationConfig: object, verb = 'generateContent') =>
  [`/v1beta/models/gemini-2.5-flash:${verb}`, { contents, generationConfig }] as const;
const geminiElsewhere = (generationConfig: object) =>
  ['/v1beta/models/openai%2Fgpt-4o:generateContent', { contents, generationConfig }] as const;
const dry = { 'x-switchyard-dry-run': 'true' };

async function world(limit: number) {
  const replies = {
    openai: openAiFixture.reply,
    anthropic: anthropicFixture.reply,
    gemini: geminiFixture.reply,
    responses: responsesFixture.reply,
  };
  let asked = 0;
  const providers = Object.entries(replies).map(async ([wire, reply]) => {
    const { baseUrl } = await vendorFor(({ json }) => {
      asked += 1;
      json(reply);
    });
    return providerOf(wire as keyof typeof replies, baseUrl);
  });
  const app = await appForThisTest({ models: { providers: await Promise.all(providers), maxAttempts: 1 } });
  const budgets = `${app.url}/api/admin/budgets`;
  const fields = { tenant_id: 'local', unit: 'tokens', window: 'month', limit };
  const { json } = await ask(budgets, { key: testAdminPassword, body: fields });
  const used = async () => (await ask(`${budgets}/${json.id}`, { key: testAdminPassword })).json.state.used;
  return { app, used, asked: () => asked };
}

it('counts all of its answers, whichever fields name them, and refuses what does not fit', async () => {
  const { app, asked } = await world(30_000);
  // The most that a dry run names, null where the request sets none, and whether that fits the budget.
  const table: readonly (readonly [readonly [string, object], number | null, boolean])[] = [
    [native({ max_tokens: 400, n: 100 }), 40_000, false],
    [native({ max_tokens: 400, n: 2 }), 800, true],
    [native({ n: 10 }), null, false],
    [native({ max_tokens: null, n: null }), null, true],
    [native({ max_tokens: -1 }), null, true],
    [native({ max_completion_tokens: 4, max_tokens: 90_000 }), 90_000, false],
    [native({ max_completion_tokens: 4, max_tokens: 9 }), 9, true],
    [native({ max_tokens: 4, n_predict: 90_000 }), 90_000, false],
    [native({ max_tokens: 400, n: 1, n_cmpl: 100 }), 40_000, false],
    [native({ max_tokens: 90_000, tools: [{ type: 'web_search' }] }), 90_000, false],
    [translated({ max_completion_tokens: 4, max_tokens: 90_000 }), 90_000, false],
    [translated({ max_tokens: 400, n: 1 }), 400, true],
    [completion({ max_tokens: 60_000, n: 2 }), 120_000, false],
    [completion({ max_tokens: 400, n: 2, best_of: 100 }), 40_000, false],
    [completion({ max_tokens: 400, n: 2, best_of: 3 }), 1_200, true],
    [completion({ max_tokens: 400, prompt: ['a', 'b', 'c', 'd', 'e', 'f'] }), 2_400, true],
    [completion({ max_tokens: 8_000, prompt: ['a', 'b'], n: 2 }), 32_000, false],
    [
      completion({
        max_tokens: 400,
        prompt: [
          [1, 2],
          [3, 4],
        ],
      }),
      800,
      true,
    ],
    [completion({ max_tokens: 400, prompt: [1, 2, 3] }), 400, true],
    [completion({ max_tokens: 400, prompt: Array(40_000).fill(1) }), 400, false],
    [completion({ max_tokens: 0, echo: true }), null, true],
    [response({ max_output_tokens: 90_000, ...search('web_search') }), 90_000, false],
    [response({ max_output_tokens: 400, ...search('web_search') }), 400, true],
    [message({ max_tokens: 64_000, ...search('web_search_20250305') }), 64_000, false],
    [message({ max_tokens: 400, ...search('web_search_20250305') }), 400, true],
    [gemini({ maxOutputTokens: 8_000, candidateCount: 8 }), 64_000, false],
    [gemini({ max_output_tokens: '8000', candidate_count: '8' }), 64_000, false],
    [gemini({ maxOutputTokens: 400, candidateCount: 8 }), 3_200, true],
    [geminiElsewhere({ maxOutputTokens: 90_000 }), 90_000, false],
  ];
  for (const [[path, body], most, fits] of table) {
    const what = JSON.stringify(body).slice(0, 200);
    const before = asked();
    const estimate = await ask(app.url + path, { body, headers: dry });
    expect([estimate.json.tokens?.max_completion, estimate.json.refused], what).toEqual([most, !fits]);
    const { status } = await ask(app.url + path, { body });
    expect([status, asked() - before], what).toEqual(fits ? [200, 1] : [429, 0]);
  }
});

it('refuses a maximum or a number of answers of the wrong type or range before it reserves or counts anything', async () => {
  const { app, used, asked } = await world(1_000_000);
  const inOpenAis = [
    ...['60000', -5, 0, 1.5, true, [400]].map((value) => ['max_tokens', value] as const),
    ...['400', -2, 0].map((value) => ['max_completion_tokens', value] as const),
    ...['100', 0, -1, 1.5].map((value) => ['n', value] as const),
  ];
  const chat = inOpenAis.flatMap(([field, value]) =>
    [native, translated].map((wire) => [wire({ [field]: value }), field] as const),
  );
  const older = [
    ...['60000', -5, 1.5].map((value) => ['max_tokens', value] as const),
    ...['100', 0].map((value) => ['n', value] as const),
    ['best_of', '100'] as const,
  ].flatMap(([field, value]) =>
    [completion, chatOnly].map((wire) => [wire({ [field]: value }), field] as const),
  );
  const newer = ['60000', -1, 0, 1.5].flatMap((value) => [
    [response({ max_output_tokens: value }), 'max_output_tokens'] as const,
    [message({ max_tokens: value }), 'max_tokens'] as const,
    ...[gemini, geminiElsewhere].map(
      (wire) => [wire({ maxOutputTokens: value === '60000' ? '6e4' : value }), 'maxOutputTokens'] as const,
    ),
  ]);
  const twice = [
    [gemini({ maxOutputTokens: 4, max_output_tokens: 90_000 }, 'streamGenerateContent'), 'maxOutputTokens'],
    [gemini({ candidateCount: 9 }), 'candidateCount'],
  ] as const;
  for (const [[path, body], field] of [...chat, ...older, ...newer, ...twice]) {
    const what = JSON.stringify([path, body]);
    const { status, json } = await ask(app.url + path, { body });
    // A stream of Gemini's is a list, and so are its errors.
    const { error } = Array.isArray(json) ? json[0] : json;
    expect([status, error.message], what).toEqual([400, expect.stringContaining(field)]);
    if ('param' in error) expect(error.param, what).toBe(field);
    const estimate = await ask(app.url + path, { body, headers: dry });
    expect([estimate.json.tokens, estimate.json.limits], what).toEqual([null, []]);
  }
  expect([asked(), await used()]).toEqual([0, 0]);
  expect(await app.accounts.store.db.selectFrom('ledger_rows').selectAll().execute()).toEqual([]);
});
