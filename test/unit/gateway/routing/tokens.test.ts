import { describe, expect, test } from 'vitest';
import { estimatePromptTokens, estimateTokens, loadTokenizer } from '../../../../src/lib/tokens.ts';
import { said } from '../../../../src/model/parts.ts';

describe('the estimate of tokens', () => {
  test.each([
    ['', 0],
    ['hello world', 2],
    ['<|endoftext|>', 7],
    ['世界', 3],
  ])('of %j is %i', async (text, expected) => {
    expect(await estimateTokens(text)).toBe(expected);
  });

  test('of a conversation counts what frames its texts', async () => {
    const messages = [said('user', 'hello world'), said('user', '')];
    expect(await estimatePromptTokens({ messages })).toBe(3 + (3 + 2) + 3);
  });

  test('counts calls, tools and the form of the answer too', async () => {
    const call = { type: 'tool_call', id: 'call_1', name: 'hello', arguments: 'hello world' } as const;
    const called = await estimatePromptTokens({ messages: [{ content: [call] }] });
    expect(called).toBe(3 + 3 + 3 + 1 + 2);
    const tools = [{ type: 'function', function: { name: 'hello' } }];
    const offered = await estimatePromptTokens({ messages: [], tools, responseFormat: tools });
    expect(offered).toBe(3 + 2 * (await estimateTokens(JSON.stringify(tools))));
  });

  // The tokenizer alone takes more than ten seconds for half as many of one character.
  test.each([' ', 'a', '世', '\n', '=', '👩', '\ud800', 'qzx', 'word ', '\n👩'])(
    'of two hundred thousand characters like %j gives others their turns',
    async (part) => {
      await estimateTokens(part);
      let turns = 0;
      const other = () => {
        turns += 1;
        next = setImmediate(other);
      };
      let next = setImmediate(other);
      const tokens = await estimateTokens(part.repeat(200_000 / part.length));
      clearImmediate(next);
      expect(tokens).toBeGreaterThan(200);
      expect(turns).toBeGreaterThan(10);
    },
  );

  test('cuts long runs so that nothing is lost', async () => {
    const { split } = await loadTokenizer();
    for (const text of [
      '👩'.repeat(300),
      '\n👩'.repeat(20_000),
      'a\n'.repeat(20_000),
      `x${'👩'.repeat(300)}`,
      `${' '.repeat(300)}y${'世'.repeat(300)} z`,
    ])
      expect([...split(text)].join('')).toBe(text);
  });

  test('does not change for text without long runs', async () => {
    const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base');
    const text = 'The quick brown fox, however\n\njumps over "the" lazy dog. '.repeat(500);
    expect(await estimateTokens(text)).toBe(countTokens(text));
  });
});
