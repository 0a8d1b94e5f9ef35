import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../../../../generated/types.gen.ts';
import { ServiceError, type ServiceErrorOptions } from '../../../../../../src/contract/errors.ts';
import { wrapThinking } from '../../../../../../src/gateway/wires/envelope.ts';
import { openAiChatErrors } from '../../../../../../src/gateway/wires/openai-chat/client/errors.ts';
import { openAiChatWire } from '../../../../../../src/gateway/wires/openai-chat/client/wire.ts';
import type { AnswerPart, Ending } from '../../../../../../src/model/port.ts';
import { wireJson, wireText } from '../../../../../helpers/vendor-fixtures.ts';
import { completion, meta, sdkThatGets, written } from './sdk.ts';

const asked = {
  model: 'claude-sonnet-4-6',
  messages: [{ role: 'user' as const, content: 'Hi' }],
};
const request = (withUsage = true) =>
  openAiChatWire.read({ ...asked, stream_options: { include_usage: withUsage } });

const sealed = {
  wire: 'anthropic',
  provider: 'anthropic',
  model: 'claude-sonnet-4-6',
  value: { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
} as const;
const thinking = { type: 'thinking', text: 'Let me see.', sealed } as const;
const call = (id: string, more: object = {}) =>
  ({ type: 'tool_call', id, name: 'get_weather', arguments: '{"city":"Bern"}', ...more }) as const;

const answers: Record<string, readonly [readonly AnswerPart[], Partial<Ending>?]> = {
  text: [[{ type: 'text', text: 'Hello there.' }]],
  nothing: [[]],
  'text cut off': [[{ type: 'text', text: 'Hello' }], { finishReason: 'length', endReason: 'length' }],
  'thinking and text': [[thinking, { type: 'text', text: 'Hello.' }]],
  'parallel calls': [[{ type: 'text', text: 'I look.' }, call('toolu_1'), call('toolu_2')]],
  'a custom call': [[call('toolu_1', { name: 'apply_patch', arguments: '*** "a"', custom: true })]],
  'a call with a signature': [[call('c1', { extraContent: { google: { thought_signature: 'c2ln' } } })]],
  'calls after sealed thinking': [[thinking, call('toolu_1'), { ...thinking, text: '' }, call('toolu_2')]],
  refusal: [
    [{ type: 'refusal', text: 'I cannot help with that.' }],
    { finishReason: 'content_filter', endReason: 'refusal' },
  ],
  'a refusal in plain text': [
    [{ type: 'text', text: 'I cannot help with that.' }],
    { finishReason: 'content_filter', endReason: 'refusal' },
  ],
};

describe('an answer to Chat Completions', () => {
  test('is what OpenAI would send, byte for byte', () => {
    const text = completion([{ type: 'text', text: 'Hello there.' }]);
    expect(request().answer(text, meta)).toEqual(wireJson('openai-chat/written-text.json'));
    expect(written(request().stream(meta), text)).toBe(wireText('openai-chat/written-text.sse'));
  });

  test('streams parallel calls with dense indices', () => {
    const writer = request().stream(meta);
    const time = { id: 'toolu_2', name: 'get_time' };
    const stream =
      writer.start() +
      [
        { type: 'delta', content: 'I look.' } as const,
        { type: 'tool_call_delta', index: 0, id: 'toolu_1', name: 'get_weather', arguments: '' } as const,
        {
          type: 'tool_call_delta',
          index: 0,
          id: 'toolu_1',
          name: 'get_weather',
          arguments: '{"city":"Bern"}',
        } as const,
        { type: 'tool_call', index: 0, toolCall: call('toolu_1') } as const,
        { type: 'tool_call_delta', index: 1, ...time, arguments: '{}' } as const,
        { type: 'tool_call', index: 1, toolCall: call('toolu_2', { ...time, arguments: '{}' }) } as const,
        { type: 'end', finishReason: 'tool_calls', endReason: 'tool_calls', usage: null } as const,
      ]
        .map((event) => writer.take(event))
        .join('');
    expect(stream).toBe(wireText('openai-chat/written-parallel-tools.sse'));
  });

  test('tells usage in a stream only to those who ask', () => {
    const stream = written(request(false).stream(meta), completion([{ type: 'text', text: 'Hi' }]));
    expect(stream).not.toContain('usage');
    expect(stream.endsWith('"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')).toBe(true);
  });

  test('ends for the reason that OpenAI would give', () => {
    const reason = (...[parts, ending]: (typeof answers)[string]) =>
      JSON.parse(JSON.stringify(request().answer(completion(parts, ending), meta))).choices[0].finish_reason;
    const named = Object.entries(answers).map(([name, answer]) => [name, reason(...answer)]);
    expect(Object.fromEntries(named)).toEqual({
      text: 'stop',
      nothing: 'stop',
      'text cut off': 'length',
      'thinking and text': 'stop',
      'parallel calls': 'tool_calls',
      'a custom call': 'tool_calls',
      'a call with a signature': 'tool_calls',
      'calls after sealed thinking': 'tool_calls',
      refusal: 'stop',
      'a refusal in plain text': 'content_filter',
    });
  });

  test.each(Object.entries(answers))('is read by the SDK: %s', async (_, [parts, ending]) => {
    const answer = completion(parts, ending);
    const whole = request().answer(answer, meta) as { choices: { message: object }[] };
    const sdk = await sdkThatGets(whole).chat.completions.create(asked);
    expect(sdk.choices[0]?.message).toEqual(whole.choices[0]?.message);
  });

  test.each(Object.entries(answers))(
    'is put together by the SDK from its stream: %s',
    async (_, [parts, ending]) => {
      const answer = completion(parts, ending);
      const whole = JSON.parse(JSON.stringify(request().answer(answer, meta)));
      const stream = sdkThatGets(written(request().stream(meta), answer)).chat.completions.stream(asked);
      const final = JSON.parse(JSON.stringify(await stream.finalChatCompletion()));
      const [{ message, finish_reason }] = final.choices;
      const [{ message: expected, finish_reason: reason }] = whole.choices;
      const said = ({ content, refusal, tool_calls: calls }: typeof message) => ({
        content: content ?? '',
        refusal: refusal ?? null,
        calls: (calls ?? []).map(
          ({ function: called, ...rest }: { function?: { name: string; arguments: string } }) => ({
            ...rest,
            ...(called && { function: { name: called.name, arguments: called.arguments } }),
          }),
        ),
      });
      expect(said(message)).toEqual(said(expected));
      expect(finish_reason).toBe(reason);
      expect(final.usage).toEqual(whole.usage);
      expect({ id: final.id, model: final.model, created: final.created }).toEqual({
        id: whole.id,
        model: whole.model,
        created: whole.created,
      });
    },
  );

  test('gives sealed thinking to the call that it led to, and reads it back', () => {
    const body = request().answer(completion([thinking, call('toolu_1')]), meta);
    const [{ message }] = JSON.parse(JSON.stringify(body)).choices;
    expect(message.tool_calls[0].extra_content).toEqual({ switchyard: { thinking: [wrapThinking(sealed)] } });
    const again = openAiChatWire.read({
      model: 'm',
      messages: [message, { role: 'tool', tool_call_id: 'toolu_1', content: 'Rain' }],
    });
    expect(again.call.messages[0]?.content).toEqual([
      { type: 'thinking', text: '', sealed },
      call('toolu_1'),
    ]);
  });

  test('gives it beside what the call has of its own, whole and in a stream', async () => {
    const google = { thought_signature: 'c2ln' };
    const answer = completion([thinking, call('c1', { extraContent: { google } })]);
    const expected = { google, switchyard: { thinking: [wrapThinking(sealed)] } };
    const [{ message }] = JSON.parse(JSON.stringify(request().answer(answer, meta))).choices;
    expect(message.tool_calls[0].extra_content).toEqual(expected);
    const stream = sdkThatGets(written(request().stream(meta), answer)).chat.completions.stream(asked);
    const final = JSON.parse(JSON.stringify(await stream.finalChatCompletion()));
    expect(final.choices[0].message.tool_calls[0].extra_content).toEqual(expected);
  });

  test('gives it in the delta that opens the call, which is all that some clients look at', () => {
    const google = { thought_signature: 'c2ln' };
    const writer = request().stream(meta);
    const toolCall = call('c1', { extraContent: { google } });
    const begun = {
      type: 'tool_call_delta',
      index: 0,
      id: 'c1',
      name: toolCall.name,
      arguments: '{',
    } as const;
    const opening =
      writer.take({ type: 'thinking', part: thinking }) + writer.take({ ...begun, extraContent: { google } });
    const [chunk] = [...opening.matchAll(/^data: (.*)$/gm)]
      .map(([, data = '']) => JSON.parse(data))
      .slice(-1);
    expect(chunk.choices[0].delta.tool_calls[0]).toMatchObject({
      id: 'c1',
      extra_content: { google, switchyard: { thinking: [wrapThinking(sealed)] } },
    });
    writer.take({ ...begun, arguments: '}' });
    expect(writer.take({ type: 'tool_call', index: 0, toolCall })).toBe('');
  });

  test('tells where its text comes from', async () => {
    const citation = { url: 'https://example.com/a', title: 'A', start: 2, end: 5 };
    const parts = [
      { type: 'text', text: 'Hello ' },
      { type: 'text', text: 'there.', citations: [citation, { citedText: 'no address' }] },
    ] as const;
    const [{ message }] = JSON.parse(JSON.stringify(request().answer(completion(parts), meta))).choices;
    expect(message).toMatchObject({
      content: 'Hello there.',
      annotations: [
        {
          type: 'url_citation',
          url_citation: { url: 'https://example.com/a', title: 'A', start_index: 8, end_index: 11 },
        },
      ],
    });
    expect(written(request().stream(meta), completion(parts)).match(/url_citation"/g)?.length).toBe(2);
  });
});

describe('errors', () => {
  const asked = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }] };
  const reply = (code: ErrorCode, message = 'No.', options: ServiceErrorOptions = {}) =>
    openAiChatErrors.reply(new ServiceError(code, message, options), 'req_1');

  describe('an error of Chat Completions', () => {
    test('has the four fields of OpenAI, and ours beside them', () => {
      expect(reply('invalid_request', 'messages[0] must be.', { param: 'messages[0]' })).toEqual({
        status: 400,
        body: {
          error: {
            message: 'messages[0] must be.',
            type: 'invalid_request_error',
            param: 'messages[0]',
            code: 'invalid_request',
            request_id: 'req_1',
            retryable: false,
          },
        },
        headers: {},
      });
    });

    test.each<[ErrorCode, string, ServiceErrorOptions, number, string, string]>([
      ['model_not_found', 'No.', {}, 404, 'invalid_request_error', 'model_not_found'],
      ['invalid_api_key', 'No.', {}, 401, 'invalid_request_error', 'invalid_api_key'],
      ['insufficient_scope', 'No.', {}, 403, 'invalid_request_error', 'insufficient_permissions'],
      ['rate_limited', 'No.', {}, 429, 'requests', 'rate_limit_exceeded'],
      ['rate_limited', 'No.', { retryable: false }, 429, 'insufficient_quota', 'insufficient_quota'],
      // Spent until another day.
      ['rate_limited', 'No.', { shouldRetry: false }, 429, 'insufficient_quota', 'insufficient_quota'],
      [
        'provider_rejected',
        'This model has a maximum context length of 8192 tokens.',
        { tooLong: true },
        400,
        'invalid_request_error',
        'context_length_exceeded',
      ],
      ['provider_overloaded', 'No.', {}, 503, 'server_error', 'server_is_overloaded'],
      ['provider_error', 'No.', {}, 502, 'server_error', 'server_error'],
      ['internal_error', 'No.', {}, 500, 'server_error', 'server_error'],
    ])('%s (%s, %j) is %i %s %s', (code, message, options, status, type, name) => {
      expect(reply(code, message, options)).toMatchObject({ status, body: { error: { type, code: name } } });
    });

    test('is what the SDK makes of such a reply', async () => {
      const { status, body } = reply('rate_limited');
      const thrown: unknown = await sdkThatGets(body, status)
        .chat.completions.create(asked)
        .catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(OpenAI.RateLimitError);
      expect(thrown).toMatchObject({ code: 'rate_limit_exceeded', type: 'requests' });
    });

    test('in a stream makes the SDK throw, with what came before it', async () => {
      const writer = openAiChatWire.read(asked).stream(meta);
      const error = new ServiceError('provider_stream_interrupted', 'It broke off.');
      const body =
        writer.start() + writer.take({ type: 'delta', content: 'Hel' }) + writer.fail(error, 'req_1');
      const stream = await sdkThatGets(body).chat.completions.create({ ...asked, stream: true });
      let text = '';
      const reading = (async () => {
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      })();
      await expect(reading).rejects.toMatchObject({ code: 'server_error', message: 'It broke off.' });
      expect(text).toBe('Hel');
    });

    test('the heartbeat is nothing to the SDK', async () => {
      const writer = openAiChatWire.read(asked).stream(meta);
      const end = { type: 'end', finishReason: 'stop', endReason: 'stop', usage: null } as const;
      const body = `${openAiChatErrors.ping}${writer.start()}${openAiChatErrors.ping}${writer.take(end)}`;
      const stream = sdkThatGets(body).chat.completions.stream(asked);
      expect((await stream.finalChatCompletion()).choices[0]?.finish_reason).toBe('stop');
    });
  });
});
