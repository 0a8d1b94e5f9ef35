/** Files and batches with OpenAI's official client, at a vendor and in the sandbox. */
import { toFile } from 'openai';
import { describe, expect, it } from 'vitest';
import { wrapThinking } from '../../src/gateway/wires/envelope.ts';
import { appForThisTest, type TestApp, testKey } from '../helpers/app.ts';
import {
  clientOf,
  endOf,
  type MediaVendor,
  mediaVendorFor,
  promptTokens,
  refusalOf,
  replyJson,
  batchLines as requests,
} from '../helpers/media-vendor.ts';
import { keyOfAnotherTenant } from '../helpers/store-accounts.ts';
import { canaryKey, providerOf } from '../helpers/vendor-gateway.ts';

async function usageByModel(app: TestApp): Promise<[string, number][]> {
  const reply = await fetch(`${app.url}/v1/usage`, { headers: { authorization: `Bearer ${testKey}` } });
  const { days } = (await reply.json()) as { days: { model: string; prompt_tokens: number }[] };
  return days.map(({ model, prompt_tokens: tokens }) => [model, tokens]);
}

const resultLine = (id: string) =>
  JSON.stringify({
    id: `batch_req_${id}`,
    custom_id: id,
    response: {
      status_code: 200,
      request_id: 'r',
      body: { model: 'gpt-4o', usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } },
    },
    error: null,
  });

/** A vendor that keeps files and carries out batches. */
function keeper(): Promise<MediaVendor> {
  const files = new Map<string, { object: object; bytes: Buffer }>([
    ['file-out', { object: {}, bytes: Buffer.from(`${resultLine('one')}\n${resultLine('two')}\n`) }],
  ]);
  return mediaVendorFor((request, response) => {
    const [, kind, id, action] = /^\/v1\/(\w+)(?:\/([^/?]+))?(?:\/(\w+))?/.exec(request.path) ?? [];
    const gone = () =>
      replyJson(response, { error: { message: 'gone', type: 'invalid_request_error' } }, 404);
    if (kind === 'responses') {
      const output = [{ type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [] }];
      return replyJson(response, { id: 'resp_1', object: 'response', status: 'completed', output });
    }
    if (kind === 'files' && id === undefined) {
      void request.form().then(async (form) => {
        const file = form.get('file') as File;
        const name = `file-v${files.size}`;
        const object = {
          id: name,
          object: 'file',
          bytes: file.size,
          created_at: 1000,
          filename: file.name,
          purpose: form.get('purpose'),
        };
        files.set(name, { object, bytes: Buffer.from(await file.arrayBuffer()) });
        replyJson(response, object);
      });
      return;
    }
    if (kind === 'files') {
      const found = files.get(id ?? '');
      if (!found) return gone();
      if (action === 'content') {
        response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found.bytes);
        return;
      }
      if (request.method !== 'DELETE') return replyJson(response, found.object);
      files.delete(id ?? '');
      return replyJson(response, { id, object: 'file', deleted: true });
    }
    if (kind !== 'batches') return gone();
    const batch = { id: 'batch_v', object: 'batch', endpoint: '/v1/chat/completions', created_at: 1000 };
    const input = { input_file_id: 'file-v1', completion_window: '24h' };
    if (id === undefined) return replyJson(response, { ...batch, ...input, status: 'validating' });
    if (id !== 'batch_v') return gone();
    if (action === 'cancel') return replyJson(response, { ...batch, ...input, status: 'cancelling' });
    return replyJson(response, { ...batch, ...input, status: 'completed', output_file_id: 'file-out' });
  });
}

