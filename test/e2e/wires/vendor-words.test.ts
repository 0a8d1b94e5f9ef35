/** What vendors say against a request in less than the full form of their wire, as compatible servers do. */
import { expect, it } from 'vitest';
import type { VendorWire } from '../../../src/model/parts.ts';
import { beforeFourVendors, modelOn } from '../../helpers/four-vendors.ts';
import { askOn, wireNames } from '../../helpers/wire-clients.ts';

async function told(client: VendorWire, said: object) {
  const { app } = await beforeFourVendors(({ json }) => json(said, 400));
  const { status, text } = await askOn(app, client, modelOn[client], 'Hi');
  return { status, body: JSON.parse(text), text };
}

const whole: Readonly<Record<VendorWire, object>> = {
  'openai-chat': { error: { message: 'No such thing.' }, detail: [{ loc: ['body'], msg: 'No.' }] },
  'openai-responses': { error: { message: 'No such thing.', code: 400 } },
  anthropic: { type: 'error', error: { type: 'invalid_request_error', message: 'No such thing.' } },
  gemini: { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'No such thing.', details: [] } },
};

it.each(wireNames)('go to a client on %s as they are where it knows the form', async (client) => {
  expect(await told(client, whole[client])).toMatchObject({ status: 400, body: whole[client] });
});

it.each(wireNames)('go to a client on %s in its own form where the vendor has another', async (client) => {
  const { status, body, text } = await told(client, { detail: 'No such thing.' });
  expect(status).toBe(400);
  expect(text).toContain('No such thing.');
  expect(body).toHaveProperty('error.message');
  if (client === 'anthropic') expect(body).toMatchObject({ type: 'error', request_id: expect.any(String) });
});

it.each<[VendorWire, RegExp]>([
  ['openai-chat', /"code":"context_length_exceeded"/],
  ['openai-responses', /"code":"context_length_exceeded"/],
  ['anthropic', /"message":"[^"]*prompt is too long/],
  ['gemini', /input token count/],
])('of a conversation that is too long are those that clients on %s know', async (client, words) => {
  // As llama.cpp says it on every wire (xllamacpp 2026.10.11549, seen 2026-11-27).
  const error = {
    code: 400,
    message: 'the request exceeds the available context size, try increasing it',
    type: 'exceed_context_size_error',
    n_prompt_tokens: 361,
    n_ctx: 256,
  };
  const { status, text } = await told(client, { error });
  expect(status).toBe(400);
  expect(text).toMatch(words);
});
