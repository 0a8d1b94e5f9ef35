import { describe, expect, test } from 'vitest';
import {
  anthropicWire,
  countTokensAnswer,
  readCountTokens,
} from '../../../../../../src/gateway/wires/anthropic/client/read.ts';
import { wrapThinking } from '../../../../../../src/gateway/wires/envelope.ts';
import type { Part, SealedThinking } from '../../../../../../src/model/parts.ts';
import type { UnroutedCall } from '../../../../../../src/model/port.ts';
import { wireJson } from '../../../../../helpers/vendor-fixtures.ts';

const claudeCode = wireJson('anthropic/claude-code.request.json') as {
  [field: string]: unknown;
  tools: [{ input_schema: { type: 'object' } }];
  max_tokens: number;
  stream: boolean;
};

const plain = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] };
const read = (more: object = {}) => anthropicWire.read({ ...plain, ...more }).call;

describe('a request', () => {
  test('of Claude Code keeps everything that other vendors have', () => {
    const block = { type: 'thinking', thinking: 'I look.', signature: 'EqQBCgIYAhIM1gbc/+==' };
    const hidden = { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix' };
    const sealed = (value: SealedThinking['value']) =>
      ({ wire: 'anthropic', provider: null, model: null, value }) as const;
    expect(anthropicWire.read(claudeCode).call).toEqual({
      messages: [
        {
          role: 'system',
          content: [
            { type: 'text', text: 'You are Claude Code.' },
            { type: 'text', text: 'Work in /repo.' },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'What is in the picture?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', text: 'I look.', sealed: sealed(block) },
            { type: 'thinking', text: '', sealed: sealed(hidden) },
            { type: 'text', text: 'Let me look.' },
            { type: 'tool_call', id: 'toolu_01A', name: 'Read', arguments: '{"file_path":"/repo/a.png"}' },
            { type: 'tool_call', id: 'toolu_01B', name: 'Bash', arguments: '{}' },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool_result',
              callId: 'toolu_01B',
              content: [{ type: 'text', text: 'command not found' }],
              isError: true,
            },
            {
              type: 'tool_result',
              callId: 'toolu_01A',
              content: [
                { type: 'text', text: '1 image' },
                { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } },
              ],
            },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'text', text: '<system-reminder>Be careful.</system-reminder>' }],
        },
        { role: 'system', content: [{ type: 'text', text: 'The files have changed.' }] },
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'url', url: 'https://example.org/b.png' } },
            {
              type: 'document',
              source: { type: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' },
              title: 'Report',
            },
            { type: 'document', source: { type: 'text', text: 'Plain.' } },
            { type: 'text', text: 'And now?' },
          ],
        },
      ],
      temperature: 1,
      temperatureGiven: true,
      maxTokens: 32_000,
      tools: [
        {
          type: 'function',
          function: {
            name: 'Read',
            description: 'Reads a file.',
            parameters: claudeCode.tools[0].input_schema,
          },
        },
        { type: 'function', function: { name: 'Bash', parameters: { type: 'object' }, strict: true } },
      ],
      toolChoice: 'auto',
      parallelToolCalls: false,
      thinking: { effort: 'medium', shown: true },
      user: 'user_1f0_account__session_2b7',
    } satisfies UnroutedCall);
  });

  test('that leaves things out has nothing added', () => {
    expect(read()).toEqual({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      temperatureGiven: false,
      maxTokens: 100,
    });
  });

  test('has null for what is left out', () => {
    const fields = ['temperature', 'top_p', 'top_k', 'stop_sequences', 'system', 'tools', 'tool_choice'];
    const nulls = Object.fromEntries(
      [...fields, 'thinking', 'output_config', 'metadata'].map((name) => [name, null]),
    );
    expect(read(nulls)).toEqual(read());
  });

  test('has sampling and stop sequences', () => {
    const settings = { temperature: 0, top_p: 0.9, top_k: 0, stop_sequences: ['END'] };
    expect(read(settings)).toMatchObject({
      temperature: 0,
      temperatureGiven: true,
      topP: 0.9,
      topK: 0,
      stop: ['END'],
    });
    expect(read({ stop_sequences: [] })).toEqual(read());
  });

  test.each(['output_config', 'output_format'])('has the form of its answer in %s', (field) => {
    const format = { type: 'json_schema', schema: { type: 'object', properties: {} } };
    expect(read({ [field]: field === 'output_config' ? { format } : format }).responseFormat).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: format.schema, strict: true },
    });
  });

  test.each([
    [{ type: 'any' }, 'required', undefined],
    [{ type: 'none' }, 'none', undefined],
    [
      { type: 'tool', name: 'Read', disable_parallel_tool_use: true },
      { type: 'function', function: { name: 'Read' } },
      false,
    ],
  ])('has the choice %j', (tool_choice, toolChoice, parallelToolCalls) => {
    const call = read({ tools: claudeCode.tools, tool_choice });
    expect({ toolChoice: call.toolChoice, parallelToolCalls: call.parallelToolCalls }).toEqual({
      toolChoice,
      parallelToolCalls,
    });
  });
});

