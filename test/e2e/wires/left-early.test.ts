/** An answer that its client leaves in the middle is accounted for by what was made of it, on either lane. */
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import type { VendorWire } from '../../../src/model/parts.ts';
import { testKey } from '../../helpers/app.ts';
import { beforeFourVendors, modelOn, wireOf } from '../../helpers/four-vendors.ts';
import { wireClients, wireNames } from '../../helpers/wire-clients.ts';

const said = 'A sentence that goes on for a while. '.repeat(40);

const named = (events: readonly { readonly type: string }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const data = (events: readonly object[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

/** The beginning of an answer, with what each vendor tells of usage by then. */
const begun: Readonly<Record<VendorWire, string>> = {
  'openai-chat': data([{ id: 'c', choices: [{ index: 0, delta: { content: said }, finish_reason: null }] }]),
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
    const answer = await request(`${app.url}${path(model, true)}`, {
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