async function world() {
  const [vendor, second] = await Promise.all([keeper(), keeper()]);
  const speaks = ['openai-chat', 'openai-responses'] as const;
  const app = await appForThisTest({
    models: {
      providers: [
        providerOf('anthropic', 'http://127.0.0.1:9'),
        providerOf('openai', vendor.baseUrl, { speaks }),
        providerOf('openai', second.baseUrl, { id: 'second', speaks, patterns: [] }),
      ],
      models: [
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
  return { app, vendor, second, mine: clientOf(app), other: clientOf(app, await keyOfAnotherTenant(app)) };
}

describe('files of a vendor', () => {
  it('go to the first provider that has files, byte by byte, under an id of our own', async () => {
    const { vendor, mine } = await world();
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, n) => n % 251));
    const file = await mine.files.create({ file: await toFile(bytes, 'ä.bin'), purpose: 'user_data' });
    expect(file).toMatchObject({
      object: 'file',
      bytes: bytes.length,
      filename: 'ä.bin',
      purpose: 'user_data',
    });
    expect(file.id).toMatch(/^file-sy[0-9a-z]{26}$/);
    expect(vendor.requests[0]?.headers.authorization).toBe(`Bearer ${canaryKey}`);
    const content = await mine.files.content(file.id);
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await mine.files.retrieve(file.id)).toMatchObject({ id: file.id, filename: 'ä.bin' });
    expect((await mine.files.list()).data.map(({ id }) => id)).toEqual([file.id]);
    expect(await mine.files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true });
    expect((await refusalOf(mine.files.retrieve(file.id))).status).toBe(404);
    expect((await mine.files.list()).data).toEqual([]);
  });

  it('go to the provider that is named', async () => {
    const { vendor, second, mine } = await world();
    const upload = async () => ({ file: await toFile(Buffer.from('x'), 'x'), purpose: 'user_data' as const });
    await mine.files.create(await upload(), { query: { provider: 'second' } });
    await mine.files.create(await upload(), { headers: { 'x-switchyard-provider': 'second' } });
    await mine.files.create({ ...(await upload()), provider: 'second' } as never);
    expect([vendor.requests.length, second.requests.length]).toEqual([0, 3]);
    expect([...((await second.requests[2]?.form()) ?? new FormData()).keys()].sort()).toEqual([
      'file',
      'purpose',
    ]);
    const refused = await refusalOf(mine.files.create(await upload(), { query: { provider: 'anthropic' } }));
    expect([refused.status, refused.param]).toEqual([400, 'provider']);
  });

  it('cannot be named by another tenant', async () => {
    const { vendor, mine, other } = await world();
    const { id } = await mine.files.create({ file: await toFile(Buffer.from('x'), 'x'), purpose: 'batch' });
    const asked = vendor.requests.length;
    for (const attempt of [
      () => other.files.retrieve(id),
      () => other.files.content(id),
      () => other.files.delete(id),
      () => mine.files.retrieve('file-v1'),
    ]) {
      const error = await refusalOf(attempt());
      expect([error.status, error.message]).toEqual([404, expect.stringContaining('No such File object')]);
    }
    const batch = { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
    expect(await refusalOf(other.batches.create(batch))).toMatchObject({
      status: 400,
      param: 'input_file_id',
    });
    expect((await other.files.list()).data).toEqual([]);
    expect(vendor.requests).toHaveLength(asked);
  });

  it('go by their own id in a request, to where they are kept', async () => {
    const { vendor, second, mine, other } = await world();
    const { id } = await mine.files.create({
      file: await toFile(Buffer.from('x'), 'x'),
      purpose: 'user_data',
    });
    const input = (file_id: string) => [
      {
        role: 'user' as const,
        content: [
          { type: 'input_text' as const, text: `"file_id": "${id}"` },
          { type: 'input_file' as const, file_id },
        ],
      },
    ];
    await mine.responses.create({ model: 'turned', input: input(id) });
    expect(second.requests).toHaveLength(0);
    expect(JSON.parse(String(vendor.requests.at(-1)?.body)).input).toEqual(
      JSON.parse(JSON.stringify(input('file-v1'))),
    );
    const asked = vendor.requests.length;
    for (const attempt of [
      () => other.responses.create({ model: 'gpt-4o', input: input(id) }),
      () => mine.responses.create({ model: 'gpt-4o', input: input('file-v1') }),
    ]) {
      const refused = await refusalOf(attempt());
      expect([refused.status, refused.param]).toEqual([400, 'input[0].content[1].file_id']);
    }
    const escaped = JSON.stringify({ model: 'gpt-4o', input: input('file-v1') }).replace(
      '"file_id":"file-v1"',
      '"file\\u005fid":"file-v1"',
    );
    const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' };
    const sly = await fetch(`${mine.baseURL}/responses`, { method: 'POST', body: escaped, headers });
    expect(sly.status).toBe(400);
    expect(vendor.requests).toHaveLength(asked);
  });

  it("go by the vendor's id also where thinking of another model is taken out of the conversation", async () => {
    const { vendor, mine } = await world();
    const upload = { file: await toFile(Buffer.from('x'), 'x'), purpose: 'user_data' as const };
    const { id } = await mine.files.create(upload);
    const foreign = { wire: 'anthropic', provider: 'anthropic', model: 'claude', value: {} } as const;
    const reasoning = { type: 'reasoning' as const, id: 'rs_1', summary: [] };
    const user = (file_id: string) => ({
      role: 'user' as const,
      content: [{ type: 'input_file' as const, file_id }],
    });
    const answer = await mine.responses
      .create({
        model: 'gpt-4o',
        input: [{ ...reasoning, encrypted_content: wrapThinking(foreign) }, user(id)],
      })
      .asResponse();
    expect(answer.headers.get('x-switchyard-warnings')).toBe('thinking_removed');
    expect(JSON.parse(String(vendor.requests.at(-1)?.body)).input).toEqual([user('file-v1')]);
  });
});

