import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  AnswerPart,
  Completion,
  CompletionEvent,
  UnroutedCall,
} from '../../../../../../src/model/port.ts';
import { noTokens } from '../../../../../../src/model/usage.ts';
import { openAiFixture, wireJson, wireText } from '../../../../../helpers/vendor-fixtures.ts';
import { callOf, gatewayTo } from '../../../../../helpers/vendor-gateway.ts';

const patch = { type: 'custom', custom: { name: 'apply_patch' } } as const;
const weather = { type: 'function', function: { name: 'get_weather' } } as const;
const call = (id: string, name: string, text: string, more: object = {}) =>
  ({ type: 'tool_call', id, name, arguments: text, ...more }) as const;

/** What each fixture means. */
const meant: Record<string, Omit<Completion, 'usage'> & { readonly usage: object }> = {
  text: {
    parts: [{ type: 'text', text: 'Hello! How can I help you today? 👋' }],
    finishReason: 'stop',
    endReason: 'stop',
    usage: { inputUncached: 22, cacheRead: 1920, cacheWrite5m: 64, output: 300, reasoning: 256 },
  },
  'parallel-tools': {
    parts: [
      call('call_DdmO9pD3xa9XTPNJ32zg2hcA', 'get_weather', '{"location":"Zürich"}'),
      call('call_ABCdef123', 'get_weather', '{"location":"Bern"}'),
    ],
    finishReason: 'tool_calls',
    endReason: 'tool_calls',
    usage: { inputUncached: 82, output: 36 },
  },
  'custom-tool': {
    parts: [call('call_patch1', 'apply_patch', '*** Begin Patch\n"a"', { custom: true })],
    finishReason: 'tool_calls',
    endReason: 'tool_calls',
    usage: { inputUncached: 60, output: 20 },
  },
  refusal: {
    parts: [{ type: 'refusal', text: "I'm sorry, I can't help with that request." }],
    finishReason: 'content_filter',
    endReason: 'refusal',
    usage: { inputUncached: 81, output: 11 },
  },
  thinking: {
    parts: [
      {
        type: 'thinking',
        text: 'Compare 9.11 with 9.8.',
        sealed: {
          wire: 'openai-chat',
          provider: 'openai',
          model: 'gpt-4o',
          value: { reasoning_content: 'Compare 9.11 with 9.8.' },
        },
      },
      { type: 'text', text: '9.8 is greater.' },
    ],
    finishReason: 'stop',
    endReason: 'stop',
    usage: { inputUncached: 6, cacheRead: 10, output: 40, reasoning: 30 },
  },
  citations: {
    parts: [
      {
        type: 'text',
        text: 'A whale was saved today. Good.',
        citations: [
          {
            url: 'https://example.com/news?utm_source=openai',
            title: 'Positive news',
            start: 0,
            end: 24,
          },
        ],
      },
    ],
    finishReason: 'stop',
    endReason: 'stop',
    usage: { inputUncached: 9, output: 30 },
  },
};

const asked: UnroutedCall = callOf('Hi', { tools: [weather, patch] });

/** A stream put together again. Pieces must be of the whole that follows them. */
function putTogether(events: readonly CompletionEvent[]): Completion | null {
  const parts: AnswerPart[] = [];
  let thinking = '';
  const pieces: string[] = [];
  for (const event of events) {
    const last = parts.at(-1);
    if (event.type === 'delta' || event.type === 'refusal_delta') {
      const type = event.type === 'delta' ? 'text' : 'refusal';
      if (last?.type === type) parts[parts.length - 1] = { ...last, text: last.text + event.content };
      else parts.push({ type, text: event.content });
    } else if (event.type === 'citation' && last?.type === 'text')
      parts[parts.length - 1] = { ...last, citations: [...(last.citations ?? []), event.citation] };
    else if (event.type === 'thinking_delta') thinking += event.content;
    else if (event.type === 'thinking') {
      expect(event.part.text).toBe(thinking);
      parts.push(event.part);
    } else if (event.type === 'tool_call_delta')
      pieces[event.index] = (pieces[event.index] ?? '') + event.arguments;
    else if (event.type === 'tool_call') {
      expect(pieces[event.index]).toBe(event.toolCall.arguments);
      parts.push(event.toolCall);
    } else if (event.type === 'end') {
      const { type: _, ...ending } = event;
      return { parts, ...ending };
    }
  }
  return null;
}

describe.each(Object.entries(meant))("OpenAI's answer: %s", (name, { usage, ...answer }) => {
  const expected = { ...answer, usage: { ...noTokens, ...usage } };

  test('is read as a whole', async () => {
    const reply = wireJson(`openai-chat/${name}.json`);
    const gateway = await gatewayTo(openAiFixture, ({ json }) => json(reply));
    expect((await gateway.ask(asked)).completion).toEqual(expected);
  });

  test('is the same as a stream, wherever its bytes are cut', async () => {
    const bytes = Buffer.from(wireText(`openai-chat/${name}.sse`));
    let cuts: readonly number[] = [];
    const gateway = await gatewayTo(openAiFixture, ({ events }) =>
      events(...[0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length))),
    );
    const places = fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(places, async (at) => {
        cuts = at.toSorted((a, b) => a - b);
        const { events, error } = await gateway.read(asked);
        expect(error).toBeNull();
        expect(putTogether(events)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });
});

describe('more of OpenAI', () => {
  test('an answer that thinking has eaten up is an empty one that was cut off', async () => {
    const reply = wireJson('openai-chat/length.json');
    const gateway = await gatewayTo(openAiFixture, ({ json }) => json(reply));
    expect((await gateway.ask()).completion).toMatchObject({ parts: [], finishReason: 'length' });
  });

  test('an error in the middle of a stream is thrown after what came before it', async () => {
    const gateway = await gatewayTo(openAiFixture, ({ events }) => events(wireText('openai-chat/error.sse')));
    const { text, error } = await gateway.read();
    expect(text).toBe('Hello');
    expect(error).toMatchObject({ code: 'provider_error' });
  });

  test('Mistral tells its thinking in the content', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'Yes.' },
    ];
    const reply = { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] };
    const gateway = await gatewayTo(openAiFixture, ({ json }) => json(reply));
    expect((await gateway.ask()).completion.parts).toEqual([
      { type: 'thinking', text: 'Hm.', sealed: null },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  test('a custom tool that was sent as a function is unwrapped, whole and in a stream', async () => {
    const function_ = { name: 'apply_patch', arguments: '{"input":"*** \\"a\\""}' };
    const message = { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: function_ }] };
    const [first, second] = ['{"input":"*** \\', '"a\\""}'];
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`;
    const stream =
      chunk({
        tool_calls: [{ index: 0, id: 'call_1', function: { name: 'apply_patch', arguments: first } }],
      }) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: second } }] }) +
      chunk({}, 'tool_calls');
    const gateway = await gatewayTo(
      openAiFixture,
      ({ request, json, events }) =>
        request.json['stream'] ? events(stream) : json({ choices: [{ message, finish_reason: 'stop' }] }),
      {},
      { maxTokensField: 'max_tokens' },
    );
    const expected = [call('call_1', 'apply_patch', '*** "a"', { custom: true })];
    expect((await gateway.ask(asked)).completion.parts).toEqual(expected);
    const { events } = await gateway.read(asked);
    expect(putTogether(events)?.parts).toEqual(expected);
    expect(events[0]).toEqual({
      type: 'tool_call_delta',
      index: 0,
      id: 'call_1',
      name: 'apply_patch',
      arguments: '*** "a"',
      custom: true,
    });
  });
});
