import { describe, expect, test } from 'vitest';
import { wrapThinking } from '../../../../../../src/gateway/wires/envelope.ts';
import { openAiChatWire } from '../../../../../../src/gateway/wires/openai-chat/client/wire.ts';
import { said } from '../../../../../../src/model/parts.ts';
import { wireJson } from '../../../../../helpers/vendor-fixtures.ts';
import { errorOf } from '../../../../../helpers/vendor-gateway.ts';

const read = (body: object) =>
  openAiChatWire.read({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...body }).call;
const conversation = (...messages: object[]) => read({ messages }).messages;
const refusal = (body: object) => errorOf((async () => read(body))());

const call = (id: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name: 'add', arguments: '{"a":1}' },
  ...more,
});
const result = (id: string, content: unknown = '1') => ({ role: 'tool', tool_call_id: id, content });

describe('a request to Chat Completions', () => {
  test('is read with all that it has', () => {
    expect(openAiChatWire.read(wireJson('openai-chat/request.json')).call).toEqual({
      messages: [
        said('system', 'Be brief.'),
        {
          role: 'developer',
          name: 'house',
          content: [
            { type: 'text', text: 'Answer in German.' },
            { type: 'text', text: 'Use metric units.' },
          ],
        },
        {
          role: 'user',
          name: 'alice',
          content: [
            { type: 'text', text: 'What is this?' },
            {
              type: 'image',
              source: { type: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
              detail: 'low',
            },
            { type: 'image', source: { type: 'url', url: 'https://example.com/cat.jpg' } },
            {
              type: 'document',
              source: { type: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' },
              filename: 'report.pdf',
            },
            { type: 'document', source: { type: 'file', id: 'file-6F2ksmvXxt4VdoqmHRw6kL' } },
            { type: 'audio', data: 'UklGRg==', format: 'wav' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: '{"location":"Bern"}' },
            {
              type: 'tool_call',
              id: 'call_2',
              name: 'apply_patch',
              arguments: '*** Begin Patch',
              custom: true,
            },
          ],
        },
        {
          role: 'tool',
          content: [{ type: 'tool_result', callId: 'call_2', content: [{ type: 'text', text: 'Done.' }] }],
        },
        {
          role: 'tool',
          content: [{ type: 'tool_result', callId: 'call_1', content: [{ type: 'text', text: '7 °C' }] }],
        },
        { role: 'assistant', content: [{ type: 'refusal', text: 'I cannot say more.' }] },
        said('user', 'Go on.'),
      ],
      tools: wireJson('openai-chat/request.json')['tools'],
      toolChoice: { type: 'function', function: { name: 'apply_patch' } },
      parallelToolCalls: false,
      maxTokens: 500,
      temperature: 0.3,
      temperatureGiven: true,
      topP: 0.9,
      stop: ['END', 'FIN'],
      seed: 7,
      frequencyPenalty: 0.5,
      presencePenalty: -0.5,
      thinking: { effort: 'low' },
      verbosity: 'low',
      user: 'user-1',
      promptCacheKey: 'chat-1',
      serviceTier: 'flex',
      responseFormat: wireJson('openai-chat/request.json')['response_format'],
    });
  });

  test('gets nothing that it has not', () => {
    expect(read({})).toEqual({ messages: [said('user', 'Hi')], temperatureGiven: false });
    const nulls = { temperature: null, stop: null, tools: null, tool_choice: null, response_format: null };
    expect(read({ ...nulls, max_tokens: null, user: null, stream_options: null })).toEqual(read({}));
    const idle = { tools: [], tool_choice: 'auto', parallel_tool_calls: true };
    expect(read({ ...idle, response_format: { type: 'text' } })).toEqual(read({}));
  });

  test('takes the older name of the cap, and one text to stop at', () => {
    expect(read({ max_tokens: 5, stop: 'END' })).toMatchObject({ maxTokens: 5, stop: ['END'] });
    expect(read({ max_tokens: 5, max_completion_tokens: 6 }).maxTokens).toBe(6);
  });

  test('has the safety identifier as its user', () => {
    expect(read({ user: 'a', safety_identifier: 'b' }).user).toBe('b');
  });
});

describe('a conversation', () => {
  test('may count its calls again in each turn', () => {
    const turn = [{ role: 'assistant', tool_calls: [call('call_0')] }, result('call_0')];
    const ids = conversation({ role: 'user', content: 'Hi' }, ...turn, ...turn, ...turn)
      .flatMap(({ content }) => content)
      .flatMap((part) =>
        part.type === 'tool_call' ? [part.id] : part.type === 'tool_result' ? [part.callId] : [],
      );
    expect(ids).toEqual(['call_0', 'call_0', 'call_0_2', 'call_0_2', 'call_0_3', 'call_0_3']);
  });

  test('has images in results of tools', () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    expect(conversation({ role: 'assistant', tool_calls: [call('c')] }, result('c', [image]))[1]).toEqual({
      role: 'tool',
      content: [
        {
          type: 'tool_result',
          callId: 'c',
          content: [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }],
        },
      ],
    });
  });

  test('has the thinking of vendors that show it', () => {
    const answer = { role: 'assistant', content: 'A', reasoning_content: 'Hm.' };
    expect(conversation(answer)).toEqual([
      {
        role: 'assistant',
        content: [
          {
            type: 'thinking',
            text: 'Hm.',
            sealed: {
              wire: 'openai-chat',
              provider: null,
              model: null,
              value: { reasoning_content: 'Hm.' },
            },
          },
          { type: 'text', text: 'A' },
        ],
      },
    ]);
  });

  test('brings sealed thinking back that came with a call, and what was there beside it', () => {
    const sealed = {
      wire: 'anthropic',
      provider: 'anthropic',
      model: 'claude-sonnet-4-6',
      value: { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
    } as const;
    const google = { thought_signature: 'c2ln' };
    const extra_content = { google, switchyard: { thinking: [wrapThinking(sealed), 'made up'] } };
    const answer = { role: 'assistant', content: 'A', reasoning_content: 'Hm.' };
    const [message] = conversation({ ...answer, tool_calls: [call('c', { extra_content })] }, result('c'));
    expect(message?.content).toEqual([
      { type: 'thinking', text: '', sealed },
      { type: 'text', text: 'A' },
      { type: 'tool_call', id: 'c', name: 'add', arguments: '{"a":1}', extraContent: { google } },
    ]);
  });

  test.each<[object[], string, string]>([
    [[], 'messages', 'must hold a message'],
    [['Hi' as never], 'messages[0]', 'must be an object'],
    [[{ role: 'function', content: 'x' }], 'messages[0].role', 'must be system'],
    [[{ role: 'user' }], 'messages[0].content', 'must be a text or a list of parts'],
    [[{ role: 'user', content: [] }], 'messages[0].content', 'must not be empty'],
    [
      [{ role: 'user', content: [{ type: 'text', text: 'x' }, { type: 'video' }] }],
      'messages[0].content[1].type',
      'must be text, image_url',
    ],
    [
      [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://a.b/c' } }] }],
      'messages[0].content[0].type',
      'must be text in instructions',
    ],
    [
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,a%b' } }] }],
      'messages[0].content[0].image_url.url',
      'must hold valid base64',
    ],
    [
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }] }],
      'messages[0].content[0].image_url.url',
      'must be an http, https or data URL',
    ],
    [
      [{ role: 'user', content: [{ type: 'file', file: { filename: 'a.pdf' } }] }],
      'messages[0].content[0].file',
      'must have file_data or a file_id',
    ],
    [[{ role: 'user', content: 'x' }, result('c')], 'messages[1].tool_call_id', 'must name a call'],
    [
      [{ role: 'assistant', tool_calls: [call('c')] }, result('c'), result('c')],
      'messages[2].tool_call_id',
      'must name a call',
    ],
    [
      [
        { role: 'assistant', tool_calls: [call('c')] },
        { role: 'user', content: 'x' },
      ],
      'messages[1]',
      'must be a tool message that answers the call "c"',
    ],
    [
      [{ role: 'assistant', tool_calls: [call('c'), call('d')] }, result('d')],
      'messages[2]',
      'answers the call "c"',
    ],
    [[{ role: 'assistant', tool_calls: [call('c'), call('c')] }], 'messages[0].tool_calls[1].id', 'repeats'],
    [
      [{ role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: {} }] }],
      'messages[0].tool_calls[0].function.name',
      'must be a text',
    ],
  ])('is refused by its path: %j', async (messages, param, why) => {
    const error = await refusal({ messages });
    expect(error).toMatchObject({ code: 'invalid_request', param });
    expect(error.message).toContain(param);
    expect(error.message).toContain(why);
  });
});

