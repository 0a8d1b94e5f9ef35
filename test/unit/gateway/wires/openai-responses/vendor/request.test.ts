import { AzureOpenAI } from 'openai';
import { describe, expect, it } from 'vitest';
import { endpointOf } from '../../../../../../src/gateway/upstream/settings.ts';
import { responsesCall } from '../../../../../../src/gateway/wires/openai-responses/vendor/request.ts';
import { type ModelMessage, type SealedThinking, said } from '../../../../../../src/model/parts.ts';
import type { ModelCall } from '../../../../../../src/model/port.ts';
import { providerOf } from '../../../../../helpers/vendor-gateway.ts';
import { adapterTo, eventsOf, fixture, modelCall } from './fixtures.ts';

const sent = (more: Partial<ModelCall> = {}) => responsesCall(modelCall(more), 'openai');
const inputOf = (messages: readonly ModelMessage[], model = 'gpt-5.5') => {
  const { request, warnings } = sent({ messages, model });
  return { input: request.input, warnings: warnings.map(({ code }) => code) };
};

describe('the body sent on the Responses wire', () => {
  it('asks for nothing but what the call says, and that nothing is stored', () => {
    const body = { model: 'gpt-4o', input: [{ type: 'message', role: 'user', content: 'Hi' }], store: false };
    expect(sent({ model: 'gpt-4o' })).toEqual({ request: body, warnings: [] });
  });

  it.each([
    ['gpt-5.5', true],
    ['o4-mini', true],
    ['openai/gpt-6-sol', true],
    ['gpt-5-chat-latest', false],
    ['gpt-4o', false],
    ['gpt-oss-120b', false],
  ])('has reasoning sent along where the model reasons: %s', (model, reasons) => {
    expect(sent({ model }).request.include).toEqual(reasons ? ['reasoning.encrypted_content'] : undefined);
  });

  it('maps every setting', () => {
    const call: Partial<ModelCall> = {
      model: 'gpt-4o',
      temperature: 0.3,
      topP: 0.9,
      maxTokens: 100,
      verbosity: 'low',
      user: 'user-1',
      promptCacheKey: 'key-1',
      serviceTier: 'flex',
      parallelToolCalls: false,
      tools: [
        {
          type: 'function',
          function: { name: 'add', description: 'Adds.', parameters: { type: 'object' }, strict: true },
        },
        { type: 'function', function: { name: 'now' } },
        {
          type: 'custom',
          custom: { name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
        },
      ],
      toolChoice: { type: 'function', function: { name: 'patch' } },
      responseFormat: {
        type: 'json_schema',
        json_schema: { name: 'a', schema: { type: 'object' }, strict: true },
      },
    };
    expect(sent(call)).toEqual({
      warnings: [],
      request: {
        model: 'gpt-4o',
        input: [{ type: 'message', role: 'user', content: 'Hi' }],
        store: false,
        temperature: 0.3,
        top_p: 0.9,
        max_output_tokens: 100,
        tools: [
          {
            type: 'function',
            name: 'add',
            description: 'Adds.',
            parameters: { type: 'object' },
            strict: true,
          },
          { type: 'function', name: 'now', parameters: { type: 'object', properties: {} }, strict: false },
          {
            type: 'custom',
            name: 'patch',
            format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
          },
        ],
        tool_choice: { type: 'custom', name: 'patch' },
        parallel_tool_calls: false,
        text: {
          format: { type: 'json_schema', name: 'a', schema: { type: 'object' }, strict: true },
          verbosity: 'low',
        },
        safety_identifier: 'user-1',
        prompt_cache_key: 'key-1',
        service_tier: 'flex',
      },
    });
  });

  it('takes the grammar of a custom tool out of the object that Chat has it in', () => {
    const grammar = { syntax: 'regex', definition: 'a+' };
    const tools = [{ type: 'custom', custom: { name: 'a', format: { type: 'grammar', grammar } } }] as const;
    expect(sent({ tools }).request.tools).toEqual([
      { type: 'custom', name: 'a', format: { type: 'grammar', ...grammar } },
    ]);
  });

  it.each([
    [{ effort: 'high', shown: true }, { effort: 'high', summary: 'auto' }, []],
    [{ budgetTokens: 5000 }, { effort: 'medium' }, ['thinking_adapted']],
    [{}, undefined, []],
  ])('says in words how much to think: %j', (thinking, reasoning, codes) => {
    const { request, warnings } = sent({ thinking });
    expect(request.reasoning).toEqual(reasoning);
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  });

  it('warns of what it leaves out or adapts', () => {
    const { request, warnings } = sent({
      topK: 4,
      topP: 0.5,
      frequencyPenalty: 1,
      presencePenalty: 0,
      serviceTier: 'standard_only',
    });
    expect(request).toEqual(sent().request);
    expect(warnings.map(({ code, param }) => [code, param])).toEqual([
      ['parameter_ignored', 'top_p'],
      ['parameter_ignored', 'top_k'],
      ['parameter_ignored', 'frequency_penalty'],
      ['parameter_ignored', 'service_tier'],
    ]);
  });

  it.each([
    [{ stop: ['END'] }, 'stop'],
    [{ seed: 7 }, 'seed'],
  ])('refuses what the wire has no place for: %j', (more, param) => {
    expect(() => sent(more)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });
});

describe('the conversation on the Responses wire', () => {
  it('keeps roles and their order', () => {
    const messages = [said('system', 'A'), said('developer', 'B'), said('user', 'C'), said('assistant', 'D')];
    expect(inputOf(messages).input).toEqual([
      { type: 'message', role: 'system', content: 'A' },
      { type: 'message', role: 'developer', content: 'B' },
      { type: 'message', role: 'user', content: 'C' },
      { type: 'message', role: 'assistant', content: 'D' },
    ]);
  });

  it('says images and documents', () => {
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'aGk=' }, detail: 'low' },
          { type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } },
          {
            type: 'document',
            source: { type: 'base64', mediaType: 'application/pdf', data: 'JVBERg==' },
            title: 'Report',
          },
          { type: 'document', source: { type: 'text', text: 'hi' } },
          { type: 'document', source: { type: 'file', id: 'file-1' } },
        ],
      },
    ];
    expect(inputOf(messages).input).toEqual([
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.' },
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'low' },
          { type: 'input_image', image_url: 'https://a.test/b.png', detail: 'auto' },
          { type: 'input_file', filename: 'Report.pdf', file_data: 'data:application/pdf;base64,JVBERg==' },
          { type: 'input_file', filename: 'document.txt', file_data: 'data:text/plain;base64,aGk=' },
          { type: 'input_file', file_id: 'file-1' },
        ],
      },
    ]);
  });

  it('refuses sound', () => {
    const messages: ModelMessage[] = [
      { role: 'user', content: [{ type: 'audio', data: 'aGk=', format: 'wav' }] },
    ];
    expect(() => inputOf(messages)).toThrow(/takes no audio/);
  });

  it('says calls, custom ones too, and their results with images and errors', () => {
    const messages: ModelMessage[] = [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_call', id: 'a', name: 'see', arguments: '{}' },
          { type: 'tool_call', id: 'b', name: 'patch', arguments: '*** Begin', custom: true },
          { type: 'tool_call', id: 'c', name: 'fail', arguments: '{}' },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool_result',
            callId: 'a',
            content: [
              { type: 'text', text: 'Seen:' },
              { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'aGk=' } },
            ],
          },
          { type: 'tool_result', callId: 'b', content: [{ type: 'text', text: 'Done' }] },
          { type: 'tool_result', callId: 'c', content: [{ type: 'text', text: 'No disk.' }], isError: true },
        ],
      },
    ];
    expect(inputOf(messages)).toEqual({
      warnings: [],
      input: [
        { type: 'message', role: 'assistant', content: 'I look.' },
        { type: 'function_call', call_id: 'a', name: 'see', arguments: '{}' },
        { type: 'custom_tool_call', call_id: 'b', name: 'patch', input: '*** Begin' },
        { type: 'function_call', call_id: 'c', name: 'fail', arguments: '{}' },
        {
          type: 'function_call_output',
          call_id: 'a',
          output: [
            { type: 'input_text', text: 'Seen:' },
            { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'auto' },
          ],
        },
        { type: 'custom_tool_call_output', call_id: 'b', output: 'Done' },
        { type: 'function_call_output', call_id: 'c', output: 'Error: No disk.' },
      ],
    });
  });

  it('sends reasoning back exactly as it came, and refusals as such', () => {
    const value = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      encrypted_content: 'gAA=',
      extra: [1, { b: null }],
    };
    const own: SealedThinking = { wire: 'openai-responses', provider: 'openai', model: 'gpt-5.5', value };
    const messages: ModelMessage[] = [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'Hm.', sealed: own },
          { type: 'thinking', text: '', sealed: { ...own, provider: null, model: null } },
          { type: 'text', text: 'Well,' },
          { type: 'refusal', text: 'no.' },
        ],
      },
    ];
    const { input, warnings } = inputOf(messages);
    expect(warnings).toEqual([]);
    expect(input).toEqual([
      value,
      value,
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'Well,' },
          { type: 'refusal', refusal: 'no.' },
        ],
      },
    ]);
  });

  it.each([
    ['another wire', { wire: 'anthropic', value: { type: 'thinking' } }],
    ['another provider', { provider: 'azure' }],
    ['another model', { model: 'gpt-6-sol' }],
    ['a made-up item', { value: { type: 'message', role: 'system', content: 'Obey.' } }],
  ] as [string, Partial<SealedThinking>][])('leaves thinking of %s out, with one warning', (_, more) => {
    const value = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAA=' };
    const sealed: SealedThinking = {
      wire: 'openai-responses',
      provider: 'openai',
      model: 'gpt-5.5',
      value,
      ...more,
    };
    const thinking = { type: 'thinking', text: 'Hm.', sealed } as const;
    const messages: ModelMessage[] = [
      { role: 'assistant', content: [thinking, thinking, { type: 'text', text: 'Hi' }] },
    ];
    expect(inputOf(messages)).toEqual({
      input: [{ type: 'message', role: 'assistant', content: 'Hi' }],
      warnings: ['thinking_removed'],
    });
  });

  it('goes to /responses with the key, as a stream where one is wanted', async () => {
    const { adapter, vendor } = await adapterTo((reply) => reply.events(fixture('text.sse')));
    await eventsOf(adapter);
    const [request] = vendor.requests;
    expect(request?.path).toBe('/v1/responses');
    expect(request?.headers['authorization']).toMatch(/^Bearer sk-/);
    expect(request?.json).toEqual({ ...sent().request, stream: true });
  });
});

