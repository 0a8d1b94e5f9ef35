import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { toolCallOf } from '../../../../src/model/contract-form.ts';
import { textOf } from '../../../../src/model/parts.ts';
import {
  anthropicToolFixture,
  openAiToolFixture,
  type ToolFixture,
  timeTool,
  toolQuestion,
  weatherTool,
} from '../../../helpers/tool-fixtures.ts';
import { gatewayTo, shown, type TestGateway } from '../../../helpers/vendor-gateway.ts';

// The vendors' own clients read the fixtures to the same calls as our adapters and send the same bodies.

const script = (fixture: ToolFixture) =>
  gatewayTo(fixture, ({ request, json, events }) =>
    request.json['stream'] ? events(fixture.stream) : json(fixture.reply),
  );

function bodies({ vendor: { requests } }: TestGateway) {
  return requests.slice(-2).map(({ json }) => json);
}

const wholeCalls = async (gateway: TestGateway) =>
  (await gateway.read(toolQuestion)).events.flatMap((event) =>
    event.type === 'tool_call' ? [toolCallOf(event.toolCall)] : [],
  );

const question = toolQuestion.messages.map(textOf).join('');

test('the OpenAI SDK and our adapter agree on calls, whole and streamed', async () => {
  const gateway = await script(openAiToolFixture);
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: gateway.vendor.baseUrl, maxRetries: 0 });
  const body = {
    model: 'gpt-4o',
    messages: [{ role: 'user' as const, content: question }],
    temperature: 0.7,
    max_completion_tokens: 2048,
    tools: [weatherTool, timeTool],
  };
  const theirs = await client.chat.completions.create(body);
  const { completion } = await gateway.ask(toolQuestion);
  expect(shown(completion).toolCalls).toEqual(theirs.choices[0]?.message.tool_calls);
  expect(bodies(gateway)[1]).toEqual(bodies(gateway)[0]);

  const stream = client.chat.completions.stream({ ...body, stream_options: { include_usage: true } });
  const { message } = (await stream.finalChatCompletion()).choices[0] ?? {};
  // The SDK adds what it parsed.
  const calls = message?.tool_calls?.map((call) => {
    if (call.type !== 'function') throw new Error('There was no function.');
    const { name, arguments: json } = call.function;
    return { id: call.id, type: call.type, function: { name, arguments: json } };
  });
  expect(await wholeCalls(gateway)).toEqual(calls);
  expect(bodies(gateway)[1]).toEqual(bodies(gateway)[0]);
});

test('the Anthropic SDK and our adapter agree on calls, whole and streamed', async () => {
  const gateway = await script(anthropicToolFixture);
  const baseURL = gateway.vendor.baseUrl.replace('/v1', '');
  const client = new Anthropic({ apiKey: 'sk-ant-test', baseURL, maxRetries: 0 });
  const body = {
    model: 'claude-sonnet-4-6',
    messages: [
      {
        role: 'user' as const,
        content: [{ type: 'text' as const, text: question, cache_control: { type: 'ephemeral' as const } }],
      },
    ],
    max_tokens: 2048,
    temperature: 0.7,
    tools: [
      {
        name: 'get_weather',
        description: 'The weather in a city.',
        input_schema: weatherTool.function.parameters ?? { type: 'object' as const },
      },
      {
        name: 'get_time',
        input_schema: { type: 'object' as const, properties: {} },
        cache_control: { type: 'ephemeral' as const },
      },
    ],
  };
  const callsOf = ({ content }: Anthropic.Message) =>
    content.flatMap((block) =>
      block.type === 'tool_use'
        ? [{ id: block.id, name: block.name, input: JSON.stringify(block.input) }]
        : [],
    );
  const ours = (calls: typeof anthropicToolFixture.toolCalls) =>
    calls.map(({ id, function: { name, arguments: input } }) => ({ id, name, input }));

  const theirs = await client.messages.create(body);
  const { completion } = await gateway.ask(toolQuestion);
  expect(ours(shown(completion).toolCalls)).toEqual(callsOf(theirs));
  expect(bodies(gateway)[1]).toEqual(bodies(gateway)[0]);

  const message = await client.messages.stream(body).finalMessage();
  expect(ours(await wholeCalls(gateway))).toEqual(callsOf(message));
  expect(bodies(gateway)[1]).toEqual(bodies(gateway)[0]);
});