describe('options are refused by their path', () => {
  const tool = (name: string) => ({ type: 'function', function: { name } });
  test.each<[object, string]>([
    [{ temperature: 3 }, 'temperature'],
    [{ temperature: '1' }, 'temperature'],
    [{ top_p: -1 }, 'top_p'],
    [{ max_completion_tokens: 0 }, 'max_completion_tokens'],
    [{ max_tokens: 1.5 }, 'max_tokens'],
    [{ stop: [1] }, 'stop[0]'],
    [{ seed: 'x' }, 'seed'],
    [{ user: 1 }, 'user'],
    [{ reasoning_effort: 1 }, 'reasoning_effort'],
    [{ response_format: { type: 'xml' } }, 'response_format.type'],
    [{ response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
    [
      { response_format: { type: 'json_schema', json_schema: { schema: {} } } },
      'response_format.json_schema.name',
    ],
    [{ tools: {} }, 'tools'],
    [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    [{ tools: [tool('a'), tool('a')] }, 'tools[1].function.name'],
    [{ tools: [{ type: 'custom', custom: {} }] }, 'tools[0].custom.name'],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ tools: [tool('a')], tool_choice: tool('b') }, 'tool_choice.function.name'],
    [{ tools: [tool('a')], tool_choice: { type: 'allowed_tools' } }, 'tool_choice.type'],
    [{ stream_options: { include_usage: 1 } }, 'stream_options.include_usage'],
  ])('%j', async (body, param) => {
    expect(await refusal(body)).toMatchObject({ code: 'invalid_request', param });
  });
});
