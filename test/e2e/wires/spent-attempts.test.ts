/** What a client learns when the attempts of this server are spent, and which provider its session goes to then. */
import { describe, expect, it } from 'vitest';
import { appForThisTest } from '../../helpers/app.ts';
import { beforeFourVendors, modelOn, textAnswers } from '../../helpers/four-vendors.ts';
import { providerOf, vendorFor } from '../../helpers/vendor-gateway.ts';
import { askOn, sendTo, wireClients, wireNames } from '../../helpers/wire-clients.ts';

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
