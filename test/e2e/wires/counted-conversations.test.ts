/** Tokens of a conversation that went on with another model are counted as those of one that is answered. */
import { expect, it } from 'vitest';
import { wrapThinking } from '../../../src/gateway/wires/envelope.ts';
import type { SealedThinking } from '../../../src/model/parts.ts';
import { appForThisTest, testKey } from '../../helpers/app.ts';
import { providerOf, vendorFor } from '../../helpers/vendor-gateway.ts';

const foreign = (wire: SealedThinking['wire']) =>
  wrapThinking({ wire, provider: 'other', model: 'm', value: { type: 'thinking' } });
const hi = { role: 'user', content: 'Hi' };
const contents = (signature: string) => [
  { role: 'user', parts: [{ text: 'Hi' }] },
  { role: 'model', parts: [{ text: 'Hello' }, { text: '', thoughtSignature: signature }] },
];
const signature = Buffer.from(foreign('anthropic')).toString('base64');
const contentsLeft = [contents('')[0], { role: 'model', parts: [{ text: 'Hello' }] }];

it.each([
  {
    wire: 'anthropic',
    path: '/v1/messages/count_tokens',
    body: {
      model: 'm',
      messages: [
        hi,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: foreign('gemini') },
            { type: 'text', text: 'Hello' },
          ],
        },
      ],
    },
    sent: { messages: [hi, { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }] },
    reply: { input_tokens: 7 },
  },
  {
    wire: 'responses',
    path: '/v1/responses/input_tokens',
    body: {
      model: 'm',
      input: [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: foreign('anthropic') }, hi],
    },
    sent: { input: [hi] },
    reply: { object: 'response.input_tokens', input_tokens: 7 },
  },
  {
    wire: 'gemini',
    path: '/v1beta/models/m:countTokens',
    body: { contents: contents(signature) },
    sent: { contents: contentsLeft },
    reply: { totalTokens: 7 },
  },
  {
    wire: 'gemini',
    path: '/v1beta/models/m:countTokens',
    body: { generateContentRequest: { model: 'models/m', contents: contents(signature) } },
    sent: { generateContentRequest: { model: 'models/m', contents: contentsLeft } },
    reply: { totalTokens: 7 },
  },
] as const)(
  'on $path without thinking that its vendor cannot read',
  async ({ wire, path, body, sent, reply }) => {
    const vendor = await vendorFor(({ json }) => json(reply));
    const provider = providerOf(wire, vendor.baseUrl, { patterns: ['m'] });
    const app = await appForThisTest({ models: { providers: [provider] } });
    const answer = await fetch(app.url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    });
    expect([answer.status, await answer.json()]).toEqual([200, reply]);
    expect(vendor.requests[0]?.json).toEqual('model' in body ? { model: 'm', ...sent } : sent);
    expect(answer.headers.get('x-switchyard-warnings')).toBe('thinking_removed');
  },
);
