import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { moderate } from '../../../../src/gateway/sandbox/media/moderate.ts';

/** From the moderation guide of OpenAI: the categories, and whether pictures are judged by them. */
const takesPictures: Readonly<Record<string, boolean>> = {
  harassment: false,
  'harassment/threatening': false,
  hate: false,
  'hate/threatening': false,
  illicit: false,
  'illicit/violent': false,
  'self-harm': true,
  'self-harm/intent': true,
  'self-harm/instructions': true,
  sexual: true,
  'sexual/minors': false,
  violence: true,
  'violence/graphic': true,
};
const categories = Object.keys(takesPictures);

const picture = (url: string) => ({ type: 'image_url' as const, image_url: { url } });
const text = (words: string) => ({ type: 'text' as const, text: words });
const only = (input: Parameters<typeof moderate>[0]) => {
  const results = moderate(input);
  expect(results).toHaveLength(1);
  const [result] = results;
  if (!result) throw new Error('There is no result.');
  return result;
};
const flaggedIn = (input: Parameters<typeof moderate>[0]) => {
  const result = only(input);
  const named = Object.entries(result.categories).flatMap(([name, flagged]) => (flagged ? [name] : []));
  expect(result.flagged).toBe(named.length > 0);
  for (const [name, score] of Object.entries(result.category_scores))
    expect(score).toBe(named.includes(name) ? 1 : 0);
  return named;
};

describe('a moderation of the sandbox', () => {
  test('has every category of omni-moderation three times', () => {
    const { categories: flags, category_scores: scores, category_applied_input_types: types } = only('Hello');
    for (const each of [flags, scores, types])
      expect(Object.keys(each).toSorted()).toEqual(categories.toSorted());
  });

  test.each(categories)('flags %s where the text asks for it, and nothing else', (category) => {
    expect(flaggedIn(`Hello sandbox:flag:${category}.`)).toEqual([category]);
    expect(flaggedIn([text('Hello'), text(`(sandbox:flag:${category})`)])).toEqual([category]);
  });

  test.each(categories)('flags %s in the address of a picture if pictures are judged by it', (category) => {
    const found = flaggedIn([picture(`https://example.com/sandbox:flag:${category}`)]);
    expect(found).toEqual(takesPictures[category] ? [category] : []);
  });

  test.each([
    'I will kill you',
    'sandbox:flag:',
    'sandbox:flag:nonsense',
    'sandbox:flag:constructor',
    'sandbox:flag:violence-free',
    'sandbox:flag:VIOLENCE',
    'flag:violence',
    '',
  ])('does not guess of %j', (words) => {
    expect(flaggedIn(words)).toEqual([]);
  });

  test('takes several categories from one text', () => {
    expect(flaggedIn('sandbox:flag:hate sandbox:flag:violence/graphic sandbox:flag:hate')).toEqual([
      'hate',
      'violence/graphic',
    ]);
  });

  test('never flags a text without the trigger', () => {
    const words = fc.string({ unit: 'grapheme' }).filter((any) => !any.includes('sandbox:flag:'));
    fc.assert(fc.property(words, (any) => flaggedIn(any).length === 0));
  });

  test('has a result for each of several texts, in their order', () => {
    const results = moderate(['sandbox:flag:hate', 'Hello', 'sandbox:flag:sexual']);
    expect(results.map(({ flagged, categories: flags }) => [flagged, flags.hate, flags.sexual])).toEqual([
      [true, true, false],
      [false, false, false],
      [true, false, true],
    ]);
    expect(moderate([])).toEqual([]);
  });

  test('says what it was given', () => {
    const types = (input: Parameters<typeof moderate>[0]) => {
      const { category_applied_input_types: applied } = only(input);
      return [applied.hate, applied.violence];
    };
    expect(types('Hello')).toEqual([['text'], ['text']]);
    expect(types([text('Hello'), picture('https://example.com/')])).toEqual([['text'], ['text', 'image']]);
    expect(types([picture('https://example.com/')])).toEqual([[], ['image']]);
  });

  test('does not look into the bytes of a picture', () => {
    expect(flaggedIn([picture('data:image/png;base64,sandbox:flag:violence')])).toEqual([]);
    expect(flaggedIn([picture(`https://example.com/${'x'.repeat(3000)}sandbox:flag:violence`)])).toEqual([]);
  });
});
