import { request } from 'node:http';
import { array, assert, asyncProperty, integer } from 'fast-check';
import { request as requestBy } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { VendorObjects } from '../../../src/background/vendor-objects/vendor-objects.ts';
import { openAiChatWire } from '../../../src/gateway/wires/openai-chat/client/wire.ts';
import type { VendorWire } from '../../../src/model/parts.ts';
import { StoreError } from '../../../src/store/errors.ts';
import { appForThisTest, type TestApp, testKey } from '../../helpers/app.ts';
import { ask } from '../../helpers/http.ts';
import {
  anthropicFixture,
  geminiFixture,
  openAiFixture,
  responsesFixture,
  wireJson,
  wireText,
} from '../../helpers/vendor-fixtures.ts';
import { providerOf, vendorFor } from '../../helpers/vendor-gateway.ts';
import {
  beforeFourVendors,
  modelOn,
  sendTo,
  textAnswers,
  wireClients,
  wireNames,
  wireOf,
} from '../../helpers/wire-clients.ts';
import { readBySdk } from '../../helpers/wire-sides.ts';

/** How the connection ends after the error of a stream that breaks off. */
describe('what breaks off', () => {
  const begun: Readonly<Record<VendorWire, string>> = {
    'openai-chat': openAiFixture.firstHalf,
    'openai-responses': responsesFixture.firstHalf,
    anthropic: anthropicFixture.firstHalf,
    gemini: geminiFixture.firstHalf,
  };

  /** The chunks that came of a streamed answer, and whether its connection ended in good order. */
  function streamed(url: string, body: object) {
    return new Promise<{ text: string; chunks: string[]; whole: boolean }>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${testKey}` };
      const asking = request(url, { method: 'POST', headers }, (reply) => {
        const chunks: string[] = [];
        reply.setEncoding('utf8');
        reply.on('data', (chunk: string) => chunks.push(chunk));
        reply.on('error', () => undefined);
        reply.on('close', () => resolve({ text: chunks.join(''), chunks, whole: reply.complete }));
      });
      asking.on('error', reject);
      asking.end(JSON.stringify(body));
    });
  }

  // Some clients of Chat and Gemini take an error before an end in good order for a whole answer; those of the other two have an
  // event that ends an answer.
  const clean: readonly VendorWire[] = ['openai-responses', 'anthropic'];
  const pairs = wireNames.flatMap((client) => wireNames.map((vendor) => [client, vendor] as const));

  describe.each(pairs)('a client on %s before a vendor on %s', (client, vendor) => {
    const { path, body } = wireClients[client];
    const model = modelOn[vendor];
    const asked = { ...body(model, { text: 'Hi' }), ...(client !== 'gemini' && { stream: true }) };

    it('gets all that came, the error, and an end of the connection that its wire needs', async () => {
      const { app } = await beforeFourVendors((reply) => {
        reply.eventStream();
        reply.chunk(begun[wireOf(reply.request)]);
        reply.lastChunk();
      });
      const { text, chunks, whole } = await streamed(`${app.url}${path(model, true)}`, asked);
      expect(text).toContain('Grüße');
      expect(text).toMatch(/"error":\s*\{/);
      // The SDK for Go and that in Gemini CLI know an error by a chunk that is JSON as it is; others read the events alone.
      if (client === 'gemini') {
        const [event, bare = ''] = chunks.slice(-2);
        expect(JSON.parse(bare)).toMatchObject({ error: { code: 502 } });
        expect(event).toBe(`data: ${bare}`);
      }
      expect(whole).toBe(clean.includes(client));
    });

    it('gets an end in good order where the answer is whole', async () => {
      const { app } = await beforeFourVendors(({ request, events }) =>
        events(textAnswers[wireOf(request)].stream),
      );
      const { text, whole } = await streamed(`${app.url}${path(model, true)}`, asked);
      expect([whole, /"error":\s*\{/.test(text)]).toEqual([true, false]);
    });
  });

  it.each(wireNames.filter((name) => !clean.includes(name)))(
    'gives its error to a client on %s with `fetch`, which loses what it has not read when the connection breaks off',
    async (client) => {
      const { app } = await beforeFourVendors(
        (reply) => {
          reply.eventStream();
          reply.chunk(begun[client]);
          reply.lastChunk();
        },
        { breakOffMs: 600_000 },
      );
      const { path, body } = wireClients[client];
      const model = modelOn[client];
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${testKey}` };
      const asked = { ...body(model, { text: 'Hi' }), ...(client !== 'gemini' && { stream: true }) };
      const sent = { method: 'POST', headers, body: JSON.stringify(asked) };
      const reply = await fetch(`${app.url}${path(model, true)}`, sent);
      const id = reply.headers.get('x-request-id');
      const row = async () => (await ask(`${app.url}/v1/requests/${id}`)).json.status;
      await expect.poll(row, { timeout: 10_000 }).toBe('failed');
      let text = '';
      for await (const piece of reply.body ?? []) {
        text += Buffer.from(piece);
        if (/"error":\s*\{/.test(text)) return;
      }
      expect.unreachable(`There was no error: ${text}`);
    },
  );
});

