/** Responses that a provider keeps: only the tenant that owns one can name it, and it leads back to where it is kept. */
import { expect, it } from 'vitest';
import { appForThisTest, testAdminPassword, testKey } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { clientOf, promptTokens, refusalOf } from '../helpers/media-vendor.ts';
import { keyOfAnotherTenant } from '../helpers/store-accounts.ts';
import { anthropicFixture } from '../helpers/vendor-fixtures.ts';
import { canaryKey, providerOf, vendorFor } from '../helpers/vendor-gateway.ts';
import type { VendorScript } from '../lib/vendor.ts';

const usage = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 16,
};

function responseOf(id: string, more: object = {}) {
  const content = [{ type: 'output_text', text: 'Hello', annotations: [] }];
  return {
    id,
    object: 'response',
    created_at: 1,
    status: 'completed',
    error: null,
    model: 'gpt-4o',
    output: [{ type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content }],
    usage,
    ...more,
  };
}

function eventsOf(id: string): string[] {
  const events = [
    {
      type: 'response.created',
      sequence_number: 0,
      response: responseOf(id, { status: 'in_progress', output: [] }),
    },
    {
      type: 'response.output_text.delta',
      sequence_number: 1,
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta: 'Hello',
    },
    { type: 'response.completed', sequence_number: 2, response: responseOf(id) },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** A vendor that keeps what it makes. */
function keeper(): VendorScript {
  let made = 0;
  const kept = new Map<string, object>();
  return ({ request, json, events }) => {
    const [path = ''] = request.path.split('?');
    const [, id, action] = /^\/v1\/responses(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? [];
    if (id === undefined) {
      made += 1;
      const name = `resp_${made}`;
      const { stream, background } = request.json;
      kept.set(name, responseOf(name));
      if (stream === true) return events(...eventsOf(name));
      return json(
        background === true
          ? responseOf(name, { status: 'queued', output: [], usage: null })
          : responseOf(name),
      );
    }
    const found = kept.get(id);
    if (!found)
      return json(
        { error: { message: 'gone', type: 'invalid_request_error', param: 'id', code: null } },
        404,
      );
    if (action === 'input_items')
      return json({
        object: 'list',
        data: [{ id: 'msg_0', type: 'message', role: 'user', content: [] }],
        has_more: false,
      });
    if (action === 'cancel') return json({ ...found, status: 'cancelled', usage: null });
    if (request.method === 'DELETE') {
      kept.delete(id);
      return json({ id, object: 'response', deleted: true });
    }
    return json(found);
  };
}

async function world() {
  const vendor = await vendorFor(keeper());
  const second = await vendorFor(keeper());
  const anthropic = await vendorFor(({ json }) => json(anthropicFixture.reply));
  const speaks = ['openai-chat', 'openai-responses'] as const;
  const app = await appForThisTest({
    models: {
      providers: [
        providerOf('openai', vendor.baseUrl, { speaks }),
        providerOf('openai', second.baseUrl, { id: 'second', speaks, patterns: [] }),
        providerOf('anthropic', anthropic.baseUrl),
      ],
      models: [
        { id: 'pair', provider: 'openai', model: 'gpt-4o', temperature: null, fallbacks: ['second/gpt-4o'] },
        {
          id: 'turned',
          provider: 'second',
          model: 'gpt-4o',
          temperature: null,
          fallbacks: ['openai/gpt-4o'],
        },
      ],
    },
  });
  return {
    app,
    vendor,
    second,
    mine: clientOf(app, testKey),
    other: clientOf(app, await keyOfAnotherTenant(app)),
  };
}

it('gives a response again to the tenant that owns it, and to no other', async () => {
  const { vendor, mine, other } = await world();
  const made = await mine.responses.create({ model: 'gpt-4o', input: 'Hi' });
  expect(await mine.responses.retrieve(made.id, { include: ['reasoning.encrypted_content'] })).toMatchObject({
    id: made.id,
    output_text: 'Hello',
  });
  expect(vendor.requests.at(-1)).toMatchObject({
    method: 'GET',
    headers: { authorization: `Bearer ${canaryKey}` },
  });
  expect(vendor.requests.at(-1)?.path).toBe('/v1/responses/resp_1?include%5B%5D=reasoning.encrypted_content');
  expect((await mine.responses.inputItems.list(made.id)).data).toHaveLength(1);
  const asked = vendor.requests.length;
  for (const attempt of [
    () => other.responses.retrieve(made.id),
    () => other.responses.delete(made.id),
    () => other.responses.cancel(made.id),
    () => other.responses.inputItems.list(made.id),
    () => mine.responses.retrieve('resp_unheard_of'),
  ]) {
    const error = await refusalOf(attempt());
    expect([error.status, error.message]).toEqual([
      404,
      expect.stringMatching(/Response with id 'resp_\w+' not found\./),
    ]);
  }
  expect(vendor.requests).toHaveLength(asked);
});

it('forgets a response that is deleted, here or at the vendor', async () => {
  const { vendor, mine } = await world();
  const { id } = await mine.responses.create({ model: 'gpt-4o', input: 'Hi' });
  await mine.responses.delete(id);
  const asked = vendor.requests.length;
  expect((await refusalOf(mine.responses.retrieve(id))).status).toBe(404);
  expect(vendor.requests).toHaveLength(asked);
});

it('knows a response as soon as its stream has told the id', async () => {
  const { mine } = await world();
  const stream = await mine.responses.create({ model: 'gpt-4o', input: 'Hi', stream: true });
  for await (const event of stream) {
    if (event.type !== 'response.created') continue;
    expect((await mine.responses.retrieve(event.response.id)).id).toBe(event.response.id);
  }
});

it('keeps nothing that is not to be stored', async () => {
  const { mine } = await world();
  const { id } = await mine.responses.create({ model: 'gpt-4o', input: 'Hi', store: false });
  expect((await refusalOf(mine.responses.retrieve(id))).status).toBe(404);
});

it('goes on from a response where it is kept, whatever the model leads to first', async () => {
  const { vendor, second, mine } = await world();
  const made = await mine.responses.create({ model: 'pair', input: 'Hi' });
  await mine.responses.create({ model: 'turned', input: 'And?', previous_response_id: made.id });
  expect(second.requests).toHaveLength(0);
  expect(vendor.requests.at(-1)?.json).toMatchObject({ previous_response_id: made.id, model: 'gpt-4o' });
  const lost = await refusalOf(
    mine.responses.create({ model: 'second/gpt-4o-mini', input: 'And?', previous_response_id: made.id }),
  );
  expect([lost.status, lost.param]).toEqual([400, 'model']);
  expect(second.requests).toHaveLength(0);
});

it("refuses to go on from another tenant's response or conversation, in OpenAI's words", async () => {
  const { vendor, mine, other } = await world();
  const made = await mine.responses.create({ model: 'gpt-4o', input: 'Hi' });
  const refused = await refusalOf(
    other.responses.create({ model: 'gpt-4o', input: 'And?', previous_response_id: made.id }),
  );
  expect(refused).toMatchObject({
    status: 400,
    code: 'previous_response_not_found',
    param: 'previous_response_id',
    type: 'invalid_request_error',
  });
  expect(refused.message).toContain(`Previous response with id '${made.id}' not found.`);
  const conversation = await refusalOf(
    mine.responses.create({ model: 'gpt-4o', input: 'And?', conversation: 'conv_1' }),
  );
  expect([conversation.status, conversation.param]).toEqual([404, 'conversation']);
  const counted = await refusalOf(
    other.responses.inputTokens.count({ model: 'gpt-4o', input: 'And?', previous_response_id: made.id }),
  );
  expect(counted.status).toBe(400);
  expect(vendor.requests).toHaveLength(1);
});

it('accounts for a response of the background when it is first seen to be done, once', async () => {
  const { app, mine } = await world();
  const made = await mine.responses.create({ model: 'gpt-4o', input: 'Hi', background: true });
  expect(made.status).toBe('queued');
  expect(await promptTokens(app)).toBe(0);
  for (let n = 0; n < 3; n += 1) await mine.responses.retrieve(made.id);
  expect(await promptTokens(app)).toBe(11);
});

it('gives a response that was made although the budget is spent meanwhile, and counts what it has used', async () => {
  const { app, mine } = await world();
  const made = await mine.responses.create({ model: 'gpt-4o', input: 'Hi', background: true });
  const budgets = `${app.url}/api/admin/budgets`;
  const body = { tenant_id: 'local', unit: 'tokens', window: 'day', limit: 5 };
  const { json: budget } = await ask(budgets, { key: testAdminPassword, body });
  expect((await mine.responses.retrieve(made.id)).status).toBe('completed');
  const used = async () => (await ask(`${budgets}/${budget.id}`, { key: testAdminPassword })).json.state.used;
  await expect.poll(used).toBe(16);
  expect((await refusalOf(mine.responses.create({ model: 'gpt-4o', input: 'Hi' }))).status).toBe(429);
  expect((await mine.responses.retrieve(made.id)).status).toBe('completed');
});

it.each(['sandbox/echo', 'claude-sonnet-4-6'])('never pretends to keep anything for %s', async (model) => {
  const { mine } = await world();
  for (const [param, fields] of Object.entries({
    store: { store: true },
    previous_response_id: { previous_response_id: 'resp_1' },
    conversation: { conversation: 'conv_1' },
    background: { background: true },
  })) {
    const refused = await refusalOf(mine.responses.create({ model, input: 'Hi', ...fields }));
    expect([refused.status, refused.param]).toEqual([400, param]);
  }
  const { id } = await mine.responses.create({ model, input: 'Hi' });
  expect((await refusalOf(mine.responses.retrieve(id))).status).toBe(404);
});
