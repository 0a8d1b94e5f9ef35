/** A conversation that does not fit into the model, told in the words by which the clients of each interface know it. */
import { describe, expect, it } from 'vitest';
import type { VendorWire } from '../../../src/model/parts.ts';
import { beforeFourVendors, modelOn } from '../../helpers/four-vendors.ts';
import { askOn, wireClients, wireNames } from '../../helpers/wire-clients.ts';

/** What vendors on a wire say, under which status. */
const said: Readonly<Record<VendorWire, readonly [number, object]>> = {
  // vLLM 0.11 (https://github.com/0xku/kon/issues/91, 2026-06-16).
  'openai-chat': [
    400,
    { object: 'error', type: 'BadRequestError', message: "This model's maximum context length is 8 tokens." },
  ],
  // https://platform.openai.com/docs/guides/error-codes, 2026-11-27.
  'openai-responses': [
    400,
    { error: { type: 'invalid_request_error', code: 'context_length_exceeded', message: 'It is too big.' } },
  ],
  // https://platform.claude.com/docs/en/api/errors, 2026-11-27.
  anthropic: [
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' },
    },
  ],
  // https://ai.google.dev/gemini-api/docs/tokens, 2026-11-27.
  gemini: [
    400,
    {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: 'The input token count (9) exceeds the maximum number of tokens allowed (8).',
      },
    },
  ],
};

/** What the clients of an interface look for. */
const lookedFor: Readonly<Record<VendorWire, RegExp>> = {
  'openai-chat': /"code":"context_length_exceeded"/,
  'openai-responses': /"code":"context_length_exceeded"/,
  // Claude Code (https://github.com/anthropics/claude-code/issues/46348, 2026-04-10).
  anthropic: /prompt is too long/i,
  // Gemini's own message.
  gemini: /input token count .*exceeds the maximum number of tokens allowed/i,
};

describe.each(wireNames)('a client on %s', (client) => {
  it.each(
    wireNames
      .filter((wire) => wire !== client)
      .flatMap((wire) => [[wire, false] as const, [wire, true] as const]),
  )('knows it from a vendor on %s, streamed: %s', async (wire, streaming) => {
    const { app, vendor } = await beforeFourVendors(({ json }) => json(said[wire][1], said[wire][0]), {
      models: { maxAttempts: 4 },
    });
    const { status, text } = await askOn(app, client, modelOn[wire], 'Hi', streaming);
    expect(status).toBe(400);
    expect(text).toMatch(lookedFor[client]);
    expect(wireClients[client].message(JSON.parse(text))).toContain('refused the request');
    expect(vendor.requests).toHaveLength(1);
  });
});
