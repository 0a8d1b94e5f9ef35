import { describe, expect, test } from 'vitest';
import { wrapThinking } from '../../../../../../src/gateway/wires/envelope.ts';
import {
  readBatchEmbedContents,
  readEmbedContent,
  writeBatchEmbedContents,
  writeEmbedContent,
} from '../../../../../../src/gateway/wires/gemini/client/embeddings.ts';
import { readCountRequest, readRequest } from '../../../../../../src/gateway/wires/gemini/client/wire.ts';
import { geminiCall } from '../../../../../../src/gateway/wires/gemini/vendor/request.ts';
import type { ModelMessage } from '../../../../../../src/model/parts.ts';
import { errorBy, geminiJson } from '../../../../../helpers/vendor-fixtures.ts';

const hello = [{ role: 'user', parts: [{ text: 'Hi' }] }];

const weather: ModelMessage[] = [
  { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is on it, and what is the weather there?' },
      { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo+/w==' } },
      {
        type: 'document',
        source: { type: 'url', url: 'https://example.org/guide.pdf', mediaType: 'application/pdf' },
      },
      { type: 'audio', data: 'SUQzBAA=', format: 'mp3' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', text: 'I see two towns.', sealed: null },
      {
        type: 'tool_call',
        id: 'a1',
        name: 'get_weather',
        arguments: '{"city":"Paris"}',
        extraContent: { google: { thought_signature: 'CallSig==' } },
      },
      { type: 'tool_call', id: 'b2', name: 'get_weather', arguments: '{"city":"Rome"}' },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool_result', callId: 'b2', content: [{ type: 'text', text: 'no such town' }], isError: true },
      { type: 'tool_result', callId: 'a1', content: [{ type: 'text', text: '{"temperature":21}' }] },
    ],
  },
  { role: 'user', content: [{ type: 'text', text: 'Well?' }] },
];

describe('a request of generateContent', () => {
  test.each(['request-camel.json', 'request-snake.json'])('is read in either spelling: %s', (file) => {
    expect(readRequest(geminiJson(file))).toEqual({
      messages: weather,
      temperature: 0.2,
      temperatureGiven: true,
      topP: 0.9,
      topK: 40,
      maxTokens: 800,
      stop: ['END'],
      seed: 7,
      presencePenalty: 0.5,
      frequencyPenalty: -0.5,
      responseFormat: {
        type: 'json_schema',
        json_schema: {
          name: 'answer',
          schema: { type: 'object', properties: { answer: { type: 'string' } } },
        },
      },
      thinking: { effort: 'low', shown: true },
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: 'Weather of a town',
            parameters: {
              type: 'object',
              properties: {
                city: { type: 'string', minLength: 1 },
                days: { type: ['integer', 'null'], maximum: 7 },
                unit: { type: 'string', enum: ['C', 'F'] },
              },
              required: ['city'],
            },
          },
        },
      ],
      toolChoice: 'auto',
    });
  });

  test('comes out as it went in where the model is one of Gemini', () => {
    const body = geminiJson('request-camel.json');
    const call = { ...readRequest(body), model: 'gemini-3-flash-preview', temperatureRange: null };
    const asked = { provider: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta' };
    const { request, warnings } = geminiCall(call, asked);
    const contents = body['contents'] as { parts: object[] }[];
    expect(request.contents[1]).toEqual(contents[1]);
    const results = [...(request.contents[2]?.parts ?? []), ...(request.contents[3]?.parts ?? [])];
    expect(results).toEqual(contents[2]?.parts);
    expect(request.systemInstruction).toEqual(body['systemInstruction']);
    expect(request.generationConfig).toEqual(body['generationConfig']);
    expect(warnings).toEqual([]);
  });

  test('adds nothing to what is said', () => {
    expect(readRequest({ contents: hello })).toEqual({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      temperatureGiven: false,
    });
  });

  test('may leave out roles and lists of one, and leave fields null', () => {
    const body = { contents: { parts: { text: 'Hi' } }, tools: null, generationConfig: { topK: null } };
    expect(readRequest(body)).toEqual(readRequest({ contents: hello }));
  });

  test('matches results without ids by name and order, and makes up the same ids each time', () => {
    const body = {
      contents: [
        ...hello,
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'look', args: { n: 1 } } },
            { functionCall: { name: 'wait' } },
            { functionCall: { name: 'look', args: { n: 2 } } },
          ],
        },
        {
          role: 'function',
          parts: [
            { functionResponse: { name: 'look', response: { output: 'one' } } },
            { functionResponse: { name: 'look', response: { output: { n: 2 } } } },
            { functionResponse: { name: 'wait', response: {} } },
          ],
        },
      ],
    };
    const { messages } = readRequest(body);
    const ids = messages[1]?.content.map((part) => 'id' in part && part.id);
    expect(ids).toEqual(['call_1_0', 'call_1_1', 'call_1_2']);
    expect(messages[2]?.content).toEqual([
      { type: 'tool_result', callId: 'call_1_0', content: [{ type: 'text', text: 'one' }] },
      { type: 'tool_result', callId: 'call_1_2', content: [{ type: 'text', text: '{"n":2}' }] },
      { type: 'tool_result', callId: 'call_1_1', content: [{ type: 'text', text: '{}' }] },
    ]);
    expect(readRequest(body)).toEqual(readRequest(structuredClone(body)));
  });

  test('keeps calls apart that have the same id', () => {
    const turn = [
      { role: 'model', parts: [{ functionCall: { id: 'x', name: 'f' } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'x', name: 'f', response: { output: '' } } }] },
    ];
    const { messages } = readRequest({ contents: [...hello, ...turn, ...turn] });
    const ids = messages.flatMap(({ content }) =>
      content.flatMap((part) =>
        part.type === 'tool_call' ? part.id : part.type === 'tool_result' ? part.callId : [],
      ),
    );
    expect(ids).toEqual(['x', 'x', 'x_', 'x_']);
  });

  test('takes results of one turn from several messages', () => {
    const answer = (id: string) => ({
      role: 'user',
      parts: [{ functionResponse: { id, name: 'f', response: { output: id } } }],
    });
    const calls = {
      role: 'model',
      parts: [{ functionCall: { id: 'a', name: 'f' } }, { functionCall: { id: 'b', name: 'f' } }],
    };
    const { messages } = readRequest({ contents: [...hello, calls, answer('b'), answer('a')] });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
  });

  test('takes the pieces of a streamed answer for one turn', () => {
    const pieces = [
      { text: 'H', thought: true },
      { text: 'm', thought: true },
      { text: 'So, ' },
      { text: 'look' },
      { functionCall: { name: 'f' } },
      { text: '' },
    ].map((part) => ({ role: 'model', parts: [part] }));
    const response = { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 1 } } }] };
    const { messages } = readRequest({ contents: [...hello, ...pieces, response] });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(messages[1]?.content).toEqual([
      { type: 'thinking', text: 'Hm', sealed: null },
      { type: 'text', text: 'So, look' },
      { type: 'tool_call', id: 'call_1_4', name: 'f', arguments: '{}' },
    ]);
  });

  test('keeps pictures in results', () => {
    const data = { inlineData: { mimeType: 'image/png', data: 'iVBORw==' } };
    const { messages } = readRequest({
      contents: [
        ...hello,
        { role: 'model', parts: [{ functionCall: { id: 'a', name: 'f' } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'a', name: 'f', response: { output: 'ok' }, parts: [data] } }],
        },
      ],
    });
    expect(messages[2]?.content).toEqual([
      {
        type: 'tool_result',
        callId: 'a',
        content: [
          { type: 'text', text: 'ok' },
          { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'iVBORw==' } },
        ],
      },
    ]);
  });

  test.each([
    ['ANY', ['a'], { toolChoice: { type: 'function', function: { name: 'a' } }, names: ['a'] }],
    ['ANY', ['a', 'b'], { toolChoice: 'required', names: ['a', 'b'] }],
    ['ANY', undefined, { toolChoice: 'required', names: ['a', 'b', 'c'] }],
    ['NONE', undefined, { toolChoice: 'none', names: ['a', 'b', 'c'] }],
    ['VALIDATED', ['c'], { toolChoice: 'auto', names: ['c'] }],
    [undefined, undefined, { toolChoice: undefined, names: ['a', 'b', 'c'] }],
  ])('chooses tools by the mode %s of %j', (mode, allowedFunctionNames, expected) => {
    const tools = [
      { functionDeclarations: [{ name: 'a' }, { name: 'b' }] },
      { functionDeclarations: [{ name: 'c' }] },
    ];
    const toolConfig = { functionCallingConfig: { mode, allowedFunctionNames } };
    const { tools: read, toolChoice } = readRequest({ contents: hello, tools, toolConfig });
    const names = read?.map((tool) => tool.type === 'function' && tool.function.name);
    expect({ toolChoice, names }).toEqual(expected);
  });

  test.each([
    [{ thinkingBudget: -1 }, {}],
    [{ thinkingBudget: 0 }, { budgetTokens: 0 }],
    [
      { thinkingBudget: 512, includeThoughts: false },
      { budgetTokens: 512, shown: false },
    ],
    [{ thinkingLevel: 'high' }, { effort: 'high' }],
    [{ thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED' }, {}],
  ])('thinks by %j', (thinkingConfig, thinking) => {
    expect(readRequest({ contents: hello, generationConfig: { thinkingConfig } }).thinking).toEqual(thinking);
  });

  test('for counting may be a conversation or a whole request', () => {
    const systemInstruction = { parts: [{ text: 'Be brief.' }] };
    expect(readCountRequest({ contents: hello }).messages).toHaveLength(1);
    const whole = { model: 'models/x', contents: hello, systemInstruction };
    expect(readCountRequest({ generateContentRequest: whole }).messages).toHaveLength(2);
  });
});

