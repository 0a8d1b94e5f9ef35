/** Streams of vendors of which users of other gateways have reported that something was lost on the way. */
import { describe, expect, it } from 'vitest';
import type { VendorWire } from '../../../src/model/parts.ts';
import { testKey } from '../../helpers/app.ts';
import { beforeFourVendors, modelOn, sendTo, wireClients, wireNames } from '../../helpers/wire-clients.ts';
import { readBySdk } from '../../helpers/wire-sides.ts';

const data = (events: readonly object[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const named = (events: readonly { readonly type: string }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const chunk = (delta: object, finish: string | null = null, more: object = {}) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});
const call = (index: number, id: string, name: string, json: string) => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: json } }],
});
const usage = {
  prompt_tokens: 9,
  completion_tokens: 4,
  total_tokens: 13,
  prompt_tokens_details: { cached_tokens: 5 },
};

const started = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-6',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 1 },
  },
};
const block = (index: number, content_block: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const stopped = (stop_reason: string) => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
];

const functionCall = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'look',
  status: 'completed',
};
const responseOf = (output: readonly object[]) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'gpt-4o',
  status: 'completed',
  output,
  usage: { input_tokens: 9, output_tokens: 4, total_tokens: 13 },
});
const whole = { ...functionCall, arguments: '{"at":"sea"}' };

interface Told {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
}

/** What a client's own SDK makes of the answer. */
function told(client: VendorWire, answer: unknown): Told {
  const json = (text: string) => JSON.parse(text) as unknown;
  switch (client) {
    case 'openai-chat': {
      const { message } = (
        answer as {
          choices: [
            {
              message: {
                content: string | null;
                tool_calls?: { function: { name: string; arguments: string } }[];
              };
            },
          ];
        }
      ).choices[0];
      const calls = (message.tool_calls ?? []).map(({ function: f }) => ({
        name: f.name,
        input: json(f.arguments),
      }));
      return { text: message.content ?? '', calls };
    }
    case 'openai-responses': {
      const { output } = answer as {
        output: { type: string; name: string; arguments: string; content?: { text: string }[] }[];
      };
      return {
        text: output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join(''),
        calls: output
          .filter(({ type }) => type === 'function_call')
          .map((item) => ({ name: item.name, input: json(item.arguments) })),
      };
    }
    case 'anthropic': {
      const { content } = answer as {
        content: { type: string; text: string; name: string; input: unknown }[];
      };
      return {
        text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
        calls: content.filter(({ type }) => type === 'tool_use').map(({ name, input }) => ({ name, input })),
      };
    }
    default: {
      const { parts } = (
        answer as {
          candidates: [
            { content: { parts: { text?: string; functionCall?: { name: string; args: unknown } }[] } },
          ];
        }
      ).candidates[0].content;
      return {
        text: parts.map(({ text = '' }) => text).join(''),
        calls: parts.flatMap(({ functionCall: f }) => (f ? [{ name: f.name, input: f.args }] : [])),
      };
    }
  }
}

const sea = { name: 'look', input: { at: 'sea' } };
const sky = { name: 'look', input: { at: 'sky' } };

/** By what was lost. */
const streams: Readonly<
  Record<string, { readonly vendor: VendorWire; readonly sse: string; readonly told: Told }>