describe('batches of a vendor', () => {
  it('go where their file is kept; what they have used is accounted for once', async () => {
    const { app, vendor, mine, other } = await world();
    const file = await toFile(Buffer.from(requests('/v1/chat/completions', { model: 'gpt-4o' })), 'in.jsonl');
    const { id: input_file_id } = await mine.files.create({ file, purpose: 'batch' });
    const made = await mine.batches.create({
      input_file_id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
      metadata: { a: 'b' },
    });
    expect(made).toMatchObject({ input_file_id, status: 'validating' });
    expect(made.id).toMatch(/^batch_sy[0-9a-z]{26}$/);
    expect(JSON.parse(String(vendor.requests.at(-1)?.body))).toMatchObject({
      input_file_id: 'file-v1',
      metadata: { a: 'b' },
    });
    const done = await mine.batches.retrieve(made.id);
    expect(done).toMatchObject({ id: made.id, input_file_id, status: 'completed' });
    const output = done.output_file_id ?? '';
    expect(output).toMatch(/^file-sy[0-9a-z]{26}o$/);
    expect((await mine.batches.retrieve(made.id)).output_file_id).toBe(output);
    expect(await promptTokens(app)).toBe(0);
    // Who leaves before the end has used as much.
    const left = await mine.files.content(output);
    await left.body?.cancel();
    await expect.poll(() => promptTokens(app)).toBe(14);
    expect(await usageByModel(app)).toContainEqual(['gpt-4o', 14]);
    for (let n = 0; n < 2; n += 1)
      expect(await (await mine.files.content(output)).text()).toBe(
        `${resultLine('one')}\n${resultLine('two')}\n`,
      );
    expect(await promptTokens(app)).toBe(14);
    expect((await refusalOf(other.files.content(output))).status).toBe(404);
    expect((await refusalOf(other.batches.retrieve(made.id))).status).toBe(404);
    expect((await refusalOf(other.batches.cancel(made.id))).status).toBe(404);
    expect((await mine.batches.cancel(made.id)).status).toBe('cancelling');
    expect((await mine.batches.list()).data.map(({ id, status }) => [id, status])).toEqual([
      [made.id, 'cancelling'],
    ]);
    expect((await other.batches.list()).data).toEqual([]);
  });
});