describe('thinking of other vendors in a conversation on the Gemini wire', () => {
  const sealed = {
    wire: 'anthropic',
    provider: 'anthropic',
    model: 'claude-sonnet-4-6',
    value: { type: 'thinking', thinking: 'Hm?>~', signature: 'EqoBCkgIAR==' },
  } as const;
  const signature = Buffer.from(wrapThinking(sealed)).toString('base64');
  const urlSafe = signature.replaceAll('+', '-').replaceAll('/', '_');
  const call = { functionCall: { id: 'a', name: 'f' } };
  const results = { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'f', response: {} } }] };
  const read = (...parts: object[]) => {
    const { messages } = readRequest({ contents: [...hello, { role: 'model', parts }, results] });
    return messages[1]?.content.slice(0, -1);
  };

  test.each([
    ['on the call', '', [{ ...call, thoughtSignature: signature }]],
    ['in the alphabet for addresses', '', [{ ...call, thoughtSignature: urlSafe }]],
    [
      'with its text before',
      'Hm',
      [
        { text: 'Hm', thought: true },
        { ...call, thoughtSignature: signature },
      ],
    ],
    ['on a thought', 'Hm', [{ text: 'Hm', thought: true, thoughtSignature: signature }, call]],
    ['on an empty part', '', [{ text: '', thoughtSignature: signature }, call]],
  ])('is theirs again: %s', (_, text, parts) => {
    expect(read(...parts)).toEqual([{ type: 'thinking', text, sealed }]);
  });
});

