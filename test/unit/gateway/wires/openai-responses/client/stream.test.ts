import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../../../src/contract/errors.ts';
import { openAiResponsesErrors } from '../../../../../../src/gateway/wires/openai-responses/client/errors.ts';
import { openAiResponsesWire } from '../../../../../../src/gateway/wires/openai-responses/client/wire.ts';
import { eventsOf } from '../../../../../helpers/answer-events.ts';
import { wireText } from '../../../../../helpers/vendor-fixtures.ts';
import { bySdk, completion, id, meta, parsed, written } from './sdk.ts';

const body = {
  model: 'claude-sonnet-4-6',
  instructions: 'Be short.',
  input: 'Hello',
  tools: [
    { type: 'function', name: 'weather', parameters: { type: 'object', properties: {} }, strict: true },
    { type: 'custom', name: 'apply_patch', description: 'Edits files.' },
    {
      type: 'namespace',
      name: 'mcp__files',
      description: 'Files',
      tools: [{ type: 'function', name: 'read', parameters: { type: 'object', properties: {} } }],
    },
  ],
};

const sealed = {
  wire: 'anthropic',
  provider: 'anthropic',
  model: 'claude-sonnet-4-6',
  value: { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
} as const;
const call = { type: 'tool_call', id: 'toolu_1', name: 'weather', arguments: '{"city":"Bern"}' } as const;

const answers = {
  text: completion([{ type: 'text', text: 'Hello there.' }]),
  'line ends of other alphabets': completion([{ type: 'text', text: 'a\u2028b\u2029c\u0085d\r\ne' }]),
  empty: completion([]),
  'thinking and text': completion([
    { type: 'thinking', text: 'Let me see.', sealed },
    { type: 'text', text: 'Hello.' },
  ]),
  'hidden thinking': completion([
    { type: 'thinking', text: '', sealed },
    { type: 'text', text: 'Hello.' },
  ]),
  'thinking without a seal': completion([{ type: 'thinking', text: 'Let me see.', sealed: null }]),
  'a call': completion([{ type: 'text', text: 'I look.' }, call], {
    finishReason: 'tool_calls',
    endReason: 'tool_calls',
  }),
  'parallel calls': completion([call, { ...call, id: 'toolu_2', arguments: '{"city":"Rome"}' }], {
    finishReason: 'tool_calls',
    endReason: 'tool_calls',
  }),
  'a call of a tool in a namespace': completion([{ ...call, name: 'mcp__files__read' }]),
  'a custom call': completion([{ ...call, name: 'apply_patch', arguments: '*** Begin\n"a"', custom: true }]),
  'a custom call of a vendor that knows functions only': completion([
    { ...call, name: 'apply_patch', arguments: '{"input":"*** Begin\\n\\"a\\""}' },
  ]),
  'a call with extra content': completion([
    { ...call, extraContent: { google: { thought_signature: 'c2ln' } } },
  ]),
  refusal: completion([{ type: 'refusal', text: 'I cannot help with that.' }], {
    finishReason: 'content_filter',
    endReason: 'refusal',
  }),
  'text and refusal': completion([
    { type: 'text', text: 'Well. ' },
    { type: 'refusal', text: 'I cannot.' },
  ]),
  citations: completion([
    { type: 'text', text: 'As told.', citations: [{ url: 'https://a.test/', title: 'A', start: 0, end: 8 }] },
  ]),
  'cut by length': completion([{ type: 'text', text: 'Hel' }], {
    finishReason: 'length',
    endReason: 'length',
  }),
  'a call cut by length': completion([call, { ...call, id: 'toolu_2', arguments: '{"city": "Ro' }], {
    finishReason: 'length',
    endReason: 'length',
  }),
  'a custom call cut by length': completion(
    [call, { ...call, id: 'toolu_2', name: 'apply_patch', arguments: '*** Be', custom: true }],
    { finishReason: 'length', endReason: 'length' },
  ),
  'length after a call': completion([call], { finishReason: 'length', endReason: 'length' }),
  'cut by a filter': completion([{ type: 'text', text: 'Hel' }], {
    finishReason: 'content_filter',
    endReason: 'refusal',
  }),
};

describe('a streamed answer', () => {
  it.each(Object.entries(answers))(
    'is accepted by the SDK and is the whole answer: %s',
    async (_, answer) => {
      const sse = written(body, eventsOf(answer));
      const { output_text, ...response } = await bySdk(sse);
      const whole = openAiResponsesWire.read(body).answer(answer, meta);
      expect(stripped(response)).toEqual(stripped(whole));
      const shown = answer.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      expect(output_text).toBe(shown.join(''));
      expect(parsed(sse).at(-1)?.type).toMatch(/^response\.(completed|incomplete)$/);
    },
  );

  it.each([
    ['cut by length', ['incomplete']],
    ['a call cut by length', ['completed', 'incomplete']],
    ['a custom call cut by length', ['completed', 'incomplete']],
    ['length after a call', ['completed']],
  ] as const)('says of each item whether it is whole: %s', async (name, statuses) => {
    const whole = openAiResponsesWire.read(body).answer(answers[name], meta);
    const streamed = await bySdk(written(body, eventsOf(answers[name])));
    for (const { output } of [whole as typeof streamed, streamed])
      expect(output.map((item) => 'status' in item && item.status)).toEqual(statuses);
  });

  it('has every event of a text, in order', () => {
    expect(parsed(written(body, eventsOf(answers.text))).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  it('has every event of thinking and of a call, in order', () => {
    const thinking = { type: 'thinking', text: 'Let me see.', sealed } as const;
    expect(parsed(written(body, eventsOf(completion([thinking, call])))).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  it('lets pieces of several calls take turns', async () => {
    const [one, two] = [call, { ...call, id: 'toolu_2', arguments: '{"city":"Rome"}' }];
    const delta = (index: number, { id, name }: typeof one | typeof two, piece: string) =>
      ({ type: 'tool_call_delta', index, id, name, arguments: piece }) as const;
    const sse = written(body, [
      delta(0, one, '{"city":'),
      delta(1, two, '{"city":"R'),
      delta(0, one, '"Bern"}'),
      delta(1, two, 'ome"}'),
      { type: 'tool_call', index: 0, toolCall: one },
      { type: 'tool_call', index: 1, toolCall: two },
      { type: 'end', finishReason: 'tool_calls', endReason: 'tool_calls', usage: null },
    ]);
    const { output } = await bySdk(sse);
    expect(output).toMatchObject([
      { type: 'function_call', call_id: 'toolu_1', arguments: '{"city":"Bern"}', status: 'completed' },
      { type: 'function_call', call_id: 'toolu_2', arguments: '{"city":"Rome"}', status: 'completed' },
    ]);
  });

  it('tells usage with what was cached and thought', () => {
    expect(parsed(written(body, eventsOf(answers.text))).at(-1)).toMatchObject({
      response: {
        usage: {
          input_tokens: 55,
          input_tokens_details: { cached_tokens: 30, cache_write_tokens: 5 },
          output_tokens: 9,
          output_tokens_details: { reasoning_tokens: 4 },
          total_tokens: 64,
        },
      },
    });
  });
});

describe('a stream that breaks off', () => {
  const failing = (error: ServiceError) => {
    const writer = openAiResponsesWire.read(body).stream(meta);
    const begun = writer.start() + writer.take({ type: 'delta', content: 'Hel' });
    return begun + writer.fail(error, 'req_1');
  };

  it('ends with an error for the SDKs and a failed response for Codex', async () => {
    const sse = failing(new ServiceError('provider_stream_interrupted', 'The provider broke off.'));
    const events = parsed(sse);
    expect(events.at(-2)).toMatchObject({
      type: 'error',
      message: 'The provider broke off.',
      code: 'server_error',
      param: null,
      error: { message: 'The provider broke off.', type: 'server_error', code: 'server_error', param: null },
    });
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: {
        id: `resp_${id}`,
        status: 'failed',
        error: { code: 'server_error', message: 'The provider broke off.' },
      },
    });
    await expect(bySdk(sse)).rejects.toThrow('The provider broke off.');
  });

  it.each([
    [
      new ServiceError('rate_limited', 'Too many requests.', { retryAfter: 2 }),
      'rate_limit_exceeded',
      /try again in 2s/,
    ],
    [
      new ServiceError('provider_rate_limited', 'Spent.', { retryable: false }),
      'insufficient_quota',
      /^Spent\.$/,
    ],
    [
      new ServiceError(
        'provider_rejected',
        'The provider "a" refused the request: prompt is too long: 2 > 1 maximum',
        { tooLong: true },
      ),
      'context_length_exceeded',
      /too long/,
    ],
    [
      new ServiceError('provider_rejected', 'The provider "a" refused the request: no.'),
      'invalid_prompt',
      /no\./,
    ],
    [new ServiceError('provider_overloaded', 'Busy.'), 'server_is_overloaded', /Busy/],
  ])('names its error as Codex knows it: %s', (error, code, message) => {
    const failure = { code, message: expect.stringMatching(message) };
    expect(parsed(failing(error)).at(-1)).toMatchObject({ response: { error: failure } });
    expect(parsed(`${openAiResponsesErrors.event(error, 'req_1')}`).at(-1)).toMatchObject({
      response: { error: failure },
    });
  });
});

describe('an error in place of an answer', () => {
  it('has the four fields of OpenAI and its status', () => {
    const error = new ServiceError('model_not_found', 'There is no model x.', { param: 'model' });
    expect(openAiResponsesErrors.reply(error, 'req_1')).toEqual({
      status: 404,
      headers: {},
      body: {
        error: {
          message: 'There is no model x.',
          type: 'invalid_request_error',
          param: 'model',
          code: 'model_not_found',
          request_id: 'req_1',
          retryable: false,
        },
      },
    });
  });

  it.each([
    ['invalid_api_key', 401, 'invalid_api_key'],
    ['rate_limited', 429, 'rate_limit_exceeded'],
    ['internal_error', 500, 'server_error'],
    ['provider_overloaded', 503, 'server_is_overloaded'],
    ['invalid_request', 400, 'invalid_request'],
  ] as const)('tells %s', (code, status, expected) => {
    const reply = openAiResponsesErrors.reply(new ServiceError(code, 'No.'), 'req_1');
    expect(reply).toMatchObject({ status, body: { error: { code: expected, param: null } } });
  });
});

/** Without what the SDK adds to calls (`parsed_arguments`) and to texts (`parsed`). */
function stripped(response: object): unknown {
  return JSON.parse(JSON.stringify(response), (key, value: unknown) =>
    key === 'parsed_arguments' || key === 'parsed' || key === 'output_parsed' ? undefined : value,
  );
}

describe('the bytes of an answer', () => {
  const fixture = (name: string) => wireText(`openai-responses/${name}`);

  const body = {
    model: 'claude-sonnet-4-6',
    instructions: 'Be short.',
    input: 'What is the weather in Bern?',
    tools: [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } }],
    reasoning: { effort: 'low' },
    max_output_tokens: 100,
    metadata: { project: 'demo' },
    store: false,
  };

  const answer = completion(
    [
      {
        type: 'thinking',
        text: 'Look it up.',
        sealed: {
          wire: 'anthropic',
          provider: 'anthropic',
          model: 'claude-sonnet-4-6',
          value: { signature: 'c2ln' },
        },
      },
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', id: 'toolu_1', name: 'weather', arguments: '{"city":"Bern"}' },
    ],
    { finishReason: 'tool_calls', endReason: 'tool_calls' },
  );

  describe('the bytes that a client gets', () => {
    it('as a whole', () => {
      const given = openAiResponsesWire.read(body).answer(answer, meta);
      expect(`${JSON.stringify(given, null, 2)}\n`).toBe(fixture('translated.json'));
    });

    it('as a stream', () => {
      expect(written(body, eventsOf(answer))).toBe(fixture('translated.sse'));
    });
  });
});
