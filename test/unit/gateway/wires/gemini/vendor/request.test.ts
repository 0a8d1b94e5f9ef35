import { describe, expect, test } from 'vitest';
import { geminiCall, nativeBase, pathOf } from '../../../../../../src/gateway/wires/gemini/vendor/request.ts';
import { type ModelMessage, said, type ThinkingPart } from '../../../../../../src/model/parts.ts';
import type { ModelCall } from '../../../../../../src/model/port.ts';
import { errorBy } from '../../../../../helpers/vendor-fixtures.ts';

const asked = { provider: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta' };
const hi = [said('user', 'Hi')];
const hiContents = [{ role: 'user', parts: [{ text: 'Hi' }] }];

function modelCall(model: string, more: Partial<ModelCall> = {}): ModelCall {
  return { model, messages: hi, temperatureGiven: false, temperatureRange: null, ...more };
}

function sent(model: string, more: Partial<ModelCall> = {}) {
  return geminiCall(modelCall(model, more), asked).request;
}

function codes(model: string, more: Partial<ModelCall> = {}) {
  return geminiCall(modelCall(model, more), asked).warnings.map(({ code, param }) => `${code} ${param}`);
}

function contents(model: string, messages: readonly ModelMessage[]) {
  return sent(model, { messages }).contents;
}

const call = (id: string, name: string, args: string, more = {}) =>
  ({ type: 'tool_call', id, name, arguments: args, ...more }) as const;
const result = (callId: string, text: string, more = {}) =>
  ({ type: 'tool_result', callId, content: [{ type: 'text', text }], ...more }) as const;

describe('the body sent on the Gemini wire', () => {
  test('has nothing that the client left out', () => {
    expect(geminiCall(modelCall('gemini-2.5-flash'), asked)).toEqual({
      request: { contents: hiContents },
      warnings: [],
    });
  });

  test('has every setting of the call under its name', () => {
    const settings = {
      temperature: 0.3,
      topP: 0.9,
      topK: 40,
      maxTokens: 100,
      stop: ['END'],
      seed: 7,
      frequencyPenalty: 0.1,
      presencePenalty: -0.1,
      serviceTier: 'flex',
    };
    expect(sent('gemini-2.5-flash', settings)).toEqual({
      contents: hiContents,
      generationConfig: {
        temperature: 0.3,
        topP: 0.9,
        topK: 40,
        maxOutputTokens: 100,
        stopSequences: ['END'],
        seed: 7,
        frequencyPenalty: 0.1,
        presencePenalty: -0.1,
      },
      serviceTier: 'flex',
    });
  });

  test('says what it has no place for', () => {
    const more = {
      verbosity: 'low',
      user: 'u1',
      promptCacheKey: 'k',
      serviceTier: 'scale',
      parallelToolCalls: false,
    };
    const tools = [{ type: 'function', function: { name: 'f' } }] as const;
    expect(codes('gemini-2.5-flash', { ...more, tools })).toEqual([
      'parameter_ignored service_tier',
      'parameter_ignored verbosity',
      'parameter_ignored user',
      'parameter_ignored prompt_cache_key',
      'parameter_ignored parallel_tool_calls',
    ]);
  });

  test('has system messages apart, also those of the application and those further down', () => {
    const messages = [said('system', 'Be brief.'), said('user', 'Hi'), said('developer', 'Be kind.')];
    expect(sent('gemini-2.5-flash', { messages })).toEqual({
      contents: hiContents,
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
    });
    expect(codes('gemini-2.5-flash', { messages })).toEqual(['system_messages_merged messages']);
  });

  test('has pictures, documents and sound in their parts', () => {
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          {
            type: 'image',
            source: { type: 'base64', mediaType: 'image/png', data: 'iVBORw==' },
            detail: 'high',
          },
          { type: 'image', source: { type: 'url', url: 'https://example.org/a.JPG?x=1' } },
          { type: 'document', source: { type: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' } },
          { type: 'document', source: { type: 'text', text: 'Plain' }, filename: 'a.txt' },
          { type: 'document', source: { type: 'file', id: 'files/abc-1' } },
          { type: 'audio', data: 'SUQz', format: 'mp3' },
        ],
      },
    ];
    expect(sent('gemini-2.5-flash', { messages })).toEqual({
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'Look' },
            { inlineData: { mimeType: 'image/png', data: 'iVBORw==' } },
            { fileData: { fileUri: 'https://example.org/a.JPG?x=1', mimeType: 'image/jpeg' } },
            { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
            { text: 'Plain' },
            { fileData: { fileUri: `${asked.baseUrl}/files/abc-1` } },
            { inlineData: { mimeType: 'audio/mp3', data: 'SUQz' } },
          ],
        },
      ],
      generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_HIGH' },
    });
    expect(codes('gemini-2.5-flash', { messages })).toEqual(['content_adapted messages']);
  });

  test('puts the results of parallel calls into one message, by the names of their calls', () => {
    const messages: ModelMessage[] = [
      said('user', 'Go'),
      {
        role: 'assistant',
        content: [call('a', 'look', '{"at":1}'), call('b', 'look', '{}'), call('c', 'wait', '')].slice(0, 2),
      },
      { role: 'tool', content: [result('b', '{"seen":"x"}')] },
      { role: 'tool', content: [result('a', 'broke', { isError: true })] },
      said('user', 'And?'),
    ];
    expect(contents('gemini-2.5-flash', messages)).toEqual([
      { role: 'user', parts: [{ text: 'Go' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'a', name: 'look', args: { at: 1 } } },
          { functionCall: { id: 'b', name: 'look', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'b', name: 'look', response: { seen: 'x' } } },
          { functionResponse: { id: 'a', name: 'look', response: { error: 'broke' } } },
        ],
      },
      { role: 'user', parts: [{ text: 'And?' }] },
    ]);
  });

  const picture = {
    type: 'image',
    source: { type: 'base64', mediaType: 'image/png', data: 'iVBORw==' },
  } as const;
  const withPicture: ModelMessage[] = [
    said('user', 'Go'),
    { role: 'assistant', content: [call('a', 'shoot', '{}')] },
    {
      role: 'tool',
      content: [{ type: 'tool_result', callId: 'a', content: [{ type: 'text', text: 'ok' }, picture] }],
    },
  ];

  test('keeps pictures in results where the model sees them there, else right behind', () => {
    const data = { inlineData: { mimeType: 'image/png', data: 'iVBORw==' } };
    const response = { id: 'a', name: 'shoot', response: { output: 'ok' } };
    expect(contents('gemini-3-flash-preview', withPicture)[2]?.parts).toEqual([
      { functionResponse: { ...response, parts: [data] } },
    ]);
    expect(contents('gemini-2.5-flash', withPicture)[2]?.parts).toEqual([
      { functionResponse: response },
      { text: 'Of the result of the call a:' },
      data,
    ]);
    expect(codes('gemini-2.5-flash', { messages: withPicture })).toEqual(['content_adapted messages']);
    expect(codes('gemini-3-flash-preview', { messages: withPicture })).toEqual([]);
  });
});

