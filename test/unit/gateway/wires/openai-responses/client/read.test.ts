import { describe, expect, it } from 'vitest';
import { wrapThinking } from '../../../../../../src/gateway/wires/envelope.ts';
import { ToolNames } from '../../../../../../src/gateway/wires/openai-responses/client/read-tools.ts';
import { openAiResponsesWire } from '../../../../../../src/gateway/wires/openai-responses/client/wire.ts';
import { requests } from './requests.ts';

const callOf = (body: object) => openAiResponsesWire.read({ model: 'm', ...body }).call;

describe('a request', () => {
  it.each(Object.entries(requests))('is read: %s', (_, { body, call }) => {
    expect(openAiResponsesWire.read(body).call).toEqual(call);
  });

  it('has nothing that the client left out, null included', () => {
    const nothing = {
      instructions: null,
      temperature: null,
      tools: null,
      reasoning: null,
      text: null,
      tool_choice: null,
    };
    expect(callOf({ input: 'Hi', ...nothing })).toEqual({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      temperatureGiven: false,
    });
  });

  it('takes choices of tools only where there are tools', () => {
    const call = callOf({ input: 'Hi', tools: [], tool_choice: 'auto', parallel_tool_calls: true });
    expect(call).not.toHaveProperty('toolChoice');
    expect(call).not.toHaveProperty('parallelToolCalls');
  });

  it('may choose among several tools', () => {
    const tool = (name: string) => ({ type: 'function', name, parameters: { type: 'object' } });
    const call = callOf({
      input: 'Hi',
      tools: [tool('a'), tool('b'), tool('c')],
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'b' }] },
    });
    expect(call.tools).toMatchObject([{ function: { name: 'b' } }]);
    expect(call.toolChoice).toBe('required');
  });

  it('passes over searches that OpenAI makes: what was found stands in the answers', () => {
    const call = callOf({
      input: [
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [{ type: 'tool_search' }, { type: 'web_search', external_web_access: false }],
    });
    expect(call.messages).toHaveLength(1);
    expect(call).not.toHaveProperty('tools');
  });
});

describe('the conversation of a request', () => {
  const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' });
  const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: id.toUpperCase() });
  const shape = (input: object[]) =>
    callOf({ input }).messages.map(({ role, content }) => [
      role,
      ...content.map((part) => {
        if (part.type === 'tool_call') return part.id;
        return part.type === 'tool_result' ? part.callId : part.type;
      }),
    ]);

  it('has the results of parallel calls in one message', () => {
    expect(shape([call('a'), call('b'), output('b'), output('a')])).toEqual([
      ['assistant', 'a', 'b'],
      ['tool', 'b', 'a'],
    ]);
  });

  it('has results right after their calls, wherever they stand', () => {
    const user = { role: 'user', content: 'Wait.' };
    expect(shape([call('a'), call('b'), output('b'), user, output('a')])).toEqual([
      ['assistant', 'a', 'b'],
      ['tool', 'b', 'a'],
      ['user', 'text'],
    ]);
  });

  it('has calls one after the other in messages of their own', () => {
    expect(shape([call('a'), output('a'), call('b'), output('b')])).toEqual([
      ['assistant', 'a'],
      ['tool', 'a'],
      ['assistant', 'b'],
      ['tool', 'b'],
    ]);
  });

  it('has reasoning, text and calls of one turn in one message', () => {
    const reasoning = {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: 'gAA=',
    };
    const message = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'I look.' }],
    };
    expect(shape([reasoning, message, call('a'), output('a')])).toEqual([
      ['assistant', 'thinking', 'text', 'a'],
      ['tool', 'a'],
    ]);
  });

  it('has thinking of other wires as it was put into the envelope', () => {
    const sealed = {
      wire: 'anthropic',
      provider: 'anthropic',
      model: 'claude-sonnet-4-6',
      value: { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
    } as const;
    const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: wrapThinking(sealed) };
    expect(callOf({ input: [item] }).messages).toEqual([
      { role: 'assistant', content: [{ type: 'thinking', text: '', sealed }] },
    ]);
  });

  it('has reasoning of OpenAI as it came, without knowing who made it', () => {
    const value = { type: 'reasoning', summary: [], content: null, encrypted_content: 'gAA=' };
    expect(callOf({ input: [value] }).messages[0]?.content).toEqual([
      {
        type: 'thinking',
        text: '',
        sealed: { wire: 'openai-responses', provider: null, model: null, value },
      },
    ]);
  });
});

