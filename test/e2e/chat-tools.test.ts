/** Tool calling through the whole server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appForThisTest, startApp, type TestApp } from '../helpers/app.ts';
import { ask, eventsOf } from '../helpers/http.ts';
import { type ToolFixture, timeTool, toolCall, toolFixtures, weatherTool } from '../helpers/tool-fixtures.ts';
import { providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

const tools = [weatherTool, timeTool];
const user = { role: 'user', content: 'The weather in Zürich, and the time?' };
const called = {
  role: 'assistant',
  content: null,
  tool_calls: [toolCall('call_1', 'get_weather', '{"city":"Zürich"}'), toolCall('call_2', 'get_time', '{}')],
};
const results = [
  { role: 'tool', tool_call_id: 'call_2', content: '12:00' },
  { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
];

async function behind(fixture: ToolFixture) {
  const vendor = await vendorFor(({ request, json, events }) =>
    request.json['stream'] ? events(fixture.stream) : json(fixture.reply),
  );
  return appForThisTest({ models: { providers: [providerOf(fixture.wire, vendor.baseUrl)] } });
}

describe.each(toolFixtures)('behind the $wire wire', (fixture) => {
  it('answers with the calls, and says why it ended', async () => {
    const app = await behind(fixture);
    const { status, json } = await ask(`${app.url}/v1/chat`, {
      body: { model: fixture.model, messages: [user], tools },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      content: fixture.text,
      tool_calls: fixture.toolCalls,
      finish_reason: 'tool_calls',
    });
    expect(json.usage.completion_tokens).toBeGreaterThan(10);
  });

  it.each(['/v1/chat', '/api/chat'])('streams them in pieces and as wholes: %s', async (path) => {
    const app = await behind(fixture);
    const { text } = await ask(app.url + path, {
      body: { model: fixture.model, messages: [user], tools, stream: true },
    });
    const events = eventsOf(text).map(({ data }) => data);
    expect(events.flatMap(({ type, tool_call }) => (type === 'tool_call' ? [tool_call] : []))).toEqual(
      fixture.toolCalls,
    );
    expect(events.some(({ type }) => type === 'tool_call_delta')).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: 'end', finish_reason: 'tool_calls' });
  });
});

describe('without a provider', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  const chat = (body: object) =>
    ask(`${app.url}/v1/chat`, { body: { model: 'sandbox', messages: [user], ...body } });

  it('a client can go through the whole loop', async () => {
    const messages: object[] = [{ role: 'user', content: 'What is 17 * 23?' }];
    const calculator = {
      type: 'function',
      function: {
        name: 'calculator',
        parameters: { type: 'object', properties: { expression: { type: 'string' } } },
      },
    };
    const first = await chat({ messages, tools: [calculator] });
    expect(first.json).toMatchObject({ content: '', finish_reason: 'tool_calls' });
    const [call] = first.json.tool_calls;
    expect(JSON.parse(call.function.arguments)).toEqual({ expression: '17 * 23' });
    messages.push({ role: 'assistant', content: first.json.content, tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: call.id, content: String(17 * 23) });
    const second = await chat({ messages, tools: [calculator] });
    expect(second.json.finish_reason).toBe('stop');
    expect(second.json.content).toContain('391');
    expect(second.json).not.toHaveProperty('tool_calls');
  });

  it('variant B takes a form of the answer', async () => {
    const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] };
    const response_format = { type: 'json_schema', json_schema: { name: 'person', schema } };
    const { json } = await ask(`${app.url}/v1/chat`, { body: { message: 'Anna, 34', response_format } });
    expect(JSON.parse(json.content)).toEqual({ age: 0 });
    expect(json.warnings).toMatchObject([{ code: 'sandbox_made_up' }]);
    const text = await ask(`${app.url}/v1/chat`, {
      body: { message: 'Hi', response_format: { type: 'text' } },
    });
    expect(text.json.warnings).toEqual([]);
  });

  it('takes results in any order', async () => {
    expect((await chat({ messages: [user, called, ...results], tools })).status).toBe(200);
  });

  const schema = { type: 'object' };
  it.each<[object, string, string]>([
    [{ messages: [user, called] }, 'messages[2]', 'answers the call "call_1"'],
    [{ messages: [user, called, results[0], user] }, 'messages[3]', 'answers the call "call_1"'],
    [
      { messages: [user, results[0]] },
      'messages[1].tool_call_id',
      'must name a call of the assistant message before it',
    ],
    [{ messages: [user, called, results[0], results[0]] }, 'messages[3].tool_call_id', 'must name a call'],
    [{ messages: [user, called, { role: 'tool', content: 'x' }] }, 'messages[2].tool_call_id', 'is required'],
    [
      { messages: [user, called, { role: 'tool', tool_call_id: 'call_1' }] },
      'messages[2].content',
      'is required',
    ],
    [
      { messages: [{ ...user, tool_calls: called.tool_calls }] },
      'messages[0].tool_calls',
      'belongs in an assistant message only',
    ],
    [
      { messages: [{ ...user, tool_call_id: 'call_1' }] },
      'messages[0].tool_call_id',
      'belongs in a tool message only',
    ],
    [
      { messages: [user, { ...called, tool_calls: [called.tool_calls[0], called.tool_calls[0]] }] },
      'messages[1].tool_calls[1].id',
      'repeats that of another call',
    ],
    [{ messages: [{ role: 'user', content: null }] }, 'messages[0].content', 'must be a string'],
    [{ messages: [user, { role: 'assistant' }] }, 'messages[1].content', 'is required'],
    [{ tools: [] }, 'tools', 'must not be empty'],
    [
      { tools: [{ type: 'function', function: { name: 'a b' } }] },
      'tools[0].function.name',
      'must be 1 to 64 letters, digits',
    ],
    [{ tools: [timeTool, timeTool] }, 'tools[1].function.name', 'repeats "get_time"'],
    [
      { tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'string' } } }] },
      'tools[0].function.parameters.type',
      'must be "object"',
    ],
    [{ tool_choice: 'required' }, 'tool_choice', 'needs tools'],
    [{ parallel_tool_calls: false }, 'parallel_tool_calls', 'needs tools'],
    [{ tools, tool_choice: 'some' }, 'tool_choice', 'must be one of "auto"'],
    [
      { tools, tool_choice: { type: 'function', function: { name: 'other' } } },
      'tool_choice.function.name',
      'must be one of get_weather, get_time',
    ],
    [{ response_format: { type: 'json_schema' } }, 'response_format.json_schema', 'is required'],
    [
      { response_format: { type: 'text', json_schema: { name: 'a', schema } } },
      'response_format.json_schema',
      'is not a known field',
    ],
    [{ response_format: { type: 'xml' } }, 'response_format.type', 'must not be "xml"'],
    [{ response_format: {} }, 'response_format.type', 'is required'],
    [{ response_format: { type: 1 } }, 'response_format.type', 'must be a string'],
  ])('refuses %j: %s %s', async (body, param, message) => {
    const { status, error } = await chat(body);
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: 'invalid_request', param });
    expect(error.message).toContain(message);
  });
});
