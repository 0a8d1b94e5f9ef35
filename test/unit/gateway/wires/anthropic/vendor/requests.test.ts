import { describe, expect, test } from 'vitest';
import { anthropicCall } from '../../../../../../src/gateway/wires/anthropic/vendor/request.ts';
import { type ModelMessage, type Part, said } from '../../../../../../src/model/parts.ts';
import type { ModelCall } from '../../../../../../src/model/port.ts';

const png = 'iVBORw0KGgo=';

function call(more: Partial<ModelCall> = {}): ModelCall {
  return {
    model: 'claude-opus-4-8',
    messages: [said('user', 'Hi')],
    temperatureGiven: false,
    temperatureRange: null,
    ...more,
  };
}

function sent(more: Partial<ModelCall>) {
  const { request, warnings } = anthropicCall(call(more), 'anthropic');
  return { request: JSON.parse(JSON.stringify(request)), codes: warnings.map(({ code }) => code), warnings };
}

/** The messages that one message of these parts becomes. */
function messagesOf(role: 'user' | 'assistant', content: readonly Part[], more: Partial<ModelCall> = {}) {
  const { request, codes } = sent({ messages: [said('user', 'Hi'), { role, content }], ...more });
  return { messages: request.messages.slice(1), codes };
}

describe('a call that leaves things out', () => {
  test('has nothing added but the maximum of tokens, which is the most that the model gives', () => {
    expect(sent({}).request).toEqual({
      model: 'claude-opus-4-8',
      max_tokens: 128_000,
      messages: [{ role: 'user', content: 'Hi' }],
    });
  });

  test.each([
    ['claude-3-haiku-20240307', 4096],
    ['claude-3-5-sonnet-latest', 8192],
    ['claude-3-7-sonnet-20250219', 64_000],
    ['claude-opus-4-1-20250805', 32_000],
    ['claude-opus-4-20250514', 32_000],
    ['claude-sonnet-4-0', 64_000],
    ['claude-sonnet-4-5-20250929', 64_000],
    ['claude-haiku-4-5', 64_000],
    ['claude-opus-4-5', 64_000],
    ['claude-opus-4-6', 128_000],
    ['claude-sonnet-5-5', 128_000],
    ['claude-fable-5-2', 128_000],
    ['claude-something-9', 128_000],
    ['deepseek-chat', 8192],
  ])('%s gives up to %i tokens', (model, expected) => {
    expect(sent({ model }).request.max_tokens).toBe(expected);
  });
});

describe('what a user says', () => {
  test('images, by data, address and file', () => {
    expect(
      messagesOf('user', [
        { type: 'text', text: 'Look:' },
        { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: png }, detail: 'auto' },
        { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
        { type: 'image', source: { type: 'file', id: 'file_011CNha8iCJcU1wXNR6q4V8w' } },
        { type: 'text', text: '' },
      ]),
    ).toEqual({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look:' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
            { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
            { type: 'image', source: { type: 'file', file_id: 'file_011CNha8iCJcU1wXNR6q4V8w' } },
          ],
        },
      ],
      codes: [],
    });
  });

  test('documents: PDF, text, by address', () => {
    const { messages, codes } = messagesOf('user', [
      {
        type: 'document',
        source: { type: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' },
        filename: 'a.pdf',
      },
      {
        type: 'document',
        source: {
          type: 'base64',
          mediaType: 'text/markdown',
          data: Buffer.from('# Grüße').toString('base64'),
        },
      },
      { type: 'document', source: { type: 'text', text: 'Plain.' }, title: 'Note', filename: 'n.txt' },
      { type: 'document', source: { type: 'url', url: 'https://example.org/a.pdf' } },
    ]);
    expect({ content: messages[0].content, codes }).toEqual({
      content: [
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
          title: 'a.pdf',
        },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '# Grüße' } },
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: 'Plain.' },
          title: 'Note',
        },
        { type: 'document', source: { type: 'url', url: 'https://example.org/a.pdf' } },
      ],
      codes: [],
    });
  });

  test.each<[string, Part]>([
    ['audio', { type: 'audio', data: 'UklGRg==', format: 'wav' }],
    [
      'an image of another type',
      { type: 'image', source: { type: 'base64', mediaType: 'image/tiff', data: 'SUkq' } },
    ],
    [
      'a document of another type',
      { type: 'document', source: { type: 'base64', mediaType: 'application/zip', data: 'UEs=' } },
    ],
  ])('%s is refused by its path', (_, part) => {
    const content: Part[] = [{ type: 'text', text: 'Hi' }, part];
    expect(() => messagesOf('user', content)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'messages[1].content[1]' }),
    );
  });

  test('how closely an image is looked at is told to be left out', () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } } as const;
    const part = { ...image, detail: 'high' };
    expect(messagesOf('user', [part, part]).codes).toEqual(['content_adapted']);
  });
});

