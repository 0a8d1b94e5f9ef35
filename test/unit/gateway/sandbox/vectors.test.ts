import fc from 'fast-check';
import ranks from 'gpt-tokenizer/bpeRanks/cl100k_base';
import { encode } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, test } from 'vitest';
import {
  defaultDimensions,
  embed,
  maxDimensions,
  textOfTokens,
} from '../../../../src/gateway/sandbox/media/vectors.ts';

const product = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
const likeness = (a: string, b: string, dimensions = defaultDimensions) =>
  product(embed(a, dimensions), embed(b, dimensions));

describe('vectors of the sandbox', () => {
  test.each([
    ['the same words in another order', 'the dog bites the man', 'the man bites the dog'],
    ['a plural', 'How do I train a young dog?', 'How do I train young dogs?'],
    ['case', 'Annual Report Of The Bank', 'annual report of the bank'],
    ['a typo', 'Where can I receive my parcel?', 'Where can I recieve my parcel?'],
    ['a single word with a typo', 'accommodation', 'acommodation'],
    ['accents', 'Où est la bibliothèque française', 'ou est la bibliotheque francaise'],
    ['composed and decomposed letters', 'crème brûlée', 'crème brûlée'.normalize('NFD')],
    ['width of letters', 'ＡＢＣ company 株式会社', 'ABC company 株式会社'],
    ['more words around', 'invoice for October', 'Please send me the invoice for October as soon as you can'],
    ['Russian forms', 'купить красную машину', 'красная машина куплена'],
    ['Greek forms', 'το κόκκινο αυτοκίνητο', 'τα κόκκινα αυτοκίνητα'],
    ['Chinese', '我喜欢吃苹果', '我不喜欢吃苹果'],
    ['Japanese', '東京の天気を教えてください', '東京の明日の天気を教えて'],
    ['Korean', '서울 날씨를 알려줘', '서울 날씨가 어때'],
    ['Arabic', 'ما هو الطقس في القاهرة', 'الطقس في القاهرة اليوم'],
    ['Hebrew', 'מה מזג האוויר בירושלים', 'מזג האוויר היום בירושלים'],
    ['Hindi', 'दिल्ली का मौसम कैसा है', 'आज दिल्ली का मौसम'],
    ['Thai', 'อากาศที่กรุงเทพวันนี้', 'วันนี้อากาศที่กรุงเทพเป็นอย่างไร'],
    ['emoji', '🎉🎂', '🎂🎉🎈'],
  ])('are alike for %s, unlike for another subject', (_, a, b) => {
    const other = 'Quarterly tax law applies to shipping containers';
    for (const dimensions of [defaultDimensions, 1536, maxDimensions]) {
      const near = likeness(a, b, dimensions);
      expect(near).toBeGreaterThan(0.45);
      expect(near).toBeGreaterThan(Math.abs(likeness(a, other, dimensions)) + 0.2);
      expect(near).toBeGreaterThan(Math.abs(likeness(b, other, dimensions)) + 0.2);
    }
  });

  test('find a text among others by some of its words', () => {
    const texts = [
      'Returns are free within thirty days of delivery.',
      'Our office in Berlin opens at nine in the morning.',
      'The battery of the phone lasts for two days.',
      'Passwords must have at least twelve characters.',
    ];
    const nearest = (question: string) =>
      texts.toSorted((a, b) => likeness(question, b) - likeness(question, a))[0];
    expect(nearest('how long does the phone battery last')).toBe(texts[2]);
    expect(nearest('When does the Berlin office open?')).toBe(texts[1]);
    expect(nearest('minimum characters in a pasword')).toBe(texts[3]);
    expect(nearest('is a return free')).toBe(texts[0]);
  });

  test('tell the order of words apart, a little', () => {
    expect(likeness('the dog bites the man', 'the man bites the dog')).toBeLessThan(0.9999);
  });

  test('are of length 1, as long as asked and always the same, for any text', () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: maxDimensions }), (text, dimensions) => {
        const vector = embed(text, dimensions);
        expect(vector).toHaveLength(dimensions);
        expect(product(vector, vector)).toBeCloseTo(1, 5);
        expect(embed(text, dimensions)).toEqual(vector);
      }),
    );
  });

  test('do not change with case, with blanks around, or with the order of what is said twice', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{4,9}$/), { minLength: 1, maxLength: 12 }), (words) => {
        const text = words.join(' ');
        expect(likeness(text, `  ${text.toUpperCase()}\n`)).toBeCloseTo(1, 5);
        expect(likeness(text, words.toReversed().join(' '))).toBeGreaterThan(0.75);
      }),
    );
  });

  test.each(['', ' ', '\n\n', '\ud800'])('are there for %j too', (text) => {
    expect(product(embed(text, 8), embed(text, 8))).toBeCloseTo(1, 5);
  });

  test.each([0, -1, 1.5, 3073, Number.NaN])('cannot have %d dimensions', (dimensions) => {
    expect(() => embed('x', dimensions)).toThrow('dimensions must be an integer from 1 to 3072');
  });
});

describe('input of token ids', () => {
  test.each(['Hello world', '\ufeff marked', 'crème brûlée', '世界 👩‍👩‍👧 नमस्ते', ' \n\t ', ''])(
    'is the text %j that it stands for',
    async (text) => {
      expect(await textOfTokens(encode(text))).toBe(text);
    },
  );

  test('is read as UTF-8, whatever the ids', async () => {
    const ids = fc.array(fc.oneof(fc.nat(100_255), fc.nat(255)), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(ids, async (any) => {
        const bytes = any.map((id) => ranks[id] ?? '').map((token) => Buffer.from(token as string));
        expect(await textOfTokens(any)).toBe(
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(bytes)),
        );
      }),
    );
  });

  test('with half a character does not spill into the next', async () => {
    expect(await textOfTokens(encode('👩').slice(0, -1))).toBe('\ufffd');
    expect(await textOfTokens(encode('next'))).toBe('next');
  });

  test.each([100256, 999_999, -1, 1.5])('with %d, which is no token, is told', async (id) => {
    await expect(textOfTokens([9906, id])).rejects.toThrow(`${id} is no token of cl100k_base.`);
  });
});