describe('thinking', () => {
  test.each([
    [{ thinking: { type: 'disabled' } }, { effort: 'none' }],
    [{ thinking: { type: 'adaptive' } }, {}],
    [{ thinking: { type: 'adaptive', display: 'omitted' } }, { shown: false }],
    [{ thinking: { type: 'between_tools' } }, { effort: 'minimal' }],
    [{ output_config: { effort: 'max' } }, { effort: 'max' }],
    [{ thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 1025 }, { budgetTokens: 1024 }],
  ])('%j', (more, expected) => {
    expect(read(more).thinking).toEqual(expected);
  });

  const answered = (block: object): Part | undefined => {
    const messages = [...plain.messages, { role: 'assistant', content: [block] }];
    return read({ messages }).messages[1]?.content[0];
  };

  test.each([
    ['Hm.', 'signature', { type: 'thinking', thinking: 'Hm.' }],
    ['', 'data', { type: 'redacted_thinking' }],
  ])('of another vendor comes out of its envelope: %j', (text, field, block) => {
    const sealed: SealedThinking = {
      wire: 'openai-responses',
      provider: 'openai',
      model: 'gpt-6',
      value: { type: 'reasoning', encrypted_content: 'gAAAA/+=' },
    };
    expect(answered({ ...block, [field]: wrapThinking(sealed) })).toEqual({ type: 'thinking', text, sealed });
  });

  test('without a signature is sealed by nobody', () => {
    expect(answered({ type: 'thinking', thinking: 'Hm.', signature: '' })).toEqual({
      type: 'thinking',
      text: 'Hm.',
      sealed: null,
    });
  });
});

describe('the attribution of Claude Code', () => {
  const header = 'x-anthropic-billing-header: cc_version=2.1; cch=00000;';

  test.each([
    [header, []],
    [`${header}\nBe brief.`, [{ type: 'text', text: 'Be brief.' }]],
    ['Be brief.', [{ type: 'text', text: 'Be brief.' }]],
    [[{ type: 'text', text: header }], []],
    [
      [
        { type: 'text', text: header },
        { type: 'text', text: 'Be brief.' },
      ],
      [{ type: 'text', text: 'Be brief.' }],
    ],
  ])('is left out of the instructions %j', (system, content) => {
    const { messages } = read({ system });
    expect(messages.slice(0, -1)).toEqual(content.length > 0 ? [{ role: 'system', content }] : []);
  });

  test('stands where a user says it', () => {
    expect(read({ messages: [{ role: 'user', content: header }] }).messages[0]?.content).toEqual([
      { type: 'text', text: header },
    ]);
  });
});

describe('turns', () => {
  const use = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: {} });
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id });
  const rolesOf = (messages: object[]) => read({ messages }).messages.map(({ role }) => role);

  test('messages of one role in a row belong together', () => {
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: 'I look.' },
      { role: 'assistant', content: [use('a'), use('b')] },
      { role: 'user', content: [result('b')] },
      { role: 'user', content: [result('a'), { type: 'text', text: 'Well?' }] },
    ];
    expect(rolesOf(messages)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(read({ messages }).messages[2]?.content).toMatchObject([{ callId: 'b' }, { callId: 'a' }]);
  });

  test('a system message never stands between calls and results', () => {
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [use('a')] },
      { role: 'system', content: 'Hurry.' },
      { role: 'user', content: [result('a')] },
    ];
    expect(rolesOf(messages)).toEqual(['user', 'assistant', 'tool', 'system']);
  });

  test('an id that comes again in a later turn is of another call', () => {
    const turn = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [use('call_0')] },
      { role: 'user', content: [result('call_0')] },
    ];
    expect(read({ messages: [...turn, ...turn] }).messages.flatMap(({ content }) => content)).toMatchObject([
      { text: 'Go.' },
      { id: 'call_0' },
      { callId: 'call_0' },
      { text: 'Go.' },
      { id: 'call_0_2' },
      { callId: 'call_0_2' },
    ]);
  });

  test('an id of another alphabet is the vendor’s own again', () => {
    const id = `toolu_sy1_${Buffer.from('functions.Bash:0').toString('base64url')}`;
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [use(id)] },
      { role: 'user', content: [result(id)] },
    ];
    expect(read({ messages }).messages.slice(1)).toMatchObject([
      { content: [{ id: 'functions.Bash:0' }] },
      { content: [{ callId: 'functions.Bash:0' }] },
    ]);
  });
});

