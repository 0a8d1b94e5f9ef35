/** Each bit of a request in our own terms makes a difference at every vendor: it is sent, refused, or named in a warning. */
import { describe, expect, it } from 'vitest';
import type { ModelMessage, Part } from '../../../../src/model/parts.ts';
import type { UnroutedCall } from '../../../../src/model/port.ts';
import { wireNames } from '../../../helpers/wire-clients.ts';
import { sentTo } from '../../../helpers/wire-sides.ts';

const hi: Part = { type: 'text', text: 'Hi' };
const user = (...content: Part[]): ModelMessage => ({ role: 'user', content });
const base64 = (mediaType: string) => ({ type: 'base64', mediaType, data: 'AAAA' }) as const;
const asked = (messages: readonly ModelMessage[], more: Partial<UnroutedCall> = {}): UnroutedCall => ({
  messages,
  temperatureGiven: more.temperature !== undefined,
  ...more,
});
const answered = (...content: Part[]) => [user(hi), { role: 'assistant', content } as const, user(hi)];
const called = (extra: object, result: object = {}): ModelMessage[] => [
  user(hi),
  { role: 'assistant', content: [{ type: 'tool_call', id: 'c1', name: 'f', arguments: '{}', ...extra }] },
  { role: 'tool', content: [{ type: 'tool_result', callId: 'c1', content: [hi], ...result }] },
];
const plain = asked([user(hi)]);
const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } } as const;
const tools = { tools: [tool] };
const withTools = asked([user(hi)], tools);
const schema = { name: 'a', schema: { type: 'object', properties: {} } };

/** What each bit is added to, and with it. */
const bits: Readonly<Record<string, readonly [UnroutedCall, UnroutedCall]>> = {
  'the name of a speaker': [plain, asked([{ ...user(hi), name: 'Ann' }])],
  'a picture': [plain, asked([user(hi, { type: 'image', source: base64('image/png') })])],
  'the detail of a picture': [
    asked([user({ type: 'image', source: base64('image/png') })]),
    asked([user({ type: 'image', source: base64('image/png'), detail: 'low' })]),
  ],
  'a document': [plain, asked([user(hi, { type: 'document', source: base64('application/pdf') })])],
  'the name of a document': [
    asked([user({ type: 'document', source: base64('application/pdf') })]),
    asked([user({ type: 'document', source: base64('application/pdf'), filename: 'a.pdf' })]),
  ],
  'the title of a document': [
    asked([user({ type: 'document', source: base64('application/pdf') })]),
    asked([user({ type: 'document', source: base64('application/pdf'), title: 'A' })]),
  ],
  'the name of a document elsewhere': [
    asked([user({ type: 'document', source: { type: 'url', url: 'https://example.com/x' } })]),
    asked([
      user({ type: 'document', source: { type: 'url', url: 'https://example.com/x' }, filename: 'a.pdf' }),
    ]),
  ],
  sound: [plain, asked([user(hi, { type: 'audio', data: 'AAAA', format: 'wav' })])],
  'a refusal': [asked(answered(hi)), asked(answered(hi, { type: 'refusal', text: 'No.' }))],
  thinking: [asked(answered(hi)), asked(answered({ type: 'thinking', text: 'Hm.', sealed: null }, hi))],
  'sealed thinking of another': [
    asked(answered(hi)),
    asked(
      answered(
        { type: 'thinking', text: '', sealed: { wire: 'anthropic', provider: 'x', model: 'y', value: {} } },
        hi,
      ),
    ),
  ],
  'citations of an answer': [
    asked(answered(hi)),
    asked(answered({ ...hi, citations: [{ url: 'https://example.com', title: 'E', start: 0, end: 2 }] })),
  ],
  'that a tool failed': [asked(called({})), asked(called({}, { isError: true }))],
  'a picture in a result': [
    asked(called({})),
    asked(called({}, { content: [hi, { type: 'image', source: base64('image/png') }] })),
  ],
  'what another vendor needs to see again with a call': [
    asked(called({})),
    asked(called({ extraContent: { other: { a: 1 } } })),
  ],
  'a system message further down': [
    asked([user(hi), user(hi)]),
    asked([user(hi), { role: 'system', content: [hi] }, user(hi)]),
  ],
  temperature: [plain, asked([user(hi)], { temperature: 0.3 })],
  'a maximum of tokens': [plain, asked([user(hi)], { maxTokens: 5 })],
  top_p: [plain, asked([user(hi)], { topP: 0.3 })],
  top_k: [plain, asked([user(hi)], { topK: 3 })],
  'a text to stop at': [plain, asked([user(hi)], { stop: ['END'] })],
  'a seed': [plain, asked([user(hi)], { seed: 7 })],
  'a frequency penalty': [plain, asked([user(hi)], { frequencyPenalty: 0.5 })],
  'a presence penalty': [plain, asked([user(hi)], { presencePenalty: 0.5 })],
  effort: [plain, asked([user(hi)], { thinking: { effort: 'low' } })],
  'a budget of thinking': [plain, asked([user(hi)], { thinking: { budgetTokens: 2000 } })],
  verbosity: [plain, asked([user(hi)], { verbosity: 'low' })],
  'the name of a user': [plain, asked([user(hi)], { user: 'ann' })],
  'the key of a cache': [plain, asked([user(hi)], { promptCacheKey: 'k' })],
  'a service tier': [plain, asked([user(hi)], { serviceTier: 'flex' })],
  'the form of an object': [plain, asked([user(hi)], { responseFormat: { type: 'json_object' } })],
  'the form of a schema': [
    plain,
    asked([user(hi)], { responseFormat: { type: 'json_schema', json_schema: schema } }),
  ],
  'what a schema describes': [
    asked([user(hi)], { responseFormat: { type: 'json_schema', json_schema: schema } }),
    asked([user(hi)], {
      responseFormat: { type: 'json_schema', json_schema: { ...schema, description: 'D' } },
    }),
  ],
  tools: [plain, withTools],
  'which tool to call': [withTools, asked([user(hi)], { ...tools, toolChoice: 'required' })],
  'one call at a time': [withTools, asked([user(hi)], { ...tools, parallelToolCalls: false })],
  'a strict tool': [
    withTools,
    asked([user(hi)], { tools: [{ ...tool, function: { ...tool.function, strict: true } }] }),
  ],
  'the form of a custom tool': [
    asked([user(hi)], { tools: [{ type: 'custom', custom: { name: 'f' } }] }),
    asked([user(hi)], {
      tools: [
        {
          type: 'custom',
          custom: { name: 'f', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } } },
        },
      ],
    }),
  ],
};

/** What a client notices of a call: what is sent, or why it is not, and the warnings. */
function outcome(wire: (typeof wireNames)[number], call: UnroutedCall): unknown {
  try {
    return sentTo(wire, call);
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

describe.each(wireNames)('a vendor on %s', (wire) => {
  it.each(Object.entries(bits))('is told of %s, or the client is', (_, [without, withIt]) => {
    const before = outcome(wire, without);
    // What is refused without it is refused with it, too.
    if (typeof before === 'string') expect(outcome(wire, withIt)).toBe(before);
    else expect(outcome(wire, withIt)).not.toEqual(before);
  });
});
