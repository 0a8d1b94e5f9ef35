import { assert, constantFrom, option, property, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrapThinking, wrapThinking } from '../../../../src/gateway/wires/envelope.ts';
import type { SealedThinking } from '../../../../src/model/parts.ts';

const sealed: SealedThinking = {
  wire: 'anthropic',
  provider: 'anthropic',
  model: 'claude-sonnet-4-6',
  value: { type: 'thinking', thinking: 'Grüße 𝒳', signature: 'c2ln+/=' },
};

describe('the envelope of sealed thinking', () => {
  it('has its documented form', () => {
    const json = '{"wire":"anthropic","provider":null,"model":"m","value":{"a":1}}';
    const text = wrapThinking({ wire: 'anthropic', provider: null, model: 'm', value: { a: 1 } });
    expect(text).toBe(`sy1.${Buffer.from(json).toString('base64url')}`);
  });

  it('gives back what was put in, whatever it is', () => {
    const any = record({
      wire: constantFrom('openai-chat', 'openai-responses', 'anthropic', 'gemini'),
      provider: option(string({ unit: 'binary' })),
      model: option(string()),
      value: record({ signature: string({ unit: 'binary' }), type: string() }),
    });
    assert(
      property(any, (given) => {
        const thinking = given as SealedThinking;
        expect(unwrapThinking(wrapThinking(thinking))).toEqual(JSON.parse(JSON.stringify(thinking)));
      }),
    );
  });

  it.each([
    ["a vendor's own text", 'gAAAAABofpaV3uYtX'],
    ['nothing', ''],
    ['no base64', 'sy1.%%%'],
    ['no JSON', `sy1.${Buffer.from('hello').toString('base64url')}`],
    ['a list', enveloped([])],
    ['an unknown wire', enveloped({ ...sealed, wire: 'telex' })],
    ['a provider that is no name', enveloped({ ...sealed, provider: 7 })],
    ['a value that is no object', enveloped({ ...sealed, value: 'x' })],
    [
      'a value that is nested too deeply',
      `sy1.${Buffer.from(`{"wire":"gemini","provider":null,"model":null,"value":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`).toString('base64url')}`,
    ],
  ])('is not found in %s', (_, text) => {
    expect(unwrapThinking(text)).toBeNull();
  });
});

function enveloped(value: unknown): string {
  return `sy1.${Buffer.from(JSON.stringify(value)).toString('base64url')}`;
}