const user = { role: 'user', content: 'Hi' };
const image = (image_url: unknown) => [{ role: 'user', content: [{ type: 'input_image', image_url }] }];
const file = (fields: object) => [{ role: 'user', content: [{ type: 'input_file', ...fields }] }];
const functionCall = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' };
const functionOutput = { type: 'function_call_output', call_id: 'a', output: 'A' };
const tool = { type: 'function', name: 'f', parameters: { type: 'object' } };

describe('a bad request is refused by the path of what is wrong', () => {
  it.each<[string, object]>([
    ['input', {}],
    ['input', { input: [] }],
    ['input', { input: 7 }],
    ['input[1]', { input: [user, 'Hi'] }],
    ['input[0].role', { input: [{ role: 'tool', content: 'Hi' }] }],
    ['input[0].content', { input: [{ role: 'user' }] }],
    ['input[0].content[0].type', { input: [{ role: 'user', content: [{ type: 'video' }] }] }],
    ['input[0].content[0].text', { input: [{ role: 'user', content: [{ type: 'input_text', text: 1 }] }] }],
    ['input[0].content[0]', { input: [{ role: 'user', content: [{ type: 'input_image' }] }] }],
    ['input[0].content[0].image_url', { input: image('cat.png') }],
    ['input[0].content[0].image_url', { input: image('data:image/png;base64,a*b=') }],
    ['input[0].content[0].image_url', { input: image('data:image/png;base64,') }],
    ['input[0].content[0].image_url', { input: image('data:image/png,hello') }],
    ['input[0].content[0].image_url', { input: image({ url: 'https://a.test/' }) }],
    ['input[0].content[0]', { input: file({ filename: 'a.pdf' }) }],
    ['input[0].content[0].file_data', { input: file({ file_data: 'a=b=' }) }],
    ['input[0]', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['input[0].call_id', { input: [functionOutput] }],
    ['input[0].call_id', { input: [functionOutput, functionCall] }],
    ['input[0]', { input: [functionCall] }],
    ['input[1]', { input: [functionCall, functionCall, functionOutput] }],
    ['input[2].call_id', { input: [functionCall, functionOutput, functionOutput] }],
    ['input[1].output', { input: [functionCall, { ...functionOutput, output: 7 }] }],
    [
      'input[1].output[0].type',
      { input: [functionCall, { ...functionOutput, output: [{ type: 'refusal', refusal: 'No' }] }] },
    ],
    ['input[0].name', { input: [{ ...functionCall, name: '' }, functionOutput] }],
    ['input[0].encrypted_content', { input: [{ type: 'reasoning', summary: [], encrypted_content: 7 }] }],
    ['tools', { input: 'Hi', tools: {} }],
    ['tools[0].name', { input: 'Hi', tools: [{ type: 'function' }] }],
    ['tools[1].name', { input: 'Hi', tools: [tool, tool] }],
    ['tools[0].parameters', { input: 'Hi', tools: [{ ...tool, parameters: 'none' }] }],
    ['tools[1].type', { input: 'Hi', tools: [tool, { type: 'code_interpreter' }] }],
    [
      'tools[0].tools[0].type',
      { input: 'Hi', tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'namespace' }] }] },
    ],
    ['tool_choice', { input: 'Hi', tool_choice: 'required' }],
    ['tool_choice', { input: 'Hi', tools: [tool], tool_choice: 'maybe' }],
    ['tool_choice.name', { input: 'Hi', tools: [tool], tool_choice: { type: 'function', name: 'g' } }],
    ['tool_choice.type', { input: 'Hi', tools: [tool], tool_choice: { type: 'web_search_preview' } }],
    ['temperature', { input: 'Hi', temperature: 3 }],
    ['top_p', { input: 'Hi', top_p: '1' }],
    ['max_output_tokens', { input: 'Hi', max_output_tokens: 1.5 }],
    ['parallel_tool_calls', { input: 'Hi', parallel_tool_calls: 'yes' }],
    ['reasoning', { input: 'Hi', reasoning: 'high' }],
    ['reasoning.effort', { input: 'Hi', reasoning: { effort: 3 } }],
    ['text.format.type', { input: 'Hi', text: { format: { type: 'xml' } } }],
    ['text.format.name', { input: 'Hi', text: { format: { type: 'json_schema', schema: {} } } }],
    ['text.format.schema', { input: 'Hi', text: { format: { type: 'json_schema', name: 'a' } } }],
    ['instructions', { input: 'Hi', instructions: ['Be brief.'] }],
  ])('%s in %j', (param, body) => {
    expect(() => callOf(body)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param, message: expect.stringContaining(param) }),
    );
  });
});