/** An answer that its client leaves in the middle is accounted for by what was made of it, on either lane. */
describe('what its client leaves', () => {
  const said = 'A sentence that goes on for a while. '.repeat(40);

  const named = (events: readonly { readonly type: string }[]) =>
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  const data = (events: readonly object[]) =>
    events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

  /** The beginning of an answer, with what each vendor tells of usage by then. */
  const begun: Readonly<Record<VendorWire, string>> = {
    'openai-chat': data([
      { id: 'c', choices: [{ index: 0, delta: { content: said }, finish_reason: null }] },
    ]),
    'openai-responses': named([
      {
        type: 'response.output_text.delta',
        ...{ output_index: 0, content_index: 0, item_id: 'm', delta: said },
      },
    ]),
    anthropic: named([
      {
        type: 'message_start',
        ...{
          message: {
            id: 'msg_1',
            role: 'assistant',
            content: [],
            usage: { input_tokens: 25, output_tokens: 1 },
          },
        },
      },
      { type: 'content_block_start', ...{ index: 0, content_block: { type: 'text', text: '' } } },
      { type: 'content_block_delta', ...{ index: 0, delta: { type: 'text_delta', text: said } } },
    ]),
    gemini: data([
      {
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text: said }] } }],
        usageMetadata: { promptTokenCount: 25, totalTokenCount: 25 },
      },
    ]),
  };

  const pairs = wireNames.flatMap((client) => wireNames.map((vendor) => [client, vendor] as const));

  describe.each(pairs)('a client on %s that leaves a vendor on %s', (client, vendor) => {
    it('has used the prompt and what was made of the answer', async () => {
      const { app } = await beforeFourVendors(async (reply) => {
        reply.eventStream();
        reply.chunk(begun[wireOf(reply.request)]);
        await reply.closed;
      });
      const { path, body } = wireClients[client];
      const model = modelOn[vendor];
      const streamed = client === 'gemini' ? {} : { stream: true };
      const answer = await requestBy(`${app.url}${path(model, true)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${testKey}` },
        body: JSON.stringify({ ...body(model, { text: 'Hi' }), ...streamed }),
      });
      let text = '';
      for await (const chunk of answer.body) {
        text += String(chunk);
        // Leaving the loop closes the connection.
        if (text.includes('for a while')) break;
      }
      const row = async () => {
        const id = String(answer.headers['x-request-id']);
        const reply = await fetch(`${app.url}/v1/requests/${id}`, {
          headers: { authorization: `Bearer ${testKey}` },
        });
        return (await reply.json()) as { status: string; usage: { source: string } | null };
      };
      await expect.poll(async () => (await row()).status).toBe('cancelled');
      const { usage } = (await row()) as unknown as {
        usage: { source: string; prompt_tokens: number; completion_tokens: number };
      };
      expect(usage).toMatchObject({ source: 'estimated' });
      expect(usage.prompt_tokens).toBeGreaterThan(0);
      expect(usage.completion_tokens).toBeGreaterThan(said.length / 8);
    });
  });
});

/** However a vendor's bytes are cut on their way, a client gets the same bytes, in an order that its vendor's SDK takes. */
describe('however bytes are cut', () => {
  /** Thinking, texts and parallel calls, as far as each wire has them. */
  const streams: Readonly<Record<VendorWire, Buffer>> = {
    'openai-chat': Buffer.from(wireText('openai-chat/parallel-tools.sse')),
    'openai-responses': Buffer.from(wireText('openai-responses/reasoning-and-calls.sse')),
    anthropic: Buffer.from(wireText('anthropic/thinking-tools.stream.sse')),
    gemini: Buffer.from(wireText('gemini/stream-calls.sse')),
  };

  /** Without what differs from answer to answer: ids and times. */
  function steady(text: string): string {
    return text
      .replaceAll(/[0-9A-HJKMNP-TV-Z]{26}/g, 'ID')
      .replaceAll(/"(created|created_at|completed_at)":\d+/g, '"$1":0');
  }

  function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
    const sorted = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
    return [0, ...sorted].map((start, index) => bytes.subarray(start, sorted[index] ?? bytes.length));
  }

  const pairs = wireNames.flatMap((client) => wireNames.map((vendor) => [client, vendor] as const));

  describe.each(pairs)('a client on %s before a vendor on %s', (client, vendor) => {
    it('gets the same bytes for any cut of them, and its SDK takes them', async () => {
      let places: readonly number[] = [];
      const { app } = await beforeFourVendors(({ request, events }) =>
        events(...cutAt(streams[wireOf(request)], places)),
      );
      const model = modelOn[vendor];
      const { body } = wireClients[client];
      const more = client === 'openai-chat' ? { stream_options: { include_usage: true } } : {};
      const read = async (): Promise<string> => {
        const answer = await sendTo(app, wireClients[client], model, body(model, { text: 'Hi' }, more), {
          streaming: true,
        });
        expect(answer.status).toBe(200);
        return steady(answer.text);
      };
      const whole = await read();
      await expect(readBySdk[client](whole)).resolves.toBeTypeOf('object');
      if (client === vendor) expect(whole).toBe(steady(streams[vendor].toString()));
      await assert(
        asyncProperty(
          array(integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 12 }),
          async (cuts) => {
            places = cuts;
            expect(await read()).toBe(whole);
          },
        ),
        { numRuns: 10 },
      );
      // Byte by byte.
      places = Array.from({ length: streams[vendor].length - 1 }, (_, index) => index + 1);
      expect(await read()).toBe(whole);
    });
  });
});