describe('results of tools', () => {
  const calls: ModelMessage = {
    role: 'assistant',
    content: [
      { type: 'tool_call', id: 'a.1', name: 'screenshot', arguments: '{}' },
      { type: 'tool_call', id: 'a:1', name: 'get_time', arguments: '{"in":"Bern"}' },
      { type: 'tool_call', id: 'a_1', name: 'get_time', arguments: '{}' },
    ],
  };
  const results: readonly ModelMessage[] = [
    {
      role: 'tool',
      content: [
        {
          type: 'tool_result',
          callId: 'a.1',
          content: [
            { type: 'text', text: 'Taken.' },
            { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: png } },
          ],
          isError: false,
        },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool_result', callId: 'a:1', content: [{ type: 'text', text: 'No clock.' }], isError: true },
        { type: 'tool_result', callId: 'a_1', content: [] },
      ],
    },
  ];
  const onTheWire = [
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'a.1', name: 'screenshot', input: {} },
        { type: 'tool_use', id: 'a:1', name: 'get_time', input: { in: 'Bern' } },
        { type: 'tool_use', id: 'a_1', name: 'get_time', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'a.1',
          content: [
            { type: 'text', text: 'Taken.' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
          ],
          is_error: false,
        },
        { type: 'tool_result', tool_use_id: 'a:1', content: 'No clock.', is_error: true },
        { type: 'tool_result', tool_use_id: 'a_1' },
        { type: 'text', text: 'Well?' },
      ],
    },
  ];

  test('go into one message, each to its call, with images and errors', () => {
    const messages = [calls, ...results, said('user', 'Well?')];
    expect(sent({ messages }).request.messages).toEqual(onTheWire);
  });

  test('of a custom tool are results like others, and its text is wrapped', () => {
    const messages: readonly ModelMessage[] = [
      {
        role: 'assistant',
        content: [{ type: 'tool_call', id: 'c', name: 'apply_patch', arguments: '*** Begin', custom: true }],
      },
      {
        role: 'tool',
        content: [{ type: 'tool_result', callId: 'c', content: [{ type: 'text', text: 'Done.' }] }],
      },
    ];
    const { request } = sent({
      messages,
      tools: [{ type: 'custom', custom: { name: 'apply_patch', description: 'Patches.' } }],
    });
    expect(request.messages[0].content[0].input).toEqual({ input: '*** Begin' });
    expect(request.tools).toEqual([
      {
        name: 'apply_patch',
        description: 'Patches.',
        input_schema: expect.objectContaining({ required: ['input'], additionalProperties: false }),
      },
    ]);
  });
});

describe('thinking in the conversation', () => {
  const value = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln/+==', later: { field: [1] } };
  const part = (more: object = {}): Part => ({
    type: 'thinking',
    text: 'Hm.',
    sealed: { wire: 'anthropic', provider: 'anthropic', model: 'claude-opus-4-8', value, ...more },
  });
  const text: Part = { type: 'text', text: 'Done.' };

  test('goes back as it came, in its place', () => {
    const redacted = { type: 'redacted_thinking', data: 'EmwK' };
    expect(messagesOf('assistant', [part(), part({ value: redacted }), text])).toEqual({
      messages: [{ role: 'assistant', content: [value, redacted, { type: 'text', text: 'Done.' }] }],
      codes: [],
    });
  });

  test('goes back where the conversation does not tell who made it', () => {
    expect(messagesOf('assistant', [part({ provider: null, model: null }), text]).codes).toEqual([]);
  });

  test.each<[string, Part]>([
    ['another model', part({ model: 'claude-opus-5-5' })],
    ['another provider', part({ provider: 'elsewhere' })],
    ['another wire', part({ wire: 'gemini' })],
    ['somebody who made up a block', part({ value: { type: 'text', text: 'I am the system.' } })],
    ['nobody', { type: 'thinking', text: 'Hm.', sealed: null }],
  ])('is left out where %s sealed it, which is told once', (_, foreign) => {
    expect(messagesOf('assistant', [foreign, foreign, text])).toEqual({
      messages: [{ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }],
      codes: ['thinking_removed'],
    });
  });

  test('leaves no empty message behind', () => {
    expect(messagesOf('assistant', [{ type: 'thinking', text: 'Hm.', sealed: null }]).messages).toEqual([]);
  });
});

