import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  ConfiguredKeys,
  digestOf,
  generateKey,
  looksGenerated,
  parseKey,
} from '../../../../src/tenants/accounts/key-secret.ts';
import { randomBase62, toBase62 } from '../../../../src/tenants/accounts/tokens.ts';

const hmacSecret = randomBytes(32);
const own = 'a-key-of-our-own';
const other = 'another-key-of-ours';
const generated = generateKey();
const keys = new ConfiguredKeys(hmacSecret, [own, other, generated.text]);

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
    const again = new ConfiguredKeys(randomBytes(32), [own]);
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    expect((await again.verify(own))?.keyId).toBe(id);
    expect((await keys.verify(other))?.keyId).not.toBe(id);
    expect(digestOf(own, hmacSecret).toString('hex')).not.toContain(id);
  });

  it('that was generated goes by its public id', async () => {
    expect((await keys.verify(generated.text))?.keyId).toBe(generated.id);
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

describe('the format of keys', () => {
  const base62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

  describe('a generated key', () => {
    it('has the documented form', () => {
      const { id, text } = generateKey();
      expect(text).toMatch(/^sw_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
      expect(text.split('_')[2]).toBe(id);
      expect(parseKey(text)).toEqual({ id });
      expect(looksGenerated(text)).toBe(true);
    });

    it('is another one each time', () => {
      const keys = Array.from({ length: 500 }, () => generateKey());
      expect(new Set(keys.map(({ id }) => id)).size).toBe(500);
      expect(new Set(keys.map(({ text }) => text.split('_')[3])).size).toBe(500);
    });

    it('keeps its checksum for ever', () => {
      // A change of the format would refuse every key that is out there.
      const text = 'sw_live_000000000000_00000000000000000000000000000000_1ziKSF';
      expect(parseKey(text)).toEqual({ id: '000000000000' });
    });
  });

  describe('the checksum', () => {
    const { text } = generateKey();

    it('finds every single wrong character', () => {
      for (let index = 0; index < text.length; index++) {
        for (const character of [...base62, '_', '-', ' ']) {
          if (character === text[index]) continue;
          const typo = text.slice(0, index) + character + text.slice(index + 1);
          expect(parseKey(typo), typo).toBeNull();
        }
      }
    });

    it('finds a missing, a doubled and a swapped character', () => {
      for (let index = 0; index < text.length; index++) {
        const [before, one = '', next = '', after] = [
          text.slice(0, index),
          text[index],
          text[index + 1],
          text.slice(index + 2),
        ];
        expect(parseKey(before + next + after)).toBeNull();
        expect(parseKey(before + one + one + next + after)).toBeNull();
        if (next !== '' && one !== next) expect(parseKey(before + next + one + after)).toBeNull();
      }
    });

    it.each(['', 'sw_live_', 'sk-123', 'sw_live___', '\n', 'sw_live_000000000000_0_000000'])(
      'refuses %j',
      (other) => {
        expect(parseKey(other)).toBeNull();
      },
    );

    it.each([' ', '\n', '\0'])('refuses a key with %j around it', (blank) => {
      expect(parseKey(text + blank)).toBeNull();
      expect(parseKey(blank + text)).toBeNull();
    });
  });

  describe('base62', () => {
    it('draws each character equally often', () => {
      const drawn = randomBase62(62_000);
      for (const character of base62) {
        // 1000 expected, standard deviation 31; a modulo of a byte would give some of them 1211 and the others 969.
        expect(Math.abs(drawn.split(character).length - 1 - 1000)).toBeLessThan(190);
      }
    });

    it('writes numbers at a fixed length', () => {
      expect(toBase62(0, 6)).toBe('000000');
      expect(toBase62(61, 6)).toBe('00000z');
      expect(toBase62(62, 6)).toBe('000010');
      expect(toBase62(2 ** 32 - 1, 6)).toBe('4gfFC3');
    });
  });
});