describe('signatures on the Gemini wire', () => {
  const model = 'gemini-3-flash-preview';
  const sealed = (value: object, more: object = {}): ThinkingPart => ({
    type: 'thinking',
    text: '',
    sealed: { wire: 'gemini', provider: 'gemini', model, value: { ...value }, ...more },
  });
  const answered = (content: ModelMessage['content']): ModelMessage[] => [
    said('user', 'Hi'),
    { role: 'assistant', content },
  ];

  test('go back on the call that they came with, from either place', () => {
    const extraContent = { google: { thought_signature: 'Sig==' } };
    const marker = sealed({ functionCall: { name: 'f' }, thoughtSignature: 'Sig==' });
    const part = { functionCall: { id: 'a', name: 'f', args: {} }, thoughtSignature: 'Sig==' };
    for (const content of [
      [call('a', 'f', '{}', { extraContent })],
      [marker, call('a', 'f', '{}')],
      [marker, call('a', 'f', '{}', { extraContent })],
    ])
      expect(contents(model, answered(content))[1]?.parts).toEqual([part]);
  });

  test('go back on the text that they came with, also where texts were joined', () => {
    const part = { text: 'world', thoughtSignature: 'Sig' };
    const content = [{ type: 'text', text: 'Hello, world' } as const, sealed(part)];
    expect(contents(model, answered(content))[1]?.parts).toEqual([{ text: 'Hello, ' }, part]);
    expect(codes(model, { messages: answered(content) })).toEqual([]);
  });

  test('of an empty part or a thought go back as that part', () => {
    const last = { text: '', thoughtSignature: 'Sig' };
    const thought = { text: 'Hm', thought: true, thoughtSignature: 'Sig2' };
    const content = [sealed(thought), { type: 'text', text: 'So' } as const, sealed(last)];
    expect(contents(model, answered(content))[1]?.parts).toEqual([thought, { text: 'So' }, last]);
  });

  test.each([
    ['another wire', { wire: 'anthropic' as const }],
    ['another provider', { provider: 'vertex' }],
    ['another model', { model: 'gemini-2.5-pro' }],
  ])('of %s are left out, and it is said', (_, more) => {
    const messages = answered([
      sealed({ text: '', thoughtSignature: 'Sig' }, more),
      { type: 'text', text: 'So' },
    ]);
    expect(contents(model, messages)[1]?.parts).toEqual([{ text: 'So' }]);
    expect(codes(model, { messages })).toEqual(['thinking_removed messages']);
  });

  test('of a text that was changed are left out, and it is said', () => {
    const messages = answered([
      { type: 'text', text: 'Other' },
      sealed({ text: 'world', thoughtSignature: 'Sig' }),
    ]);
    expect(contents(model, messages)[1]?.parts).toEqual([{ text: 'Other' }]);
    expect(codes(model, { messages })).toEqual(['thinking_removed messages']);
  });

  test('are stood in for where another model made the call and this one wants to see one', () => {
    const messages = answered([call('a', 'f', '{}'), call('b', 'f', '{}')]);
    const signature = 'skip_thought_signature_validator';
    expect(contents(model, messages)[1]?.parts?.map((part) => part.thoughtSignature)).toEqual([
      signature,
      undefined,
    ]);
    expect(contents('gemini-2.5-flash', messages)[1]?.parts?.map((part) => part.thoughtSignature)).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('thinking on the Gemini wire', () => {
  test.each([
    [
      'gemini-3-flash-preview',
      { effort: 'low', shown: true },
      { includeThoughts: true, thinkingLevel: 'LOW' },
      [],
    ],
    ['gemini-3-flash-preview', { effort: 'none' }, { thinkingLevel: 'MINIMAL' }, ['thinking_adapted']],
    ['gemini-3-pro-preview', { effort: 'medium' }, { thinkingLevel: 'HIGH' }, ['thinking_adapted']],
    ['gemini-3.1-pro-preview', { effort: 'medium' }, { thinkingLevel: 'MEDIUM' }, []],
    ['gemini-3.1-pro-preview', { effort: 'minimal' }, { thinkingLevel: 'LOW' }, ['thinking_adapted']],
    ['gemini-flash-latest', { effort: 'high' }, { thinkingLevel: 'HIGH' }, []],
    ['gemini-3-flash-preview', { effort: 'max' }, { thinkingLevel: 'HIGH' }, ['thinking_adapted']],
    ['gemini-3-flash-preview', { budgetTokens: 2000 }, { thinkingBudget: 2000 }, []],
    ['gemini-3-flash-preview', { budgetTokens: 0 }, { thinkingLevel: 'MINIMAL' }, ['thinking_adapted']],
    [
      'gemini-3-flash-preview',
      { effort: 'low', budgetTokens: 9 },
      { thinkingLevel: 'LOW' },
      ['thinking_adapted'],
    ],
    ['gemini-2.5-flash', { effort: 'none' }, { thinkingBudget: 0 }, []],
    ['gemini-2.5-flash', { effort: 'medium' }, { thinkingBudget: 8192 }, []],
    ['gemini-2.5-flash', { effort: 'max' }, { thinkingBudget: 24_576 }, []],
    ['gemini-2.5-pro', { effort: 'none' }, { thinkingBudget: 128 }, ['thinking_adapted']],
    ['gemini-2.5-pro', { budgetTokens: 99_000 }, { thinkingBudget: 32_768 }, ['thinking_adapted']],
    ['gemini-2.5-flash', { shown: false }, { includeThoughts: false }, []],
    ['gemini-2.0-flash', { effort: 'high' }, undefined, ['parameter_ignored']],
    ['gemini-2.0-flash', { effort: 'none' }, undefined, []],
    ['gemma-3-27b-it', { budgetTokens: 100 }, undefined, ['parameter_ignored']],
  ])('%s %j', (model, thinking, config, warned) => {
    expect(sent(model, { thinking }).generationConfig?.thinkingConfig).toEqual(config);
    expect(codes(model, { thinking }).map((code) => code.split(' ')[0])).toEqual(warned);
  });
});

describe('what cannot be said on the Gemini wire', () => {
  const user = (content: ModelMessage['content']): ModelMessage[] => [{ role: 'user', content }];

  test.each<[string, readonly ModelMessage[], string]>([
    ['no message', [said('system', 'Be brief.')], 'messages'],
    [
      'a file of another vendor',
      user([{ type: 'image', source: { type: 'file', id: 'file-abc' } }]),
      'messages[0].content[0].source.id',
    ],
    ['a call of a user', user([call('a', 'f', '{}')]), 'messages[0].content[0]'],
    [
      'a picture of a system',
      [{ role: 'system', content: [{ type: 'image', source: { type: 'url', url: 'https://x/y.png' } }] }],
      'messages[0].content[0]',
    ],
    [
      'arguments that are no object',
      [said('user', 'Hi'), { role: 'assistant', content: [call('a', 'f', '[1]')] }],
      'messages[1].content[0].arguments',
    ],
    [
      'a result without its call',
      [said('user', 'Hi'), { role: 'tool', content: [result('x', 'y')] }],
      'messages[1].content[0].call_id',
    ],
  ])('is refused by its path: %s', async (_, messages, param) => {
    const error = await errorBy(() => sent('gemini-2.5-flash', { messages }));
    expect(error).toMatchObject({ code: 'invalid_request', param });
  });
});

describe('the address on the Gemini wire', () => {
  test.each([
    ['gemini-2.5-pro', false, '/models/gemini-2.5-pro:generateContent'],
    ['models/gemini-2.5-pro', true, '/models/gemini-2.5-pro:streamGenerateContent?alt=sse'],
    ['tunedModels/mine-1', false, '/tunedModels/mine-1:generateContent'],
    ['../../x?key=1#', false, '/models/..%2F..%2Fx%3Fkey%3D1%23:generateContent'],
    ['tunedModels/../x', false, '/tunedModels/..%2Fx:generateContent'],
  ])('%s (streamed: %s)', (model, streamed, path) => {
    expect(pathOf(model, streamed)).toBe(path);
  });

  test.each([
    [
      'https://generativelanguage.googleapis.com/v1beta/openai/',
      'https://generativelanguage.googleapis.com/v1beta',
    ],
    ['https://generativelanguage.googleapis.com/v1beta', 'https://generativelanguage.googleapis.com/v1beta'],
    ['https://proxy.example/openai-like', 'https://proxy.example/openai-like'],
  ])('%s', (base, native) => {
    expect(nativeBase(base)).toBe(native);
  });
});
