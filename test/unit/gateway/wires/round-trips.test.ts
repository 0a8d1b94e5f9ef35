import {
  array,
  assert,
  asyncProperty,
  boolean,
  type constant,
  constantFrom,
  option,
  property,
  record,
  string,
  tuple,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrapThinking, wrapThinking } from '../../../../src/gateway/wires/envelope.ts';
import {
  type ModelMessage,
  type SealedThinking,
  said,
  type ToolCallPart,
  type ToolResultPart,
  type VendorWire,
} from '../../../../src/model/parts.ts';
import type { AnswerPart, Completion } from '../../../../src/model/port.ts';
import { noTokens } from '../../../../src/model/usage.ts';
import { eventsOf } from '../../../helpers/answer-events.ts';
import { pngData, wireNames } from '../../../helpers/wire-clients.ts';
import { clientWires, conversing, readBySdk, sentTo, vendorModels } from '../../../helpers/wire-sides.ts';

/**
 * An answer of a vendor of one wire that a client of another gets, keeps, and sends back with the results of its tools: the
 * vendor is sent what it would be sent if the answer had never left its own wire.
 */

const meta = {
  id: '01JAZ0000000000000000000AB',
  model: 'm',
  createdAt: 1_763_600_000,
  inputTokens: 1,
  usage: () => noTokens,
};
const text = string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((value) => value.trim() !== '');
const base64 = constantFrom('c2ln', 'Q0FGRUJBQkU=', 'AAECAwQFBgcICQ==');

/** Thinking as each vendor seals it. */
const sealedOf = {
  'openai-chat': text.map((value) => ({ reasoning_content: value })),
  'openai-responses': tuple(text, base64).map(([value, encrypted]) => ({
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: value }],
    encrypted_content: encrypted,
  })),
  anthropic: tuple(text, base64, boolean()).map(([value, signature, hidden]) =>
    hidden
      ? { type: 'redacted_thinking', data: signature }
      : { type: 'thinking', thinking: value, signature },
  ),
  gemini: tuple(text, base64).map(([value, thoughtSignature]) => ({
    text: value,
    thought: true,
    thoughtSignature,
  })),
} as const;

function shownOf(value: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(value['summary'])) return (value['summary'][0] as { text: string }).text;
  return String(value['thinking'] ?? value['reasoning_content'] ?? value['text'] ?? '');
}

const thinkingOf = (wire: VendorWire) =>
  (sealedOf[wire] as ReturnType<typeof constant<SealedThinking['value']>>).map(
    (value): AnswerPart => ({
      type: 'thinking',
      text: shownOf(value),
      sealed: { wire, provider: wire, model: vendorModels[wire], value },
    }),
  );

/** Ids as vendors give them: each in the alphabet of its own wire. */
const idsOf: Readonly<Record<VendorWire, readonly string[]>> = {
  'openai-chat': ['call_a', 'functions.look:0', 'functions_look_0', 'ü 1'],
  'openai-responses': ['call_a', 'fc|1', 'fc_1', 'call.b'],
  anthropic: ['toolu_01A', 'toolu_01B', 'toolu-C', 'toolu_sy2'],
  gemini: ['call 1', 'call_1', 'x/y', 'x_y'],
};

const callsOf = (wire: VendorWire, minLength = 0) =>
  array(tuple(constantFrom('look', 'mcp__files__read'), text), { minLength, maxLength: 4 }).map((calls) =>
    calls.map(
      ([name, value], index): ToolCallPart => ({
        type: 'tool_call',
        id: idsOf[wire][index] ?? `call_${index}`,
        name,
        arguments: JSON.stringify({ value }),
        // Gemini signs the first of several calls.
        ...(wire === 'gemini' &&
          index === 0 && { extraContent: { google: { thought_signature: 'c2lnbmVk' } } }),
      }),
    ),
  );

/** Gemini tells the signature of a call twice: with the call, and as thinking for clients that keep that only. */
function signed(wire: VendorWire, calls: readonly ToolCallPart[]): readonly AnswerPart[] {
  const [first] = calls;
  if (wire !== 'gemini' || !first) return calls;
  const value = { thoughtSignature: 'c2lnbmVk', functionCall: { name: first.name } };
  const sealed = { wire, provider: wire, model: vendorModels[wire], value };
  return [{ type: 'thinking', text: '', sealed }, ...calls];
}

const answersOf = (wire: VendorWire, minCalls = 0) =>
  tuple(
    option(thinkingOf(wire)),
    option(text.map((value): AnswerPart => ({ type: 'text', text: value }))),
    callsOf(wire, minCalls).map((calls) => signed(wire, calls)),
  )
    .map((parts) => parts.flat().filter((part) => part !== null) as AnswerPart[])
    .filter((parts) => parts.some(({ type }) => type !== 'thinking'));

const results = array(record({ text, image: boolean(), failed: boolean() }), { minLength: 4, maxLength: 4 });

function resultsFor(
  calls: readonly ToolCallPart[],
  given: readonly { text: string; image: boolean; failed: boolean }[],
) {
  return calls.map(
    ({ id }, index): ToolResultPart => ({
      type: 'tool_result',
      callId: id,
      content: [
        { type: 'text', text: given[index]?.text ?? '' },
        ...(given[index]?.image
          ? [{ type: 'image', source: { type: 'base64', mediaType: 'image/png', data: pngData } } as const]
          : []),
      ],
      ...(given[index]?.failed && { isError: true }),
    }),
  );
}