describe('the names of tools in namespaces', () => {
  it('are joined to one name and taken apart again', () => {
    const names = new ToolNames();
    const tool = { name: 'create_issue', namespace: 'mcp__tracker' };
    expect(names.joined(tool)).toBe('mcp__tracker__create_issue');
    expect(names.original('mcp__tracker__create_issue')).toEqual(tool);
    expect(names.original('made_up')).toEqual({ name: 'made_up' });
  });

  it('stay those of their tools where a conversation leaves the namespace out', () => {
    const names = new ToolNames();
    const tool = { name: 'read', namespace: 'files' };
    names.joined(tool);
    expect(names.joined({ name: 'files__read' })).toBe('files__read');
    expect(names.original('files__read')).toEqual(tool);
  });

  it('differ from the names of other tools, and are the same in each request', () => {
    const joinedNames = () => {
      const names = new ToolNames();
      const tools = [
        { name: 'a__b__c' },
        { name: 'b__c', namespace: 'a' },
        { name: 'c', namespace: 'a__b' },
        { name: 'x'.repeat(60), namespace: 'long' },
        { name: `${'x'.repeat(60)}y`, namespace: 'long' },
      ];
      const joined = tools.map((tool) => names.joined(tool));
      expect(joined.map((name) => names.original(name))).toEqual(tools);
      return joined;
    };
    const joined = joinedNames();
    expect(new Set(joined).size).toBe(5);
    expect(joined[0]).toBe('a__b__c');
    expect(joined.every((name) => /^[\w-]{1,64}$/.test(name))).toBe(true);
    expect(joinedNames()).toEqual(joined);
  });

  it('are chosen by both parts', () => {
    const tool = { type: 'function', name: 'read', parameters: { type: 'object' } };
    const { call } = openAiResponsesWire.read({
      model: 'm',
      input: 'Hi',
      tools: [tool, { type: 'namespace', name: 'files', description: 'Files', tools: [tool] }],
      tool_choice: { type: 'function', name: 'read', namespace: 'files' },
    });
    expect(call.toolChoice).toEqual({ type: 'function', function: { name: 'files__read' } });
    expect(call.tools).toHaveLength(2);
  });

  it('may be told among the items, again and again', () => {
    const tool = { type: 'function', name: 'read', parameters: { type: 'object' } };
    const added = { type: 'additional_tools', role: 'developer', tools: [tool] };
    const { call } = openAiResponsesWire.read({
      model: 'm',
      input: [{ role: 'user', content: 'Hi' }, added, added],
    });
    expect(call.tools).toHaveLength(1);
  });
});
