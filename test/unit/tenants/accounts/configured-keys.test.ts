import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConfiguredKeys, digestOf } from '../../../../src/tenants/accounts/configured-keys.ts';
import { generateKey } from '../../../../src/tenants/accounts/key-secret.ts';

const hmacSecret = randomBytes(32);
const own = 'a-key-of-our-own';
const other = 'another-key-of-ours';
const generated = generateKey();
const keys = new ConfiguredKeys(
  hmacSecret,
  [own, other],
  [{ id: generated.id, digest: digestOf(generated.text, hmacSecret) }],
);

describe('a configured key', () => {
  it('holds every scope', async () => {
    for (const key of [own, other, generated.text]) {
      expect([...((await keys.verify(key))?.scopes ?? [])]).toEqual([
        'chat',
        'media',
        'files',
        'agents',
        'ai',
        'factory',
        'mcp',
      ]);
    }
  });

  it('has a public id that is its own, stays the same and is no part of it', async () => {
    const id = (await keys.verify(own))?.keyId ?? '';
    const again = new ConfiguredKeys(randomBytes(32), [own], []);
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    expect((await again.verify(own))?.keyId).toBe(id);
    expect((await keys.verify(other))?.keyId).not.toBe(id);
    expect(digestOf(own, hmacSecret).toString('hex')).not.toContain(id);
  });

  it('that was generated goes by its public id, stored or configured', async () => {
    const configured = new ConfiguredKeys(randomBytes(32), [generated.text], []);
    expect((await keys.verify(generated.text))?.keyId).toBe(generated.id);
    expect((await configured.verify(generated.text))?.keyId).toBe(generated.id);
  });

  it('is not kept in clear', () => {
    const shown = inspect(keys, { depth: null, showHidden: true }) + JSON.stringify(keys);
    for (const key of [own, other, generated.text]) expect(shown).not.toContain(key);
  });
});

describe('anything else', () => {
  it.each([
    ['nothing', ''],
    ['a longer one', `${own} `],
    ['a shorter one', own.slice(0, -1)],
    ['other letters', own.toUpperCase()],
    ['a mistyped one', `${generated.text.slice(0, -1)}!`],
    ['another generated one', generateKey().text],
    ['its digest', digestOf(own, hmacSecret).toString('hex')],
    ['a name of the prototype', '__proto__'],
    ['half a surrogate pair', '\ud800'],
    ['a very long text', 'x'.repeat(1_000_000)],
  ])('is no key: %s', async (_case, text) => {
    expect(await keys.verify(text)).toBeNull();
  });

  it('is no key, whatever its bytes are', async () => {
    for (let round = 0; round < 2000; round++) {
      const bytes = randomBytes(round % 100);
      for (const encoding of ['latin1', 'utf8', 'utf16le'] as const) {
        const text = bytes.toString(encoding);
        expect(await keys.verify(round % 2 ? text : `sw_live_${text}`)).toBeNull();
      }
    }
  });
});