/** A result as wires without a mark for failure say it. */
function marked(result: ToolResultPart): ToolResultPart {
  const [first, ...rest] = result.content;
  if (!result.isError || first?.type !== 'text') return result;
  const { isError: _, ...unmarked } = result;
  return { ...unmarked, content: [{ type: 'text', text: `Error: ${first.text}` }, ...rest] };
}

const marksFailure = (wire: VendorWire) => wire === 'anthropic' || wire === 'gemini';

/** Where both are of one wire its own bytes go through, and nothing is translated. */
const pairs = wireNames.flatMap((client) =>
  wireNames.filter((vendor) => vendor !== client).map((vendor) => [client, vendor] as const),
);

/**
 * Chat Completions has no place for hidden thinking but a call of a tool. Vendors need it with calls only: they leave that of
 * answers without calls out of the conversation themselves.
 */
function keepsThinking(client: VendorWire, parts: readonly AnswerPart[]): boolean {
  return client !== 'openai-chat' || parts.some(({ type }) => type === 'tool_call');
}

describe.each(pairs)('a client on %s before a vendor on %s', (client, vendor) => {
  const talk = conversing[client];
  const call = { temperatureGiven: false } as const;

  /** What the client gets, as a whole or as its vendor's own client puts a stream together. */
  async function answerTo(completion: Completion, streaming: boolean): Promise<unknown> {
    const asked = clientWires[client].read(talk.body(talk.user('Hi'), streaming ? { stream: true } : {}));
    if (!streaming) return JSON.parse(JSON.stringify(asked.answer(completion, meta)));
    const writer = asked.stream(meta);
    return readBySdk[client](
      writer.start() + [...eventsOf(completion)].map((event) => writer.take(event)).join(''),
    );
  }

  /** What the vendor is sent in the next turn, through the client and without it. */
  async function nextTurn(
    parts: readonly AnswerPart[],
    given: readonly { text: string; image: boolean; failed: boolean }[],
    streaming: boolean,
  ) {
    const calls = parts.filter((part) => part.type === 'tool_call');
    const finishReason = calls.length > 0 ? 'tool_calls' : 'stop';
    const completion: Completion = { parts, finishReason, endReason: finishReason, usage: null };
    const answer = await answerTo(completion, streaming);
    const outcome = resultsFor(calls, given);
    const ids = talk.callIds(answer);
    const names = new Map(ids.map((id, index) => [id, calls[index]?.name ?? '']));
    const body = talk.body([
      ...talk.user('Hi'),
      ...talk.answered(answer),
      ...(calls.length > 0
        ? talk.results(
            outcome.map((result, index) => ({ ...result, callId: ids[index] ?? '' })),
            names,
          )
        : []),
      ...talk.user('And now?'),
    ]);
    const { messages } = clientWires[client].read(JSON.parse(JSON.stringify(body))).call;
    const direct: ModelMessage[] = [
      said('user', 'Hi'),
      { role: 'assistant', content: parts },
      ...(calls.length > 0
        ? [{ role: 'tool', content: marksFailure(client) ? outcome : outcome.map(marked) } as const]
        : []),
      said('user', 'And now?'),
    ];
    return {
      through: sentTo(vendor, { ...call, messages }),
      without: sentTo(vendor, { ...call, messages: direct }),
      ids,
    };
  }

  it.each([false, true])(
    'is sent back what it said and sealed, with what the calls gave (as a stream: %s)',
    async (streaming) => {
      await assert(
        asyncProperty(answersOf(vendor, 1), results, async (parts, given) => {
          const { through, without, ids } = await nextTurn(parts, given, streaming);
          expect(new Set(ids).size).toBe(ids.length);
          expect(through.request).toEqual(without.request);
          expect(through.warnings).toEqual(without.warnings);
        }),
        { numRuns: 50 },
      );
    },
  );

  it.each([false, true])(
    'is sent back any answer, but for thinking of which the client is told (as a stream: %s)',
    async (streaming) => {
      await assert(
        asyncProperty(answersOf(vendor), results, async (parts, given) => {
          const { through, without } = await nextTurn(parts, given, streaming);
          const removed = through.warnings.some(({ code }) => code === 'thinking_removed');
          if (!removed && keepsThinking(client, parts)) {
            expect(through.request).toEqual(without.request);
            return;
          }
          const spoken = parts.filter(({ type }) => type !== 'thinking');
          const unthought = await nextTurn(spoken, given, streaming);
          expect(inBlocks(through.request)).toEqual(inBlocks(unthought.without.request));
        }),
        { numRuns: 50 },
      );
    },
  );
});

/** With contents that are a text as the one block that they stand for. */
function inBlocks(request: unknown): unknown {
  const { messages, ...rest } = request as { messages?: readonly { content: unknown }[] };
  if (!messages) return request;
  const asBlocks = (content: unknown) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return {
    ...rest,
    messages: messages.map((message) => ({ ...message, content: asBlocks(message.content) })),
  };
}

describe('the envelope', () => {
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
});
