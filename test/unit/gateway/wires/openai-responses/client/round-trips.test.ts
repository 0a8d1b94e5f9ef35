import { array, assert, constant, constantFrom, option, property, record, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Adaptations } from '../../../../../../src/gateway/upstream/settings.ts';
import { openAiResponsesWire } from '../../../../../../src/gateway/wires/openai-responses/client/wire.ts';
import { inputItems } from '../../../../../../src/gateway/wires/openai-responses/vendor/input.ts';
import { readReply } from '../../../../../../src/gateway/wires/openai-responses/vendor/reply.ts';
import { createResponsesDecoder } from '../../../../../../src/gateway/wires/openai-responses/vendor/stream.ts';
import type { ModelMessage, SealedThinking } from '../../../../../../src/model/parts.ts';
import type { AnswerPart, CompletionEvent } from '../../../../../../src/model/port.ts';
import { eventsOf } from '../../../../../helpers/answer-events.ts';
import { completion, meta, parsed, usage, written } from './sdk.ts';

const vendor = { id: 'switchyard', apiKey: null };
const body = { model: 'm', input: 'Hi' };
const said = string({ minLength: 1, unit: 'grapheme' });

const anthropicSealed = record({
  wire: constant('anthropic' as const),
  provider: constant('anthropic'),
  model: constant('claude-sonnet-4-6'),
  value: record({ type: constant('thinking'), thinking: said, signature: said }),
});
const thinking = record({ type: constant('thinking' as const), text: said, sealed: option(anthropicSealed) });
const text = record({ type: constant('text' as const), text: said });
const refusal = record({ type: constant('refusal' as const), text: said });
const calls = array(tuple(constantFrom('add', 'mcp__a__b'), said, constantFrom(true, false)), {
  maxLength: 3,
}).map((all) =>
  all.map(([name, value, custom], index) => ({
    type: 'tool_call' as const,
    id: `call_${index}`,
    name,
    arguments: custom ? value : JSON.stringify({ value }),
    ...(custom && { custom }),
  })),
);

/** Answers in which no two texts, refusals or stretches of thinking follow each other: a stream cannot tell these apart. */
const answers = tuple(option(thinking), option(text), calls, option(refusal)).map((parts) =>
  parts.flat().filter((part) => part !== null),
) as unknown as ReturnType<typeof array<AnswerPart>>;

describe('an answer that is written for a client and read as a vendor has sent it', () => {
  // What another wire has sealed is opaque here: it comes back as reasoning of this wire.
  const resealed = (part: AnswerPart): unknown =>
    part.type === 'thinking' && part.sealed ? { ...part, sealed: expect.anything() } : part;

  it('is the same as a whole', () => {
    assert(
      property(answers, (parts) => {
        const answer = openAiResponsesWire.read(body).answer(completion(parts as AnswerPart[]), meta);
        const read = readReply(vendor, 'm', JSON.parse(JSON.stringify(answer)));
        expect(read.parts).toEqual((parts as AnswerPart[]).map(resealed));
        expect(read.usage).toEqual(usage);
      }),
    );
  });

  it('is the same as a stream', () => {
    assert(
      property(answers, (parts) => {
        const events: CompletionEvent[] = [];
        const decoder = createResponsesDecoder(vendor, 'm');
        const given = [...eventsOf(completion(parts as AnswerPart[]))];
        for (const event of parsed(written(body, given)))
          decoder.take({ data: JSON.stringify(event), id: undefined, event: event.type }, (one) =>
            events.push(one),
          );
        expect(joined(events.slice(0, -1))).toEqual(joined(given.slice(0, -1)));
        expect(events.at(-1)).toMatchObject({ type: 'end', usage });
      }),
    );
  });
});

describe('a conversation that is sent to a vendor and read as a client has sent it', () => {
  const own = (value: SealedThinking['value']) =>
    ({ wire: 'openai-responses', provider: null, model: null, value }) as const;
  const turns = array(
    tuple(said, option(said), calls, option(said)).map(
      ([question, answer, called, shown]): ModelMessage[] => [
        { role: 'user', content: [{ type: 'text', text: question }] },
        {
          role: 'assistant',
          content: [
            ...(shown === null
              ? []
              : [
                  {
                    type: 'thinking' as const,
                    text: shown,
                    sealed: own({
                      type: 'reasoning',
                      id: 'rs_1',
                      summary: [{ type: 'summary_text', text: shown }],
                      encrypted_content: 'gAA=',
                    }),
                  },
                ]),
            { type: 'text', text: answer ?? 'Well.' },
            ...called,
          ],
        },
        {
          role: 'tool',
          content: called.map(({ id }) => ({
            type: 'tool_result',
            callId: id,
            content: [{ type: 'text', text: id }],
          })),
        },
      ],
    ),
    { minLength: 1, maxLength: 4 },
  ).map((all) =>
    all
      .flatMap((turn, index) => turn.map((message) => numbered(message, index)))
      .filter(({ content }) => content.length > 0),
  );

  it('is the same, reasoning and custom calls too', () => {
    assert(
      property(turns, (messages) => {
        const notes = new Adaptations('gpt-5.5');
        const items = inputItems(messages, { provider: 'openai', model: 'gpt-5.5', notes });
        expect(notes.warnings).toEqual([]);
        const input = JSON.parse(JSON.stringify(items)) as unknown;
        expect(openAiResponsesWire.read({ model: 'm', input }).call.messages).toEqual(messages);
      }),
    );
  });
});

/** Ids of calls differ in the whole conversation. */
function numbered(message: ModelMessage, turn: number): ModelMessage {
  return {
    ...message,
    content: message.content.map((part) => {
      if (part.type === 'tool_call') return { ...part, id: `${part.id}_${turn}` };
      return part.type === 'tool_result' ? { ...part, callId: `${part.callId}_${turn}` } : part;
    }),
  };
}

/** Pieces that follow each other as one, and thinking without what is sealed in it. */
function joined(events: readonly CompletionEvent[]): unknown[] {
  const result: Record<string, unknown>[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (event.type === 'thinking') result.push({ type: event.type, text: event.part.text });
    else if ('content' in event && last?.['type'] === event.type)
      last['content'] = `${last['content']}${event.content}`;
    else if (
      event.type === 'tool_call_delta' &&
      last?.['type'] === event.type &&
      last['index'] === event.index
    )
      last['arguments'] = `${last['arguments']}${event.arguments}`;
    else result.push({ ...event });
  }
  return result;
}
