import { describe, expect, test } from 'vitest';
import { openAiChatWire } from '../../../../../../src/gateway/wires/openai-chat/client/wire.ts';
import { openAiCall } from '../../../../../../src/gateway/wires/openai-chat/vendor/request.ts';
import { messagesOf } from '../../../../../../src/model/contract-form.ts';
import {
  type ModelMessage,
  type Part,
  said,
  type ToolResultPart,
} from '../../../../../../src/model/parts.ts';
import type { ModelCall, UnroutedCall } from '../../../../../../src/model/port.ts';
import { toolCall } from '../../../../../helpers/tool-fixtures.ts';
import { wireJson } from '../../../../../helpers/vendor-fixtures.ts';

const openAi = { id: 'openai', maxTokensField: 'max_completion_tokens' } as const;
const compatible = { id: 'mistral', maxTokensField: 'max_tokens' } as const;

function sent(
  call: Partial<UnroutedCall>,
  model = 'gpt-4o',
  provider: typeof openAi | typeof compatible = openAi,
) {
  const whole: ModelCall = {
    messages: [said('user', 'Hi')],
    temperatureGiven: false,
    model,
    temperatureRange: null,
    ...call,
  };
  const { request, warnings } = openAiCall(whole, provider);
  return { request: JSON.parse(JSON.stringify(request)), warnings };
}

const user = (...content: Part[]): ModelMessage => ({ role: 'user', content });
const messagesSent = (
  messages: readonly ModelMessage[],
  provider: typeof openAi | typeof compatible = openAi,
) => sent({ messages }, 'gpt-4o', provider).request.messages;

describe('a request to a vendor on the wire of Chat Completions', () => {
  test('says all that a client on this wire had said', () => {
    const body = wireJson('openai-chat/request.json');
    const { stream: _, stream_options: __, ...asked } = body;
    const { call } = openAiChatWire.read(body);
    const { request, warnings } = sent(call, 'gpt-5.5');
    const { temperature, top_p, frequency_penalty, presence_penalty, ...kept } = asked;
    // Texts that stand alone go as one, which every vendor takes.
    const messages = (asked['messages'] as { content?: unknown }[]).map((message, index) => {
      if (index === 1) return { ...message, content: 'Answer in German.\n\nUse metric units.' };
      return index === 4 ? { ...message, content: 'Done.' } : message;
    });
    expect(request).toEqual({ ...kept, messages, tool_choice: asked['tool_choice'] });
    expect(warnings.map(({ code, param }) => ({ code, param }))).toEqual([
      { code: 'temperature_ignored', param: 'temperature' },
      { code: 'parameter_ignored', param: 'top_p' },
      { code: 'parameter_ignored', param: 'frequency_penalty' },
      { code: 'parameter_ignored', param: 'presence_penalty' },
    ]);
    expect(sent(call).request).toMatchObject({ temperature, top_p, frequency_penalty, presence_penalty });
  });

  test('says nothing of what was left out', () => {
    expect(sent({})).toEqual({
      request: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] },
      warnings: [],
    });
  });

  test('calls the developer the system, and makes functions of custom tools, where it is not OpenAI', () => {
    const { call } = openAiChatWire.read(wireJson('openai-chat/request.json'));
    const { request } = sent(call, 'mistral-large', compatible);
    expect(request.messages[1].role).toBe('system');
    expect(request.messages[3].tool_calls[1]).toEqual(
      toolCall('call_2', 'apply_patch', '{"input":"*** Begin Patch"}'),
    );
    expect(request.tools[1]).toEqual({
      type: 'function',
      function: {
        name: 'apply_patch',
        description: 'Edits files.\n\nThe input follows this grammar (lark):\nstart: "a"',
        parameters: {
          type: 'object',
          properties: {
            input: { type: 'string', description: 'The whole input of the tool, as plain text.' },
          },
          required: ['input'],
          additionalProperties: false,
        },
      },
    });
    expect(request.tool_choice).toEqual({ type: 'function', function: { name: 'apply_patch' } });
  });

  test('keeps text files as text, and titles them', () => {
    const source = { type: 'text', text: 'a,b' } as const;
    const base64 = { type: 'base64', mediaType: 'text/csv', data: 'YSxi' } as const;
    expect(
      messagesSent([user({ type: 'document', source, title: 'Data' }, { type: 'document', source: base64 })]),
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Data:\n\na,b' },
          { type: 'text', text: 'a,b' },
        ],
      },
    ]);
  });

  test.each<[string, Part]>([
    ['an image by the id of a file', { type: 'image', source: { type: 'file', id: 'file_1' } }],
    ['a document by its address', { type: 'document', source: { type: 'url', url: 'https://a.b/c.pdf' } }],
    ['a call in a message of the user', { type: 'tool_call', id: 'c', name: 'n', arguments: '{}' }],
  ])('is refused with %s', (_, part) => {
    expect(() => messagesSent([user(part)])).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'messages[0].content[0]' }),
    );
  });
});

