import Anthropic from '@anthropic-ai/sdk';
import type { Message } from '@anthropic-ai/sdk/resources/messages/messages';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../../../src/contract/errors.ts';
import { anthropicErrors } from '../../../../../../src/gateway/wires/anthropic/client/errors.ts';
import {
  mayHoldForeignThinking,
  withoutForeignThinking,
} from '../../../../../../src/gateway/wires/anthropic/client/other-vendor-reasoning.ts';
import { anthropicWire } from '../../../../../../src/gateway/wires/anthropic/client/read.ts';
import { unwrapThinking } from '../../../../../../src/gateway/wires/envelope.ts';
import type { AnswerPart, Completion, EndReason } from '../../../../../../src/model/port.ts';
import {
  answer,
  asked,
  ended,
  eventsOf,
  message,
  meta,
  parts,
  plain,
  readBySdk,
  reasoning,
  sealed,
  usageOnWire,
  written,
} from '../../../../../helpers/anthropic-answers.ts';

describe('a whole answer', () => {
  test('has every field of the wire', () => {
    const { content, ...rest } = answer(parts, 'tool_calls');
    expect(rest).toEqual({ ...message, stop_reason: 'tool_use', usage: usageOnWire });
    expect(content).toEqual([
      { type: 'thinking', thinking: 'I look.', signature: expect.stringMatching(/^sy1\./) },
      { type: 'redacted_thinking', data: expect.stringMatching(/^sy1\./) },
      {
        type: 'text',
        text: 'Let me look.',
        citations: [
          {
            type: 'web_search_result_location',
            url: 'https://example.org',
            title: 'Example',
            cited_text: 'Look!',
            encrypted_index: '',
          },
        ],
      },
      {
        type: 'tool_use',
        id: 'call_1',
        name: 'Read',
        input: { file_path: '/repo/ä' },
        caller: { type: 'direct' },
      },
      {
        type: 'tool_use',
        id: expect.stringMatching(/^toolu_sy1_[A-Za-z0-9_-]+$/),
        name: 'Bash',
        input: {},
        caller: { type: 'direct' },
      },
    ]);
    const [thinking, hidden] = content as unknown as [{ signature: string }, { data: string }];
    expect([unwrapThinking(thinking.signature), unwrapThinking(hidden.data)]).toEqual([
      sealed(reasoning),
      sealed(reasoning),
    ]);
  });

  test('is the same conversation when the client sends it back', () => {
    const { content } = answer(parts, 'tool_calls');
    const results = content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: block.id }] : [],
    );
    const messages = [...plain.messages, { role: 'assistant', content }, { role: 'user', content: results }];
    const [, said, given] = anthropicWire.read({ ...plain, messages }).call.messages;
    const uncited = parts.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : part));
    expect(said).toEqual({ role: 'assistant', content: uncited });
    expect(given?.content).toMatchObject([{ callId: 'call_1' }, { callId: 'functions.Bash:0' }]);
  });

  test('has Claude’s thinking as it came', () => {
    const value = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln/+==' };
    const block = { type: 'thinking', text: 'Hm.', sealed: sealed(value, 'anthropic') } as const;
    expect(answer([block]).content).toEqual([value]);
  });

  test('without text has no blocks', () => {
    expect(answer([{ type: 'text', text: '' }], 'length')).toMatchObject({
      content: [],
      stop_reason: 'max_tokens',
    });
  });

  test.each(['{"a":', '[1]', '"x"', ''])('shows arguments that are no object: %s', (json) => {
    const call = { type: 'tool_call', id: 'a', name: 'Bash', arguments: json } as const;
    expect(answer([call]).content).toMatchObject([{ input: { unparsed: json } }]);
  });

  test.each<[EndReason, string]>([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['tool_calls', 'tool_use'],
    ['stop_sequence', 'stop_sequence'],
    ['context_window', 'model_context_window_exceeded'],
    ['pause', 'pause_turn'],
  ])('%s is %s', (endReason, stop_reason) => {
    const text = { type: 'text', text: 'Hi' } as const;
    const completion: Completion = { parts: [text], ...ended(endReason), stopSequence: 'END' };
    expect(asked.answer(completion, meta)).toMatchObject({
      stop_reason,
      stop_sequence: endReason === 'stop_sequence' ? 'END' : null,
      stop_details: null,
    });
  });
});

describe('a refusal', () => {
  const parts = [
    { type: 'text', text: 'Well, ' },
    { type: 'refusal', text: 'I cannot help with that.' },
  ] as const;
  const expected = {
    content: [
      { type: 'text', text: 'Well, ', citations: null },
      { type: 'text', text: 'I cannot help with that.', citations: null },
    ],
    stop_reason: 'refusal',
    stop_details: { type: 'refusal', category: null, explanation: 'I cannot help with that.' },
  };

  test.each<EndReason>(['stop', 'refusal', 'content_filter'])(
    'ended by %s is one, whole and streamed',
    async (end) => {
      expect(answer(parts, end)).toMatchObject(expected);
      expect(await readBySdk(written(eventsOf({ parts, ...ended(end) })))).toMatchObject(expected);
    },
  );

  test('without words is one too', () => {
    expect(answer([], 'content_filter')).toMatchObject({
      content: [],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: null, explanation: null },
    });
  });
});