describe('a bad request of generateContent', () => {
  const parts = (...list: unknown[]) => ({ contents: [{ role: 'user', parts: list }] });
  const config = (generationConfig: object) => ({ contents: hello, generationConfig });
  const inline = (mimeType: unknown, data: unknown) => parts({ inlineData: { mimeType, data } });
  const following = (...contents: object[]) => ({ contents: [...hello, ...contents] });
  const calling = (functionCall: object) => ({ role: 'model', parts: [{ functionCall }] });
  const asked = calling({ id: 'a', name: 'f' });
  const answer = (fields: object) => ({
    role: 'user',
    parts: [{ functionResponse: { response: {}, ...fields } }],
  });

  test.each<[string, object]>([
    ['contents', {}],
    ['contents', { contents: [] }],
    ['contents[0]', { contents: ['Hi'] }],
    ['contents[0].role', { contents: [{ role: 'system', parts: [{ text: 'x' }] }] }],
    ['contents[0].parts', { contents: [{ role: 'user' }] }],
    ['contents[0].parts[0]', parts({})],
    ['contents[0].parts[0]', parts({ executableCode: { code: 'x' } })],
    ['contents[0].parts[0].text', parts({ text: 3 })],
    [
      'contents[0].parts[1].inlineData.data',
      parts({ text: 'a' }, { inlineData: { mimeType: 'image/png', data: 'no!' } }),
    ],
    ['contents[0].parts[0].inlineData.data', inline('image/png', undefined)],
    ['contents[0].parts[0].inlineData.mimeType', inline(undefined, 'iVBORw==')],
    ['contents[0].parts[0].inlineData.mimeType', inline('video/mp4', 'iVBORw==')],
    ['contents[0].parts[0].fileData.fileUri', parts({ fileData: { mimeType: 'image/png' } })],
    ['contents[0].parts[0].functionResponse.name', { contents: [answer({ name: 'f' })] }],
    ['contents[2].parts[0].functionResponse.id', following(asked, answer({ id: 'b', name: 'f' }))],
    ['contents[2]', following(asked, ...hello)],
    ['contents', following(asked)],
    ['contents[1].parts[0].functionCall.name', following(calling({}))],
    ['contents[1].parts[0].functionCall.args', following(calling({ name: 'f', args: 'x' }))],
    ['systemInstruction.parts[0]', { contents: hello, systemInstruction: { parts: [{ inlineData: {} }] } }],
    ['generationConfig', config([])],
    ['generationConfig.temperature', config({ temperature: 3 })],
    ['generationConfig.maxOutputTokens', config({ maxOutputTokens: 0 })],
    ['generationConfig.stopSequences', config({ stopSequences: 'END' })],
    ['generationConfig.candidateCount', config({ candidateCount: 2 })],
    ['generationConfig.responseMimeType', config({ responseMimeType: 'text/x.enum' })],
    ['generationConfig.responseSchema', config({ responseSchema: 'x' })],
    ['generationConfig.thinkingConfig.thinkingLevel', config({ thinkingConfig: { thinkingLevel: 'HUGE' } })],
    ['tools[0].functionDeclarations[0].name', { contents: hello, tools: [{ functionDeclarations: [{}] }] }],
    [
      'toolConfig.functionCallingConfig.mode',
      {
        contents: hello,
        tools: [{ functionDeclarations: [{ name: 'f' }] }],
        toolConfig: { functionCallingConfig: { mode: 'SOME' } },
      },
    ],
  ])('is refused by its path: %s', async (param, body) => {
    const error = await errorBy(() => readRequest(body as Record<string, unknown>));
    expect(error).toMatchObject({ code: 'invalid_request', param });
    expect(error.details[0]?.path).toBe(param);
  });
});