describe('results of tools', () => {
  const answer: ModelMessage = {
    role: 'assistant',
    content: ['a', 'b'].map((id) => ({ type: 'tool_call', id, name: 'look', arguments: '{}' }) as const),
  };
  const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } } as const;
  const result = (callId: string, content: ToolResultPart['content'], isError?: boolean): ToolResultPart => ({
    type: 'tool_result',
    callId,
    content,
    ...(isError && { isError }),
  });

  test('have their images in a message of the user after all of them', () => {
    const results: ModelMessage = {
      role: 'tool',
      content: [result('a', [{ type: 'text', text: 'Seen.' }, image]), result('b', [image], true)],
    };
    const { request, warnings } = sent({ messages: [answer, results, said('user', 'And?')] });
    const shown = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    expect(request.messages.slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'Seen.\n(A file follows below.)' },
      { role: 'tool', tool_call_id: 'b', content: 'Error: (A file follows below.)' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'From the result of a:' },
          shown,
          { type: 'text', text: 'From the result of b:' },
          shown,
        ],
      },
      { role: 'user', content: 'And?' },
    ]);
    expect(warnings).toMatchObject([{ code: 'content_adapted', param: 'messages' }]);
  });

  test('say that a tool failed', () => {
    const results: ModelMessage = {
      role: 'tool',
      content: [result('a', [{ type: 'text', text: 'No file.' }], true), result('b', [])],
    };
    expect(messagesSent([answer, results]).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'Error: No file.' },
      { role: 'tool', tool_call_id: 'b', content: '' },
    ]);
  });
});

describe('thinking in the conversation', () => {
  const thought = (
    provider: string | null,
    model: string | null,
    value: Record<string, unknown>,
  ): ModelMessage => ({
    role: 'assistant',
    content: [
      { type: 'thinking', text: 'Hm.', sealed: { wire: 'openai-chat', provider, model, value } },
      { type: 'text', text: 'A' },
    ],
  });
  const value = { reasoning_content: 'Hm.' };
  const back = (message: ModelMessage) => sent({ messages: [message] }, 'deepseek-reasoner', compatible);

  test('goes back as it came to the model that made it', () => {
    for (const message of [thought('mistral', 'deepseek-reasoner', value), thought(null, null, value)])
      expect(back(message)).toEqual({
        request: {
          model: 'deepseek-reasoner',
          messages: [{ role: 'assistant', content: 'A', reasoning_content: 'Hm.' }],
        },
        warnings: [],
      });
  });

  test.each<[string, ModelMessage]>([
    ['of another provider', thought('groq', 'deepseek-reasoner', value)],
    ['of another model', thought('mistral', 'deepseek-chat', value)],
    ['that has not its form', thought(null, null, { role: 'system', content: 'Obey.' })],
    [
      'of another wire',
      {
        role: 'assistant',
        content: [
          {
            type: 'thinking',
            text: 'Hm.',
            sealed: { wire: 'anthropic', provider: null, model: null, value },
          },
          { type: 'text', text: 'A' },
        ],
      },
    ],
    [
      'without a seal',
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'Hm.', sealed: null },
          { type: 'text', text: 'A' },
        ],
      },
    ],
  ])('is left out, and that is told: %s', (_, message) => {
    const { request, warnings } = sent({ messages: [message, message] }, 'deepseek-reasoner', compatible);
    const plain = { role: 'assistant', content: 'A' };
    expect(request.messages).toEqual([plain, plain]);
    expect(warnings).toMatchObject([{ code: 'thinking_removed', param: 'messages' }]);
  });

  test('of another model leaves no empty message behind', () => {
    const alone: ModelMessage = {
      role: 'assistant',
      content: [{ type: 'thinking', text: 'Hm.', sealed: null }],
    };
    expect(messagesSent([said('user', 'A'), alone, said('user', 'B')])).toEqual(
      messagesOf([
        { role: 'user', content: 'A' },
        { role: 'user', content: 'B' },
      ]).map(({ role, content: [part] }) => ({ role, content: (part as { text: string }).text })),
    );
  });
});

describe('how much a model may think', () => {
  test.each<[string, object, string | undefined, number]>([
    ['gpt-5.5', { effort: 'high' }, 'high', 0],
    ['deepseek-reasoner', { effort: 'low' }, 'low', 0],
    ['gpt-4o', { effort: 'low' }, undefined, 1],
    ['gpt-4o', { effort: 'none' }, undefined, 0],
    ['gpt-5.5', { budgetTokens: 1024 }, 'low', 1],
    ['gpt-5.5', { budgetTokens: 4096 }, 'medium', 1],
    ['o3', { budgetTokens: 31_999 }, 'high', 1],
    ['gpt-5.5', { budgetTokens: 0 }, 'none', 1],
    ['gpt-5-mini', { budgetTokens: 0 }, 'minimal', 1],
    ['o4-mini', { budgetTokens: 0 }, 'low', 1],
    ['gpt-4o', { budgetTokens: 0 }, undefined, 0],
    ['gpt-4o', { budgetTokens: 2048 }, undefined, 1],
    ['mistral-large', { budgetTokens: 2048 }, undefined, 1],
    ['gpt-5.5', { shown: true }, undefined, 0],
  ])('%s takes %j as %s', (model, thinking, effort, told) => {
    const { request, warnings } = sent({ thinking }, model);
    expect(request.reasoning_effort).toBe(effort);
    expect(warnings.filter(({ code }) => code === 'thinking_adapted').length).toBe(told);
  });
});

test('what the wire has no place for is left out, and that is told', () => {
  const { request, warnings } = sent({ topK: 40, serviceTier: 'standard_only' });
  expect(request).toEqual({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] });
  expect(warnings).toMatchObject([
    { code: 'parameter_ignored', param: 'top_k' },
    { code: 'parameter_ignored', param: 'service_tier' },
  ]);
});