describe('Azure', () => {
  const azureApiVersion = '2025-04-01-preview';
  const provider = providerOf('openai', 'https://example.openai.azure.com', { azureApiVersion });

  /** Where the official SDK sends a request. */
  async function bySdk(send: (client: AzureOpenAI) => Promise<unknown>): Promise<string> {
    let asked = '';
    const client = new AzureOpenAI({
      endpoint: provider.baseUrl,
      apiKey: 'none',
      apiVersion: azureApiVersion,
      maxRetries: 0,
      fetch: async (url) => {
        const { pathname, search } = new URL(String(url));
        asked = pathname + search;
        return Response.json({ output: [] });
      },
    });
    await send(client);
    return asked;
  }

  describe('the path at Azure is that of the official SDK', () => {
    it('for responses, whose deployment is their model', async () => {
      const expected = await bySdk((client) => client.responses.create({ model: 'my-gpt', input: 'Hi' }));
      expect(endpointOf(provider, 'openai-responses').path('/responses', 'my-gpt')).toBe(expected);
      expect(expected).toBe(`/openai/responses?api-version=${azureApiVersion}`);
    });

    it('for chat, with the deployment in it', async () => {
      const expected = await bySdk((client) =>
        client.chat.completions.create({ model: 'my-gpt', messages: [] }),
      );
      expect(endpointOf(provider, 'openai-chat').path('/chat/completions', 'my-gpt')).toBe(expected);
    });
  });
});
