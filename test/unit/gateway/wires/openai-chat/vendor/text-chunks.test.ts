import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextChunks, textAlone } from '../../../../../../src/gateway/wires/openai-chat/vendor/text-chunks.ts';

interface Chunk {
  readonly id: string;
  readonly choices: readonly {
    readonly delta: { readonly role?: string; readonly content: string };
    readonly finish_reason: string | null;
  }[];
  readonly obfuscation?: string;
}

const chunkOf = (content: string, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: 'gpt-5.4',
  choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
  usage: null,
  ...more,
});
const write = (content: string, more: object = {}) => JSON.stringify(chunkOf(content, more));
const learnt = (first: string, text: string, padding?: unknown) => {
  const texts = new TextChunks();
  texts.learn(first, text, padding);
  return texts;
};

/** Without the strings that may differ. */
function restOf(json: string): unknown {
  const chunk: Chunk = JSON.parse(json);
  const choices = chunk.choices.map((choice) => ({ ...choice, delta: { ...choice.delta, content: '' } }));
  return { ...chunk, choices, ...(chunk.obfuscation !== undefined && { obfuscation: '' }) };
}

describe('chunks that are as one before but for their text', () => {
  test.each(['b', '', ' a longer one', 'Grüße 👋', '[{', 'it’s', ','])('are known: %j', (text) => {
    expect(learnt(write('a'), 'a').textOf(write(text))).toBe(text);
  });

  test('are known with padding of another length, and without the padding not', () => {
    const texts = learnt(write('a', { obfuscation: 'x7' }), 'a', 'x7');
    expect(texts.textOf(write('word', { obfuscation: 'abcdef' }))).toBe('word');
    expect(texts.textOf(write('word', { obfuscation: 'ab\\' }))).toBeNull();
    expect(texts.textOf(write('word'))).toBeNull();
  });

  test('are not known before one was learnt', () => {
    expect(new TextChunks().textOf(write('a'))).toBeNull();
  });

  test.each([
    ['another value', write('b').replace('"gpt-5.4"', '"gpt-5.5"')],
    ['an end', write('b').replace('"finish_reason":null', '"finish_reason":"stop"')],
    ['usage', write('b').replace('"usage":null', '"usage":{}')],
    ['more behind it', `${write('b')} `],
    ['less of it', write('b').slice(0, -1)],
    ['an escape', write('a "b"\n')],
    ['a field in its text', write('b').replace('"b"', '"b","refusal":"c"')],
    ['what may not stand in a string', write('b').replace('"b"', '"\t"')],
    ['nothing', ''],
  ])('are not others: %s', (_, chunk) => {
    expect(learnt(write('a'), 'a').textOf(chunk)).toBeNull();
  });

  test.each([
    ['an escape anywhere', write('a', { id: '\n' }), 'a'],
    ['the text in two places', write('gpt-5.4'), 'gpt-5.4'],
    ['no text', write(''), ''],
  ])('are not learnt where it is unclear what is the text: %s', (_, first, text) => {
    expect(learnt(first, text).textOf(write('b'))).toBeNull();
  });

  test('whatever is known is what parsing finds', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a', ',', ':', '"', '\\', 'content', ''),
    );
    const chunk = fc.record(
      {
        text,
        id: fc.constantFrom('a', ',', 'chatcmpl'),
        padding: fc.option(fc.string(), { nil: undefined }),
      },
      { requiredKeys: ['text', 'id'] },
    );
    const space = fc.constantFrom(undefined, 1);
    let known = 0;
    fc.assert(
      fc.property(chunk, fc.array(chunk, { minLength: 1, maxLength: 8 }), space, (first, others, indent) => {
        const json = ({ text: content, id, padding }: typeof first) =>
          JSON.stringify(
            chunkOf(content, { id, ...(padding !== undefined && { obfuscation: padding }) }),
            null,
            indent,
          );
        const texts = learnt(json(first), first.text, first.padding);
        for (const other of others) {
          const found = texts.textOf(json(other));
          expect(texts.lengthIn(Buffer.from(json(other)))).toBe(found?.length ?? null);
          if (found === null) continue;
          known += 1;
          expect(found).toBe(other.text);
          expect(restOf(json(other))).toEqual(restOf(json(first)));
        }
      }),
    );
    expect(known).toBeGreaterThan(0);
  });
});

describe('the text of a chunk that tells nothing else', () => {
  test.each([
    [chunkOf('a'), 'a'],
    [{ choices: [{ text: 'a', index: 0, logprobs: null, finish_reason: null }] }, 'a'],
    [{ choices: [{ delta: { role: 'assistant', content: 'a', reasoning: null, tool_calls: [] } }] }, 'a'],
  ])('is told: %j', (chunk, text) => {
    expect(textAlone(chunk)).toBe(text);
  });

  test.each([
    { choices: [] },
    { choices: 7 },
    { choices: [null] },
    chunkOf('a', { usage: { total_tokens: 1 } }),
    { choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] },
    { choices: [{ delta: { content: 'a' } }, { delta: { content: 'b' } }] },
    { choices: [{ delta: { content: 'a', refusal: 'b' } }] },
    { choices: [{ delta: { content: 'a', reasoning_content: 'b' } }] },
    { choices: [{ delta: { content: 'a', tool_calls: [{}] } }] },
    { choices: [{ delta: { content: 'a', annotations: [{}] } }] },
    { choices: [{ delta: { content: 'a' }, message: { content: 'b' } }] },
    { choices: [{ delta: { content: 'a' }, text: 'b' }] },
    { choices: [{ delta: { content: [{ type: 'text', text: 'a' }] } }] },
    { choices: [{ delta: {} }] },
  ])('is null where there is more, or none: %j', (chunk) => {
    expect(textAlone(chunk)).toBeNull();
  });
});
