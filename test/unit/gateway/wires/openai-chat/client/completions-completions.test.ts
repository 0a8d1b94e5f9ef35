import { describe, expect, test } from 'vitest';
import {
  isChatOnly,
  openAiCompletionsWire,
} from '../../../../../../src/gateway/wires/openai-chat/client/completions-wire.ts';
import { said } from '../../../../../../src/model/parts.ts';
import { errorOf } from '../../../../../helpers/vendor-gateway.ts';
import { completion, meta, sdkThatGets, written } from './sdk.ts';

const read = (body: object) => openAiCompletionsWire.read({ model: 'm', prompt: 'Once', ...body });
const asked = { model: 'm', prompt: 'Once' };
const answer = completion([{ type: 'text', text: ' upon a time' }], {
  finishReason: 'length',
  endReason: 'length',
});

describe('the older Completions', () => {
  test('are a message of the user', () => {
    expect(read({}).call).toEqual({ messages: [said('user', 'Once')], temperatureGiven: false });
    expect(read({ prompt: ['Once'] }).call.messages).toEqual([said('user', 'Once')]);
    expect(read({ max_tokens: 9, temperature: 0, stop: '\n', seed: 1, user: 'u' }).call).toMatchObject({
      maxTokens: 9,
      temperature: 0,
      temperatureGiven: true,
      stop: ['\n'],
      seed: 1,
      user: 'u',
    });
  });

  test('ask for what belongs before a suffix', () => {
    const [message] = read({ prompt: 'def add(', suffix: '\n  return a + b' }).call.messages;
    const [part] = message?.content ?? [];
    expect(part).toMatchObject({ type: 'text', text: expect.stringContaining('before it:\ndef add(') });
    expect(part).toMatchObject({ text: expect.stringContaining('after it:\n\n  return a + b') });
  });

  test.each<[object, string]>([
    [{ prompt: null }, 'prompt'],
    [{ prompt: '' }, 'prompt'],
    [{ prompt: ['a', 'b'] }, 'prompt'],
    [{ prompt: [1, 2] }, 'prompt'],
    [{ n: 2 }, 'n'],
    [{ best_of: 3 }, 'best_of'],
    [{ logprobs: 5 }, 'logprobs'],
    [{ logit_bias: { '50256': -100 } }, 'logit_bias'],
    [{ suffix: 1 }, 'suffix'],
    [{ max_tokens: 0 }, 'max_tokens'],
  ])('refuse %j by its path', async (body, param) => {
    expect(await errorOf((async () => read(body))())).toMatchObject({ code: 'invalid_request', param });
  });

  test('take what changes nothing', () => {
    expect(read({ n: 1, best_of: 1, logprobs: null, logit_bias: {}, suffix: '' }).call).toEqual(
      read({}).call,
    );
  });

  test('answer as the SDK expects it', async () => {
    const body = read({}).answer(answer, meta);
    const sdk = await sdkThatGets(body).completions.create(asked);
    expect(sdk).toMatchObject({
      id: 'cmpl-01K2ABCDEFGHJKMNPQRSTVWXYZ',
      object: 'text_completion',
      created: 1_763_600_000,
      model: 'claude-sonnet-4-6',
      choices: [{ text: ' upon a time', index: 0, logprobs: null, finish_reason: 'length' }],
      usage: { prompt_tokens: 35, completion_tokens: 11, total_tokens: 46 },
    });
    expect(read({ echo: true }).answer(answer, meta)).toMatchObject({
      choices: [{ text: 'Once upon a time' }],
    });
  });

  test.each([
    [false, ' upon a time'],
    [true, 'Once upon a time'],
  ])('stream the same (echo: %s)', async (echo, text) => {
    const request = read({ echo, stream_options: { include_usage: true } });
    const thinking = completion([{ type: 'thinking', text: 'Hm.', sealed: null }, ...answer.parts], {
      finishReason: 'length',
      endReason: 'length',
    });
    const sdk = sdkThatGets(written(request.stream(meta), thinking));
    const stream = await sdk.completions.create({ ...asked, stream: true });
    let said = '';
    const ends: unknown[] = [];
    let usage: unknown;
    for await (const chunk of stream) {
      said += chunk.choices[0]?.text ?? '';
      if (chunk.choices[0]?.finish_reason) ends.push(chunk.choices[0].finish_reason);
      usage = chunk.usage ?? usage;
    }
    expect(said).toBe(text);
    expect(ends).toEqual(['length']);
    expect(usage).toMatchObject({ total_tokens: 46 });
  });
});

test.each([
  ['gpt-4o', true],
  ['gpt-3.5-turbo', true],
  ['openai/gpt-5.5', true],
  ['o3', true],
  ['gemini-3.8-flash', true],
  ['gpt-3.5-turbo-instruct', false],
  ['davinci-002', false],
  ['openai/gpt-oss-120b', false],
  ['codestral-latest', false],
  ['deepseek-chat', false],
])('%s is served as a conversation only: %s', (model, only) => {
  expect(isChatOnly(model)).toBe(only);
});