describe('a bad request is refused by the path of what is wrong', () => {
  const user = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });
  const turn = (assistant: unknown, ...next: unknown[]) => ({
    messages: [{ role: 'user', content: 'Go.' }, { role: 'assistant', content: assistant }, ...next],
  });
  const use = { type: 'tool_use', id: 'a', name: 'Bash', input: {} };
  const tool = { name: 'Bash', input_schema: { type: 'object' } };
  const image = (source: object) => user({ type: 'image', source });

  test.each<[string, object]>([
    ['max_tokens', { max_tokens: undefined }],
    ['max_tokens', { max_tokens: 0 }],
    ['messages', { messages: undefined }],
    ['messages', { messages: [] }],
    ['messages[0]', { messages: ['Hi'] }],
    ['messages[0].role', { messages: [{ role: 'tool', content: 'Hi' }] }],
    ['messages[0].content', { messages: [{ role: 'user' }] }],
    ['messages[0].content[0]', user('Hi')],
    ['messages[0].content[0].type', user({ text: 'Hi' })],
    ['messages[0].content[0].type', user({ type: 'video' })],
    ['messages[0].content[1].text', user({ type: 'text', text: 'Hi' }, { type: 'text' })],
    ['messages[0].content[0].source', user({ type: 'image' })],
    ['messages[0].content[0].source.type', image({ type: 'path' })],
    [
      'messages[0].content[0].source.media_type',
      image({ type: 'base64', media_type: 'image/tiff', data: 'SUkq' }),
    ],
    ['messages[0].content[0].source.data', image({ type: 'base64', media_type: 'image/png', data: 'SUk' })],
    ['messages[0].content[0].source.data', image({ type: 'base64', media_type: 'image/png', data: 'SU*q' })],
    ['messages[0].content[0].source.url', image({ type: 'url', url: 'file:///etc/passwd' })],
    ['messages[0].content[0].source.file_id', image({ type: 'file' })],
    ['messages[0].content[0].tool_use_id', user({ type: 'tool_result', tool_use_id: 'a' })],
    ['messages[1].content[0].type', turn([{ type: 'image' }])],
    ['messages[1].content[0].input', turn([{ ...use, input: '{}' }])],
    ['messages[1].content[1].id', turn([use, use])],
    ['messages[1].content[0]', turn([use])],
    ['messages[1].content[0]', turn([use], { role: 'user', content: 'Well?' })],
    [
      'messages[2].content[0].tool_use_id',
      turn([use], { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b' }] }),
    ],
    [
      'messages[2].content[0].is_error',
      turn([use], { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', is_error: 'yes' }] }),
    ],
    [
      'messages[2].content[0].content[0].type',
      turn([use], { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [use] }] }),
    ],
    ['system', { system: 1 }],
    ['system[0].type', { system: [{ type: 'image' }] }],
    ['temperature', { temperature: 1.5 }],
    ['top_p', { top_p: '1' }],
    ['top_k', { top_k: -1 }],
    ['stop_sequences[1]', { stop_sequences: ['a', 1] }],
    ['tools[0].name', { tools: [{ ...tool, name: '' }] }],
    ['tools[0].input_schema', { tools: [{ name: 'Bash' }] }],
    ['tools[0].type', { tools: [{ type: 'bash_20250124', name: 'bash' }] }],
    ['tools[1].name', { tools: [tool, tool] }],
    ['tool_choice', { tool_choice: { type: 'any' } }],
    ['tool_choice.type', { tools: [tool], tool_choice: { type: 'required' } }],
    ['tool_choice.name', { tools: [tool], tool_choice: { type: 'tool', name: 'Read' } }],
    ['thinking.type', { thinking: { type: 'on' } }],
    ['thinking.budget_tokens', { thinking: { type: 'enabled' } }],
    ['thinking.budget_tokens', { thinking: { type: 'enabled', budget_tokens: 1023 } }],
    ['thinking.budget_tokens', { thinking: { type: 'enabled', budget_tokens: 2000 }, max_tokens: 2000 }],
    ['output_config.effort', { output_config: { effort: 'extreme' } }],
    ['output_config.format.type', { output_config: { format: { type: 'json' } } }],
    ['output_config.format.schema', { output_config: { format: { type: 'json_schema' } } }],
    ['metadata.user_id', { metadata: { user_id: 7 } }],
  ])('%s', (param, more) => {
    expect(() => read(more)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });
});

describe('counting tokens', () => {
  test('reads the same request without a maximum', () => {
    const { max_tokens, stream, ...body } = claudeCode;
    const { maxTokens, ...call } = anthropicWire.read(claudeCode).call;
    expect(readCountTokens(body)).toEqual(call);
  });

  test('answers with one number', () => {
    expect(countTokensAnswer(2095)).toEqual({ input_tokens: 2095 });
  });
});