describe('who did not ask for thinking', () => {
  const { type: _, ...config } = { type: 'x', ...plain };
  test.each([
    ['gets none', config, 1],
    ['gets none', { ...config, thinking: { type: 'disabled' } }, 1],
    [
      'gets what the next turn needs with tools',
      { ...config, tools: [{ name: 'Read', input_schema: { type: 'object' } }] },
      3,
    ],
  ])('%s', async (__, body, blocks) => {
    const request = anthropicWire.read(body);
    const completion = { parts: parts.slice(0, 3), ...ended('stop') };
    expect((request.answer(completion, meta) as Message).content).toHaveLength(blocks);
    expect((await readBySdk(written(eventsOf(completion), request))).content).toHaveLength(blocks);
  });
});

describe('the reasoning of another vendor', () => {
  const own = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln/+==' };
  const user = { role: 'user', content: 'Hi' };
  const unsigned: AnswerPart = { type: 'thinking', text: 'Hm.', sealed: null };
  const ours: AnswerPart = { type: 'thinking', text: 'Hm.', sealed: sealed(own, 'anthropic') };

  const bytesOf = (body: object) => Buffer.from(JSON.stringify(body));

  test('thinking of others goes, and all else stays as it came', () => {
    const { content } = answer([...parts, unsigned, ours], 'tool_calls');
    const body = { ...plain, extra: { a: 1 }, messages: [user, { role: 'assistant', content }, user] };
    expect(mayHoldForeignThinking(bytesOf(body))).toBe(true);
    const kept = content.filter((block) => block.type === 'text' || block.type === 'tool_use');
    expect(withoutForeignThinking(body, true)).toEqual({
      ...body,
      messages: [user, { role: 'assistant', content: [...kept, own] }, user],
    });
  });

  test('a message of nothing but such thinking goes as a whole', () => {
    const { content } = answer([unsigned]);
    const body = { ...plain, messages: [user, { role: 'assistant', content }, user] };
    expect(withoutForeignThinking(body, true)).toEqual({ ...body, messages: [user, user] });
  });

  test.each([
    [{ ...plain, messages: [user, { role: 'assistant', content: [own] }] }],
    [{ ...plain, messages: [{ role: 'user', content: [{ type: 'text', text: 'sy1.' }] }] }],
    [{ messages: 'none' }],
  ])('nothing is taken out of %j', (body) => {
    expect(withoutForeignThinking(body, true)).toBeNull();
  });

  test('thinking that nobody signed stays where the vendor signs none', () => {
    const { content } = answer([unsigned]);
    const body = { ...plain, messages: [user, { role: 'assistant', content }, user] };
    expect(withoutForeignThinking(body, false)).toBeNull();
  });

  test('a body without it is known by its bytes', () => {
    const body = { ...plain, messages: [user, { role: 'assistant', content: [own] }] };
    expect(mayHoldForeignThinking(bytesOf(body))).toBe(false);
  });
});

describe('errors', () => {
  describe('errors', () => {
    const id = '01JAZREQUEST';

    test.each([
      ['invalid_request', 400, 'invalid_request_error'],
      ['provider_rejected', 400, 'invalid_request_error'],
      ['invalid_api_key', 401, 'authentication_error'],
      ['insufficient_scope', 403, 'permission_error'],
      ['not_found', 404, 'not_found_error'],
      ['model_not_found', 404, 'not_found_error'],
      ['method_not_allowed', 405, 'invalid_request_error'],
      ['payload_too_large', 413, 'request_too_large'],
      ['rate_limited', 429, 'rate_limit_error'],
      ['internal_error', 500, 'api_error'],
      ['provider_error', 502, 'api_error'],
      ['provider_overloaded', 529, 'overloaded_error'],
      ['buffers_full', 529, 'overloaded_error'],
      ['provider_idle_timeout', 504, 'timeout_error'],
    ] as const)('%s is %i %s', (code, status, type) => {
      const error = new ServiceError(code, 'It went wrong.');
      const body = {
        type: 'error',
        error: { type, message: 'It went wrong.', code, param: null, retryable: error.retryable },
        request_id: id,
      };
      expect(anthropicErrors.reply(error, id)).toEqual({ status, body, headers: { 'request-id': id } });
      expect(anthropicErrors.event(error, id)).toBe(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
    });

    test('name the field', () => {
      const error = new ServiceError('invalid_request', 'Broken.', { param: 'messages[0].content' });
      expect(anthropicErrors.reply(error, id).body).toMatchObject({
        error: { message: 'messages[0].content: Broken.', param: 'messages[0].content' },
      });
    });

    test('are what the official client throws', async () => {
      const error = new ServiceError('provider_overloaded', 'Overloaded.');
      const { status, body, headers } = anthropicErrors.reply(error, id);
      const fetch = async () => new Response(JSON.stringify(body), { status, headers });
      const client = new Anthropic({ apiKey: 'sk-test', fetch, maxRetries: 0 });
      const thrown = await client.messages.create({ ...plain, messages: [] }).catch((reason) => reason);
      expect(thrown).toBeInstanceOf(Anthropic.APIError);
      expect(thrown).toMatchObject({ status: 529, type: 'overloaded_error', requestID: id });
    });

    test('end a stream that broke off, pings before it or not', async () => {
      const writer = asked.stream(meta);
      const error = new ServiceError('provider_stream_interrupted', 'Broken off.');
      const sse =
        anthropicErrors.ping +
        writer.start() +
        writer.take({ type: 'delta', content: 'Hi' }) +
        anthropicErrors.ping +
        writer.fail(error, id);
      const thrown = await readBySdk(sse).catch((reason) => reason);
      expect(thrown).toBeInstanceOf(Anthropic.APIError);
      expect(thrown).toMatchObject({ type: 'api_error', error: { request_id: id } });
    });
  });
});