/** What a stream of Responses says while its vendor is silent: Codex counts events and no comments (https://github.com/Menci/Floway/issues/498). */
describe('while the vendor is silent', () => {
  it('a translated stream of Responses has events in silence, numbered like all others', async () => {
    const heard = Promise.withResolvers<void>();
    const vendor = await vendorFor(async (reply) => {
      reply.eventStream();
      reply.chunk(openAiFixture.firstHalf);
      await heard.promise;
      reply.chunk(openAiFixture.stream.slice(openAiFixture.firstHalf.length));
      reply.lastChunk();
    });
    const app = await appForThisTest({
      models: { providers: [providerOf('openai', vendor.baseUrl)] },
      pingMs: 20,
    });
    const reply = await fetch(`${app.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', input: 'Hi', stream: true }),
    });
    let text = '';
    for await (const piece of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      // The first belongs to every stream.
      if (text.split('event: response.in_progress').length > 3) heard.resolve();
    }
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(
      events.map((_event, index) => index),
    );
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
  });
});

/** What becomes of a request when its answer has come and cannot be told: what was used is accounted for all the same. */
describe('what cannot be told', () => {
  const messages = [{ role: 'user', content: 'Hi' }];

  async function post(app: TestApp, path: string, body: object) {
    const reply = await fetch(app.url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    });
    return { status: reply.status, id: reply.headers.get('x-request-id'), text: await reply.text() };
  }

  async function ledgerRow(app: TestApp, id: string | null): Promise<unknown> {
    const headers = { authorization: `Bearer ${testKey}` };
    return (await fetch(`${app.url}/v1/requests/${id}`, { headers })).json();
  }

  it('accounts for a translated answer that we fail to write', async () => {
    const vendor = await vendorFor(({ json }) => json(anthropicFixture.reply));
    const app = await appForThisTest({
      models: { providers: [providerOf('anthropic', vendor.baseUrl)] },
      errorsExpected: true,
    });
    const { read } = openAiChatWire;
    const broken = vi.spyOn(openAiChatWire, 'read').mockImplementation((body) => ({
      ...read(body),
      answer() {
        throw new Error('broken');
      },
    }));
    onTestFinished(() => broken.mockRestore());
    const { status, id } = await post(app, '/v1/chat/completions', { model: 'claude-sonnet-4-6', messages });
    expect(status).toBe(500);
    expect(await ledgerRow(app, id)).toMatchObject({
      status: 'failed',
      provider: 'anthropic',
      usage: { completion_tokens: 11, source: 'provider' },
    });
  });

  it('accounts for a native answer of which we fail to write down whose it is', async () => {
    const reply = wireJson('openai-responses/text.json') as { usage: { output_tokens: number } };
    const vendor = await vendorFor(({ json }) => json(reply));
    const app = await appForThisTest({
      models: { providers: [providerOf('responses', vendor.baseUrl)] },
      errorsExpected: true,
    });
    const broken = vi
      .spyOn(VendorObjects.prototype, 'record')
      .mockRejectedValueOnce(new StoreError('unreachable', 'Storage: gone.'));
    onTestFinished(() => broken.mockRestore());
    const { status, id } = await post(app, '/v1/responses', { model: 'gpt-4o', input: 'Hi' });
    expect(status).toBe(503);
    expect(await ledgerRow(app, id)).toMatchObject({
      status: 'failed',
      provider: 'responses',
      usage: { completion_tokens: reply.usage.output_tokens, source: 'provider' },
    });
  });
});
