import { assert, asyncProperty, nat, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Completion, CompletionEvent } from '../../../../../../src/model/port.ts';
import { tokenUsage } from '../../../../../../src/model/usage.ts';
import { adapterTo, bySdk, eventsOf, fixture, fixtureNames, modelCall, sending } from './fixtures.ts';

const usage = tokenUsage({
  inputUncached: 136,
  cacheRead: 128,
  cacheWrite5m: 40,
  cacheWrite1h: 24,
  output: 52,
  reasoning: 31,
});
const text = 'Grüße, 世界! 👩‍👩‍👧 and\n"quotes".';
const citation = { url: 'https://example.com/a', title: 'Greetings', start: 0, end: 5 };
const call = (n: number, city: string) => ({
  type: 'tool_call',
  id: `call_12345xyz${n}`,
  name: 'get_weather',
  arguments: `{"location":"${city}"}`,
});

const expected: Record<(typeof fixtureNames)[number], object> = {
  text: { finishReason: 'stop', endReason: 'stop', parts: [{ type: 'text', text, citations: [citation] }] },
  'reasoning-and-calls': {
    finishReason: 'tool_calls',
    endReason: 'tool_calls',
    parts: [
      {
        type: 'thinking',
        text: '**Looking**\n\nBoth cities.',
        sealed: {
          wire: 'openai-responses',
          provider: 'openai',
          model: 'gpt-5.5',
          value: {
            id: 'rs_6876cf02e0bc8192b74af0fb64b715ff06fa2fcced15a5ac',
            type: 'reasoning',
            encrypted_content: 'gAAAAABofpaV3uYtX+fZ/7==',
            summary: [
              { type: 'summary_text', text: '**Looking**' },
              { type: 'summary_text', text: 'Both cities.' },
            ],
          },
        },
      },
      { type: 'text', text: 'I look at both.' },
      call(1, 'Paris, France'),
      call(2, 'Bogotá'),
    ],
  },
  'custom-call': {
    finishReason: 'tool_calls',
    endReason: 'tool_calls',
    parts: [
      {
        type: 'tool_call',
        id: 'call_custom1',
        name: 'apply_patch',
        arguments: '*** Begin Patch\n*** Add File: hello.txt\n+"hello"\n*** End Patch',
        custom: true,
      },
    ],
  },
  refusal: {
    finishReason: 'content_filter',
    endReason: 'refusal',
    parts: [{ type: 'refusal', text: "I'm sorry, I cannot assist with that." }],
  },
  incomplete: { finishReason: 'length', endReason: 'length', parts: [{ type: 'text', text: 'Once upon' }] },
};

describe.each(fixtureNames)('the answer %s', (name) => {
  it('is read as a whole', async () => {
    const { adapter } = await adapterTo((reply) => reply.reply(200, fixture(`${name}.json`)));
    const completion = await adapter.prepare(modelCall()).complete(sending);
    expect(completion).toEqual({ ...expected[name], usage });
  });

  it('is the same as a stream', async () => {
    const { adapter } = await adapterTo((reply) => reply.events(fixture(`${name}.sse`)));
    const events = await eventsOf(adapter);
    expect(putTogether(events)).toEqual({ ...expected[name], usage });
  });

  it('gives the same events however its bytes are cut', async () => {
    const whole = fixture(`${name}.sse`);
    let pieces: Uint8Array[] = [whole];
    const { adapter } = await adapterTo((reply) => reply.events(...pieces));
    const uncut = await eventsOf(adapter);
    const cuts = uniqueArray(nat({ max: whole.length }), { maxLength: 12 });
    await assert(
      asyncProperty(cuts, async (at) => {
        const borders = [0, ...at.sort((one, other) => one - other), whole.length];
        pieces = borders.slice(1).map((end, index) => whole.subarray(borders[index], end));
        expect(await eventsOf(adapter)).toEqual(uncut);
      }),
      { numRuns: 60 },
    );
  });

  it('is what the official SDK makes of it', async () => {
    const response = await bySdk(fixture(`${name}.sse`));
    const { parts } = expected[name] as Completion;
    const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    expect(response.output_text).toBe(texts.join(''));
    const calls = response.output.flatMap((item) => {
      if (item.type === 'function_call') return [[item.call_id, item.arguments]];
      return item.type === 'custom_tool_call' ? [[item.call_id, item.input]] : [];
    });
    expect(calls).toEqual(
      parts.flatMap((part) => (part.type === 'tool_call' ? [[part.id, part.arguments]] : [])),
    );
  });
});