describe('in the sandbox', () => {
  it('files are kept, and a batch is carried out by the models that it names', async () => {
    const app = await appForThisTest();
    const client = clientOf(app);
    const text = requests(
      '/v1/chat/completions',
      { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello' }] },
      { model: 'sandbox/error', messages: [{ role: 'user', content: 'Hello' }] },
    );
    const file = await client.files.create({
      file: await toFile(Buffer.from(text), 'in.jsonl'),
      purpose: 'batch',
    });
    expect(file).toMatchObject({ bytes: text.length, purpose: 'batch', filename: 'in.jsonl' });
    expect(await (await client.files.content(file.id)).text()).toBe(text);
    const made = await client.batches.create({
      input_file_id: file.id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    });
    expect(made).toMatchObject({ status: 'validating', input_file_id: file.id });
    const batch = await endOf(client, made.id);
    expect(batch).toMatchObject({
      status: 'completed',
      request_counts: { total: 2, completed: 1, failed: 1 },
    });
    expect((await client.batches.list()).data).toEqual([batch]);
    expect(await client.batches.cancel(batch.id)).toEqual(batch);
    const results = await (await client.files.content(batch.output_file_id ?? '')).text();
    expect(JSON.parse(results)).toMatchObject({
      custom_id: 'c0',
      response: {
        status_code: 200,
        body: { object: 'chat.completion', choices: [{ message: { role: 'assistant' } }] },
      },
    });
    const errors = await (await client.files.content(batch.error_file_id ?? '')).text();
    expect(JSON.parse(errors)).toMatchObject({ custom_id: 'c1', response: { status_code: 502 } });
    expect(await promptTokens(app)).toBeGreaterThan(0);
    expect((await client.files.list({ purpose: 'batch' })).data.map(({ id }) => id)).toEqual([file.id]);
  });

  it('a batch says which line of its file is wrong', async () => {
    const client = clientOf(await appForThisTest());
    const good = requests('/v1/embeddings', { model: 'sandbox/echo', input: 'Hello' });
    for (const [text, line, code] of [
      ['', 1, 'empty_file'],
      [`${good}\nnonsense`, 2, 'invalid_request'],
      [`${good}\n${good}`, 2, 'invalid_request'],
      [Array.from({ length: 101 }, () => good).join('\n'), 101, 'too_many_requests'],
      [`\n${Array.from({ length: 101 }, () => good).join('\n\n')}`, 202, 'too_many_requests'],
    ] as const) {
      const file = await client.files.create({
        file: await toFile(Buffer.from(text), 'in'),
        purpose: 'batch',
      });
      const batch = await client.batches.create({
        input_file_id: file.id,
        endpoint: '/v1/embeddings',
        completion_window: '24h',
      });
      expect(await endOf(client, batch.id)).toMatchObject({
        status: 'failed',
        errors: { data: [{ line, code }] },
      });
    }
  });

  it('there is room for 8 MiB in a file and 64 MiB of a tenant', async () => {
    const client = clientOf(await appForThisTest());
    const upload = async (bytes: number) =>
      client.files.create({ file: await toFile(Buffer.alloc(bytes), 'big'), purpose: 'user_data' });
    expect((await refusalOf(upload(8 * 1024 * 1024 + 1))).status).toBe(413);
    for (let n = 0; n < 8; n += 1) await upload(8 * 1024 * 1024);
    expect((await refusalOf(upload(1))).status).toBe(413);
    const [first] = (await client.files.list({ limit: 1 })).data;
    await client.files.delete(first?.id ?? '');
    await upload(1);
  });
});

it('needs the scope `files`', async () => {
  const app = await appForThisTest();
  const { text } = await app.accounts.storedKeys.create({ tenantId: 'local', scopes: ['chat'] }, 'test');
  const refused = await refusalOf(clientOf(app, text).files.list());
  expect([refused.status, refused.message]).toEqual([403, expect.stringContaining('files')]);
});