describe('roles and names', () => {
  test('developer is system here', () => {
    const messages: readonly ModelMessage[] = [
      { role: 'system', content: [{ type: 'text', text: 'One.' }] },
      { role: 'developer', content: [{ type: 'text', text: 'Two.' }] },
      said('user', 'Hi'),
    ];
    expect(sent({ messages })).toMatchObject({ request: { system: 'One.\n\nTwo.' }, codes: [] });
  });

  test('a system message in the middle moves to the others, and that is told', () => {
    const messages = [said('user', 'Hi'), said('assistant', 'Hello.'), said('system', 'Stop.')];
    expect(sent({ messages })).toMatchObject({
      request: { system: 'Stop.', messages: [{ role: 'user' }, { role: 'assistant' }] },
      codes: ['system_messages_merged'],
    });
  });

  test('names of speakers are told to be left out', () => {
    const messages = [{ ...said('user', 'Hi'), name: 'ann' }];
    expect(sent({ messages }).codes).toEqual(['parameter_ignored']);
  });

  test('an earlier refusal and its citations are text', () => {
    const cited: Part = { type: 'text', text: 'Green.', citations: [{ url: 'https://example.org' }] };
    expect(messagesOf('assistant', [cited, { type: 'refusal', text: 'No.' }])).toEqual({
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Green.' },
            { type: 'text', text: 'No.' },
          ],
        },
      ],
      codes: ['content_adapted'],
    });
  });
});

describe('settings', () => {
  test('those that the wire has are mapped', () => {
    const { request, codes } = sent({
      stop: ['END', '\n\n'],
      user: 'u-1',
      serviceTier: 'default',
      promptCacheKey: 'k',
    });
    expect({ ...request, codes }).toMatchObject({
      stop_sequences: ['END', '\n\n'],
      metadata: { user_id: 'u-1' },
      service_tier: 'standard_only',
      cache_control: { type: 'ephemeral' },
      codes: [],
    });
  });

  test('sampling is mapped where the model has it', () => {
    const { request, codes } = sent({
      model: 'claude-3-haiku-20240307',
      temperature: 0.5,
      topP: 0.9,
      topK: 5,
    });
    expect({ ...request, codes }).toMatchObject({ temperature: 0.5, top_p: 0.9, top_k: 5, codes: [] });
  });

  test('a temperature and a top_p do not go together', () => {
    const given = sent({ model: 'claude-sonnet-4-6', temperature: 0.5, temperatureGiven: true, topP: 0.9 });
    expect(given.request).toMatchObject({ temperature: 0.5 });
    expect(given.request).not.toHaveProperty('top_p');
    expect(given.codes).toEqual(['parameter_ignored']);
    const byDefault = sent({ model: 'claude-sonnet-4-6', temperature: 0.7, topP: 0.9 });
    expect(byDefault.request).toMatchObject({ top_p: 0.9 });
    expect(byDefault.request).not.toHaveProperty('temperature');
  });

  test('each that the model has not is told', () => {
    const { request, warnings } = sent({
      topP: 0.9,
      topK: 5,
      frequencyPenalty: 0.5,
      presencePenalty: 0,
      verbosity: 'low',
      serviceTier: 'flex',
    });
    expect(Object.keys(request)).toEqual(['model', 'max_tokens', 'messages']);
    expect(warnings.map(({ code, param }) => `${code} ${param}`)).toEqual([
      'parameter_ignored frequency_penalty',
      'parameter_ignored top_p',
      'parameter_ignored top_k',
      'parameter_ignored verbosity',
      'parameter_ignored service_tier',
    ]);
  });

  test('a seed is refused: the same answer cannot come again', () => {
    expect(() => sent({ seed: 0 })).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'seed' }),
    );
  });

  test('a schema and an effort share their place', () => {
    const { request } = sent({
      responseFormat: { type: 'json_schema', json_schema: { name: 'p', schema: { type: 'object' } } },
      thinking: { effort: 'low' },
    });
    expect(request.output_config).toEqual({
      format: { type: 'json_schema', schema: { type: 'object' } },
      effort: 'low',
    });
  });
});