> = {
  'arguments that come only with the end of a call': {
    vendor: 'openai-responses',
    sse: named([
      { type: 'response.created', response: { ...responseOf([]), status: 'in_progress', usage: null } },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...functionCall, status: 'in_progress', arguments: '' },
      },
      {
        type: 'response.function_call_arguments.done',
        item_id: 'fc_1',
        output_index: 0,
        arguments: '{"at":"sea"}',
      },
      { type: 'response.output_item.done', output_index: 0, item: whole },
      { type: 'response.completed', response: responseOf([whole]) },
    ] as never),
    told: { text: '', calls: [sea] },
  },
  'a call in the same chunk as a text': {
    vendor: 'openai-chat',
    sse: `${data([chunk({ role: 'assistant', content: 'First: ', ...call(0, 'a', 'look', '{"at":"sea"}') }), chunk({}, 'tool_calls')])}data: [DONE]\n\n`,
    told: { text: 'First: ', calls: [sea] },
  },
  'calls that all have the index 0': {
    vendor: 'openai-chat',
    sse: `${data([chunk(call(0, 'a', 'look', '{"at":"sea"}')), chunk(call(0, 'b', 'look', '{"at":"sky"}')), chunk({}, 'tool_calls')])}data: [DONE]\n\n`,
    told: { text: '', calls: [sea, sky] },
  },
  'a call that is all there is of an answer': {
    vendor: 'openai-chat',
    sse: `${data([chunk(call(0, 'a', 'look', '{"at":"sea"}'), 'tool_calls')])}data: [DONE]\n\n`,
    told: { text: '', calls: [sea] },
  },
  'arguments at the start of a block': {
    vendor: 'anthropic',
    sse: named([
      started,
      ...block(0, { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'sea' } }),
      ...stopped('tool_use'),
    ] as never),
    told: { text: '', calls: [sea] },
  },
  'the first words, at the start of a block': {
    vendor: 'anthropic',
    sse: named([
      started,
      ...block(0, { type: 'text', text: 'I' }, { type: 'text_delta', text: "'m happy" }),
      ...stopped('end_turn'),
    ] as never),
    told: { text: "I'm happy", calls: [] },
  },
  'a second call in a piece of its own': {
    vendor: 'gemini',
    sse: data([
      {
        candidates: [
          { content: { role: 'model', parts: [{ functionCall: { name: 'look', args: { at: 'sea' } } }] } },
        ],
      },
      {
        candidates: [
          {
            content: { role: 'model', parts: [{ functionCall: { name: 'look', args: { at: 'sky' } } }] },
            finishReason: 'STOP',
          },
        ],
      },
    ]),
    told: { text: '', calls: [sea, sky] },
  },
};

describe.each(Object.entries(streams))('%s', (_, { vendor, sse, told: expected }) => {
  it.each(wireNames.filter((client) => client !== vendor))(
    'is not lost for a client on %s',
    async (client) => {
      const { app } = await beforeFourVendors(({ events }) => events(sse));
      const { body } = wireClients[client];
      const model = modelOn[vendor];
      const answer = await sendTo(app, wireClients[client], model, body(model, { text: 'Look.' }), {
        streaming: true,
      });
      expect(told(client, await readBySdk[client](answer.text))).toEqual(expected);
    },
  );
});

describe('the usage of a stream', () => {
  it.each(wireNames.filter((client) => client !== 'openai-chat'))(
    'in a chunk with a choice is kept with its cached tokens, for a client on %s',
    async (client) => {
      const sse = `${data([chunk({ content: 'Hi' }), chunk({}, 'stop', { usage })])}data: [DONE]\n\n`;
      const { app } = await beforeFourVendors(({ events }) => events(sse));
      const { body } = wireClients[client];
      const answer = await sendTo(app, wireClients[client], 'gpt-4o', body('gpt-4o', { text: 'Hi' }), {
        streaming: true,
      });
      expect(answer.text).toMatch(/"(?:cached_tokens|cache_read_input_tokens|cachedContentTokenCount)":5\b/);
    },
  );

  it('in a chunk with a choice is kept with its cached tokens, on the native lane', async () => {
    const sse = `${data([chunk({ content: 'Hi' }), chunk({}, 'stop', { usage })])}data: [DONE]\n\n`;
    const { app } = await beforeFourVendors(({ events }) => events(sse));
    const { body } = wireClients['openai-chat'];
    const answer = await sendTo(app, wireClients['openai-chat'], 'gpt-4o', body('gpt-4o', { text: 'Hi' }), {
      streaming: true,
    });
    expect(answer.text).toBe(sse);
    const { rows } = await usageOf(app.url, answer.headers.get('x-request-id'));
    expect(rows).toMatchObject({
      prompt_tokens: 9,
      completion_tokens: 4,
      prompt_tokens_details: { cached_tokens: 5 },
    });
  });
});

async function usageOf(url: string, requestId: string | null) {
  const reply = await fetch(`${url}/v1/requests/${requestId}`, {
    headers: { authorization: `Bearer ${testKey}` },
  });
  return { rows: ((await reply.json()) as { usage: unknown }).usage };
}

describe.each(wireNames)('an empty stream after a 200, on the wire %s', (vendor) => {
  it.each(wireNames)('is an error for a client on %s, and no clean end', async (client) => {
    const { app } = await beforeFourVendors(({ events }) => events(''));
    const { body } = wireClients[client];
    const model = modelOn[vendor];
    const answer = await sendTo(app, wireClients[client], model, body(model, { text: 'Hi' }), {
      streaming: true,
    });
    expect(answer.status).toBe(502);
    expect(wireClients[client].message(JSON.parse(answer.text))).toMatch(/broke off|ended|no event/i);
  });
});
