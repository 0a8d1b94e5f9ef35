/**
 * Replies to requests for streams that are not what their label says, on either lane: clients of other gateways got an error for
 * them (https://github.com/openclaw/openclaw/pull/97454, seen on 27 November 2026).
 */
import { describe, expect, it } from 'vitest';
import { testKey } from '../../helpers/app.ts';
import { beforeFourVendors, modelOn, textAnswers, wireOf } from '../../helpers/four-vendors.ts';
import { sendTo, wireClients, wireNames } from '../../helpers/wire-clients.ts';
import { readBySdk } from '../../helpers/wire-sides.ts';

const pairs = wireNames.flatMap((client) => wireNames.map((vendor) => [client, vendor] as const));
const streaming = { streaming: true } as const;

describe.each(pairs)('a client on %s before a vendor on %s', (client, vendor) => {
  const model = modelOn[vendor];
  const body = wireClients[client].body(model, { text: 'Hi' });

  it('reads a stream that is labelled as JSON', async () => {
    let type = 'text/event-stream';
    const { app } = await beforeFourVendors(({ request, reply }) =>
      reply(200, textAnswers[wireOf(request)].stream, { 'content-type': type }),
    );
    const right = await sendTo(app, wireClients[client], model, body, streaming);
    type = 'application/json';
    const wrong = await sendTo(app, wireClients[client], model, body, streaming);
    const steady = (text: string) =>
      text
        .replaceAll(/[0-9A-HJKMNP-TV-Z]{26}/g, 'ID')
        .replaceAll(/"(created|created_at|completed_at)":\d+/g, '"$1":0');
    expect([wrong.status, steady(wrong.text)]).toEqual([200, steady(right.text)]);
  });

  it.each(['application/json', 'text/event-stream'])(
    'reads a whole answer, labelled %s, as the stream that it asked for',
    async (type) => {
      const { app } = await beforeFourVendors(({ request, reply }) =>
        reply(200, JSON.stringify(textAnswers[wireOf(request)].reply), { 'content-type': type }),
      );
      const answer = await sendTo(app, wireClients[client], model, body, streaming);
      expect(answer.status).toBe(200);
      expect(answer.text).toMatch(/^(?:event|data):/);
      await expect(readBySdk[client](answer.text)).resolves.toBeTypeOf('object');
      const id = answer.headers.get('x-request-id');
      const row = await fetch(`${app.url}/v1/requests/${id}`, {
        headers: { authorization: `Bearer ${testKey}` },
      });
      expect(await row.json()).toMatchObject({ status: 'succeeded', usage: { source: 'provider' } });
    },
  );
});

it('keeps the digits of arguments where a whole answer is written as a stream on its own wire', async () => {
  const digits = '12345678901234567891';
  const called = `{"id":"msg_1","type":"message","role":"assistant","model":"claude","stop_reason":"tool_use","stop_sequence":null,
    "content":[{"type":"tool_use","id":"toolu_1","name":"find","input":{"id":${digits}}}],"usage":{"input_tokens":1,"output_tokens":1}}`;
  const { app } = await beforeFourVendors(({ reply }) =>
    reply(200, called, { 'content-type': 'application/json' }),
  );
  const model = modelOn.anthropic;
  const body = wireClients.anthropic.body(model, { text: 'Hi' });
  const answer = await sendTo(app, wireClients.anthropic, model, body, streaming);
  expect(answer.status).toBe(200);
  expect(answer.text).toContain(digits);
});
