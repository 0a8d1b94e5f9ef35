import { describe, expect, it } from 'vitest';
import { appForThisTest, testKey } from '../../helpers/app.ts';
import { keyOfAnotherTenant } from '../../helpers/store-accounts.ts';
import { providerOf, vendorFor } from '../../helpers/vendor-gateway.ts';
import {
  askOn,
  beforeFourVendors,
  modelOn,
  pngData,
  sendTo,
  textAnswers,
  wireClients,
  wireNames,
  wireOf,
} from '../../helpers/wire-clients.ts';
import type { VendorScript } from '../../lib/vendor.ts';

/** What a client learns when the attempts of this server are spent, and which provider its session goes to then. */
describe('spent attempts', () => {
  const error = { error: { message: 'Not now.', type: 'server_error' } };

  describe.each(wireNames)('a client on %s', (client) => {
    it.each(wireNames)('is not to ask again when a model on %s has failed every attempt', async (wire) => {
      const { app, vendor } = await beforeFourVendors(({ json }) => json(error, 500), {
        models: { maxAttempts: 2 },
      });
      const { status, headers } = await askOn(app, client, modelOn[wire], 'Hi');
      expect([status >= 500, headers.get('x-should-retry'), vendor.requests.length]).toEqual([
        true,
        'false',
        2,
      ]);
    });

    it.each(wireNames)(
      'is not to ask again when a model on %s was asked again and again for it',
      async (wire) => {
        const { app, vendor } = await beforeFourVendors(({ json }) => json(error, 429), {
          models: { maxAttempts: 2 },
        });
        const { status, headers } = await askOn(app, client, modelOn[wire], 'Hi');
        expect([status, headers.get('x-should-retry'), vendor.requests.length]).toEqual([429, 'false', 2]);
      },
    );

    it('may ask again when the vendor has too many requests', async () => {
      const { app } = await beforeFourVendors(({ json }) => json(error, 429, { 'retry-after': '60' }));
      const { status, headers } = await askOn(app, client, modelOn[client], 'Hi');
      expect([status, headers.get('x-should-retry'), headers.get('retry-after')]).toEqual([429, null, '60']);
    });

    it('is told nothing of the kind when it is at fault itself', async () => {
      const { app } = await beforeFourVendors(({ json }) => json(error, 400));
      const { status, headers } = await askOn(app, client, modelOn[client], 'Hi');
      expect([status, headers.has('x-should-retry')]).toEqual([400, false]);
    });
  });

  /** Two providers, the second the fallback of the first, which fail where they are told to. */
  async function twoProviders() {
    const asked: string[] = [];
    const down = new Set<string>();
    const providers = await Promise.all(
      ['one', 'two'].map(async (id) => {
        const { baseUrl } = await vendorFor(({ json }) => {
          asked.push(id);
          if (down.has(id)) json(error, 500);
          else json(textAnswers.anthropic.reply);
        });
        return providerOf('anthropic', baseUrl, { id, patterns: [] });
      }),
    );
    const app = await appForThisTest({
      models: {
        providers,
        models: [
          { id: 'first', provider: 'one', model: 'claude', temperature: null, fallbacks: ['second'] },
          { id: 'second', provider: 'two', model: 'claude', temperature: null, fallbacks: [] },
        ],
        maxAttempts: 2,
      },
    });
    const client = wireClients.anthropic;
    return {
      /** Who was asked for a request of a session, in turn. */
      async asks(session: string, ...failing: string[]) {
        down.clear();
        for (const id of failing) down.add(id);
        asked.length = 0;
        const headers = { 'x-claude-code-session-id': session };
        await sendTo(app, client, 'first', client.body('first', { text: 'Hi' }), { headers });
        return asked.join(' ');
      },
    };
  }

  describe('a session', () => {
    it('stays with the fallback that has answered it, and goes back when that fails and the first answers', async () => {
      const { asks } = await twoProviders();
      expect(await asks('a', 'one')).toBe('one two');
      expect(await asks('a')).toBe('two');
      expect(await asks('a')).toBe('two');
      expect(await asks('b')).toBe('one');
      expect(await asks('a', 'two')).toBe('two one');
      expect(await asks('a')).toBe('one');
    });

    it('is bound to none when every provider has failed', async () => {
      const { asks } = await twoProviders();
      expect(await asks('a', 'one')).toBe('one two');
      expect(await asks('a', 'one', 'two')).toBe('two one');
      expect(await asks('a')).toBe('one');
    });
  });
});

/** What one tenant asks in vain is nobody else's outage. */
describe('mistakes of one tenant', () => {
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
});