interface SentEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}
const sse = (events: readonly SentEvent[]) =>
  Buffer.from(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
const added = (item: object, more: object = {}) => ({ type: 'response.output_item.added', item, ...more });
const done = (item: object, more: object = {}) => ({ type: 'response.output_item.done', item, ...more });
const completed = (...output: object[]) => ({
  type: 'response.completed',
  response: { status: 'completed', output, usage: null },
});
const calling = (name: string, text: string) => ({
  ...{ type: 'function_call', id: `fc_${name}`, call_id: `call_${name}`, name, arguments: text },
});
const [one, two] = [calling('a', '{"x":1}'), calling('b', '{"y":1}')];
const saying = (text: string, phase?: string) => ({
  ...{ type: 'message', id: `msg_${text}`, phase, content: [{ type: 'output_text', text }] },
});
const called = ({ call_id, name, arguments: text }: typeof one) => ({
  ...{ type: 'tool_call', id: call_id, name, arguments: text },
});

describe('an answer that other servers stream', () => {
  it.each<[string, readonly SentEvent[], object[]]>([
    // llama.cpp, findings/llamacpp-responses.sh
    [
      'without places in the output',
      [one, two].flatMap((item) => [
        added({ ...item, arguments: '' }),
        { type: 'response.function_call_arguments.delta', item_id: item.id, delta: item.arguments },
        done(item),
      ]),
      [called(one), called(two)],
    ],
    // https://github.com/vercel/ai/blob/main/packages/xai/CHANGELOG.md
    [
      'with arguments at their end alone',
      [
        added({ ...one, arguments: '' }, { output_index: 0 }),
        { ...{ type: 'response.function_call_arguments.done', output_index: 0 }, arguments: one.arguments },
      ],
      [called(one)],
    ],
    ['as a whole at its end', [], [{ type: 'text', text: 'Hi' }, called(one)]],
  ])('is read %s', async (_, events, parts) => {
    const end = completed(...(events.length === 0 ? [saying('Hi'), one] : []));
    const { adapter } = await adapterTo((reply) => reply.events(sse([...events, end])));
    expect(putTogether(await eventsOf(adapter))).toMatchObject({ parts });
  });

  it('is read with several calls in one, whole and streamed', async () => {
    const uses = [
      { recipient_name: 'functions.a', parameters: { x: 1 } },
      { recipient_name: 'functions.b', parameters: { y: 1 } },
    ];
    const item = calling('multi_tool_use.parallel', JSON.stringify({ tool_uses: uses }));
    const end = completed(saying('Hi'), item, one);
    const called = [
      ['a', one.arguments],
      ['b', two.arguments],
      ['a', one.arguments],
    ];
    for (const script of [sse([end]), end.response]) {
      const { adapter } = await adapterTo((reply) =>
        script instanceof Buffer ? reply.events(script) : reply.json(script),
      );
      const { parts } = (
        script instanceof Buffer
          ? putTogether(await eventsOf(adapter))
          : await adapter.prepare(modelCall()).complete(sending)
      ) as Completion;
      const calls = parts.flatMap((part) => (part.type === 'tool_call' ? [[part.name, part.arguments]] : []));
      expect(calls).toEqual(called);
    }
  });

  it('is JSON without what was said on the way to it', async () => {
    // https://github.com/vercel/ai/blob/main/packages/openai/CHANGELOG.md
    const items = [saying('{"draft":1}', 'commentary'), saying('{"a":1}', 'final_answer')];
    const streamed = items.flatMap((item, output_index) => [
      added({ ...item, content: [] }, { output_index }),
      { type: 'response.output_text.delta', output_index, delta: item.content[0]?.text },
      done(item, { output_index }),
    ]);
    const end = completed(...items);
    const streaming = await adapterTo((reply) => reply.events(sse([...streamed, end])));
    const whole = await adapterTo((reply) => reply.json(end.response));
    const call = modelCall({ responseFormat: { type: 'json_object' } });
    const parts = [{ type: 'text', text: '{"a":1}' }];
    expect(putTogether(await eventsOf(streaming.adapter, call))).toMatchObject({ parts });
    expect(await whole.adapter.prepare(call).complete(sending)).toMatchObject({ parts });
  });
});

describe('an answer that fails', () => {
  it.each([
    ['failed.sse', 'provider_rate_limited'],
    ['error.sse', 'provider_rejected'],
  ])('in the stream %s is an error of its kind', async (file, code) => {
    const { adapter } = await adapterTo((reply) => reply.events(fixture(file)));
    await expect(eventsOf(adapter)).rejects.toMatchObject({ code });
  });

  it('as a whole is an error of its kind', async () => {
    const { adapter } = await adapterTo((reply) => reply.reply(200, fixture('failed.json')));
    const failing = adapter.prepare(modelCall()).complete(sending);
    await expect(failing).rejects.toMatchObject({ code: 'provider_rate_limited' });
  });

  it('quotes what the vendor says of a request that it refuses', async () => {
    const { adapter } = await adapterTo((reply) => reply.events(fixture('error.sse')));
    await expect(eventsOf(adapter)).rejects.toThrow(/exceeds the context window/);
  });

  it.each(['text', 'reasoning-and-calls'] as const)('breaks off before the end of %s', async (name) => {
    const whole = fixture(`${name}.sse`);
    const end = whole.lastIndexOf('event: response.completed');
    const { adapter } = await adapterTo((reply) => reply.events(whole.subarray(0, end)));
    await expect(eventsOf(adapter)).rejects.toMatchObject({ code: 'provider_stream_interrupted' });
  });

  it.each([
    ['no list of items', { status: 'completed', output: null }],
    ['no end', { status: 'in_progress', output: [] }],
    ['content that is no list', { status: 'completed', output: [{ type: 'message', content: 'Hi' }] }],
    [
      'a text that is none',
      { status: 'completed', output: [{ type: 'message', content: [{ type: 'output_text', text: 7 }] }] },
    ],
    [
      'a call without a name',
      { status: 'completed', output: [{ type: 'function_call', call_id: 'a', arguments: '{}' }] },
    ],
  ])('is none with %s', async (_, body) => {
    const { adapter } = await adapterTo((reply) => reply.json(body));
    const reading = adapter.prepare(modelCall()).complete(sending);
    await expect(reading).rejects.toMatchObject({ code: 'provider_invalid_response' });
  });
});

/** The answer that the events tell, texts and thinking from their pieces. */
function putTogether(events: readonly CompletionEvent[]): unknown {
  const parts: object[] = [];
  let text = '';
  let thinking = '';
  const citations: object[] = [];
  const endText = () => {
    if (text !== '')
      parts.push({ type: 'text', text, ...(citations.length > 0 && { citations: [...citations] }) });
    text = '';
    citations.length = 0;
  };
  const pieces = new Map<number, string>();
  for (const event of events) {
    if (event.type === 'delta') text += event.content;
    else if (event.type === 'citation') citations.push(event.citation);
    else if (event.type === 'thinking_delta') thinking += event.content;
    else if (event.type === 'tool_call_delta')
      pieces.set(event.index, (pieces.get(event.index) ?? '') + event.arguments);
    else if (event.type === 'thinking') {
      expect(thinking).toBe(event.part.text);
      parts.push(event.part);
    } else if (event.type === 'tool_call') {
      endText();
      expect(pieces.get(event.index)).toBe(event.toolCall.arguments);
      parts.push(event.toolCall);
    } else if (event.type === 'refusal_delta') {
      const last = parts.pop() as { text: string } | undefined;
      parts.push({ type: 'refusal', text: (last?.text ?? '') + event.content });
    } else {
      endText();
      const { type: _, ...ending } = event;
      return { parts, ...ending };
    }
  }
  throw new Error('The stream has no end.');
}
