/** How the connection ends after the error of a stream that breaks off. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { VendorWire } from '../../../src/model/parts.ts';
import { testKey } from '../../helpers/app.ts';
import { beforeFourVendors, modelOn, textAnswers, wireOf } from '../../helpers/four-vendors.ts';
import { geminiFixture } from '../../helpers/gemini-fixture.ts';
import { responsesFixture } from '../../helpers/responses-fixture.ts';
import { anthropicFixture, openAiFixture } from '../../helpers/vendor-fixtures.ts';
import { wireClients, wireNames } from '../../helpers/wire-clients.ts';

const begun: Readonly<Record<VendorWire, string>> = {
  'openai-chat': openAiFixture.firstHalf,
  'openai-responses': responsesFixture.firstHalf,
  anthropic: anthropicFixture.firstHalf,
  gemini: geminiFixture.firstHalf,
};

/** What came of a streamed answer, and whether its connection ended in good order. */
function streamed(url: string, body: object) {
  return new Promise<{ text: string; whole: boolean }>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${testKey}` };
    const asking = request(url, { method: 'POST', headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', (piece) => {
        text += String(piece);
      });
      reply.on('error', () => undefined);
      reply.on('close', () => resolve({ text, whole: reply.complete }));
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
    const { text, whole } = await streamed(`${app.url}${path(model, true)}`, asked);
    expect(text).toContain('Grüße');
    expect(text).toMatch(/"error":\s*\{/);
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