describe('embeddings on the Gemini wire', () => {
  const content = { parts: [{ text: 'a' }] };

  test('are read from one request or several', () => {
    expect(readEmbedContent({ content, outputDimensionality: 256, taskType: 'RETRIEVAL_QUERY' })).toEqual({
      texts: ['a'],
      dimensions: 256,
    });
    expect(readEmbedContent({ content: { parts: [{ text: 'a' }, { text: 'b' }] } })).toEqual({
      texts: ['ab'],
    });
    const requests = [
      { model: 'models/x', content, output_dimensionality: 8 },
      { content: { parts: [{ text: 'b' }] }, outputDimensionality: 8 },
    ];
    expect(readBatchEmbedContents({ requests })).toEqual({ texts: ['a', 'b'], dimensions: 8 });
  });

  test('are written as the wire has them', () => {
    const usageMetadata = { promptTokenCount: 3 };
    expect(writeEmbedContent([[0.5, -1]], 3)).toEqual({ embedding: { values: [0.5, -1] }, usageMetadata });
    expect(writeBatchEmbedContents([[1], [2]], null)).toEqual({
      embeddings: [{ values: [1] }, { values: [2] }],
    });
  });

  test.each([
    ['content', () => readEmbedContent({})],
    ['content.parts[0]', () => readEmbedContent({ content: { parts: [{ inlineData: {} }] } })],
    ['outputDimensionality', () => readEmbedContent({ content, outputDimensionality: 0 })],
    ['requests', () => readBatchEmbedContents({ requests: [] })],
    [
      'requests[1].outputDimensionality',
      () => readBatchEmbedContents({ requests: [{ content }, { content, outputDimensionality: 2 }] }),
    ],
  ])('are refused by the path %s', async (param, read) => {
    expect(await errorBy(read)).toMatchObject({ code: 'invalid_request', param });
  });
});
