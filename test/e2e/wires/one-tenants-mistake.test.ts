/** What one tenant asks in vain is nobody else's outage. */
import { describe, expect, it } from 'vitest';
import { testKey } from '../../helpers/app.ts';
import { beforeFourVendors, modelOn, textAnswers, wireOf } from '../../helpers/four-vendors.ts';
import { keyOfAnotherTenant } from '../../helpers/other-tenant.ts';
import type { VendorScript } from '../../helpers/vendor.ts';
import { pngData, sendTo, wireClients, wireNames } from '../../helpers/wire-clients.ts';

/** As llama.cpp of 2026-10 answers (seen 2026-11-27): a text model that was started without vectors. */
const textModel: VendorScript = ({ request, json }) => {
  if (request.path.endsWith('/embeddings'))
    json(
      {
        error: {
          code: 501,
          message: 'This server does not support embeddings.',
          type: 'not_supported_error',
        },
      },
      501,
    );
  else if (request.body.includes('image'))
    json(
      {
        error: {
          code: 500,
          message: 'image input is not supported - hint: provide the mmproj',
          type: 'server_error',
        },
      },
      500,
    );
  else if (request.body.includes('POISON'))
    json({ error: { code: 500, message: 'Compute error.', type: 'server_error' } }, 500);
  else json(textAnswers[wireOf(request)].reply);
};

const options = { models: { maxAttempts: 4 } };
const image = { mediaType: 'image/png', data: pngData };

describe.each(wireNames)('a client on %s', (client) => {
  const wire = wireClients[client];

  it.each(wireNames)(
    'that shows a picture to a text model on %s is told the reason, once',
    async (vendorWire) => {
      const { app, vendor } = await beforeFourVendors(textModel, options);
      const model = modelOn[vendorWire];
      const other = { headers: { authorization: `Bearer ${await keyOfAnotherTenant(app)}` } };
      for (let asked = 1; asked <= 6; asked += 1) {
        const { status, text, headers } = await sendTo(
          app,
          wire,
          model,
          wire.body(model, { text: 'Hi', image }),
        );
        expect([status, headers.get('x-should-retry'), vendor.requests.length]).toEqual([400, null, asked]);
        expect(wire.message(JSON.parse(text))).toContain('image input is not supported');
      }
      for (const as of [{}, other]) {
        const { status } = await sendTo(app, wire, model, wire.body(model, { text: 'Hi' }), as);
        expect(status).toBe(200);
      }
    },
  );

  it('whose requests a model chokes on for no reason that is known is left alone itself, and nobody else', async () => {
    const { app } = await beforeFourVendors(textModel, { models: { maxAttempts: 1 } });
    const model = modelOn[client];
    const other = { headers: { authorization: `Bearer ${await keyOfAnotherTenant(app)}` } };
    const ask = async (text: string, as = {}) =>
      (await sendTo(app, wire, model, wire.body(model, { text }), as)).status;
    const failures: number[] = [];
    for (let asked = 0; asked < 6; asked += 1) failures.push(await ask('POISON'));
    expect(failures.slice(0, 5).every((status) => status >= 500)).toBe(true);
    expect(failures[5]).not.toBe(failures[0]);
    expect(await ask('Hi')).toBe(failures[5]);
    expect(await ask('Hi', other)).toBe(200);
  });
});

it('vectors of a model that has none are refused with the reason, and it goes on to answer', async () => {
  const { app, vendor } = await beforeFourVendors(textModel, options);
  for (let asked = 1; asked <= 6; asked += 1) {
    const reply = await fetch(`${app.url}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: modelOn['openai-chat'], input: 'Hi' }),
    });
    expect([reply.status, vendor.requests.length]).toEqual([400, asked]);
    expect(await reply.text()).toContain('does not support embeddings');
  }
  const { 'openai-chat': chat } = wireClients;
  const model = modelOn['openai-chat'];
  expect((await sendTo(app, chat, model, chat.body(model, { text: 'Hi' }))).status).toBe(200);
});
