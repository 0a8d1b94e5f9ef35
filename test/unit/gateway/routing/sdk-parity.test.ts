import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { readUsage as readAnthropicUsage } from '../../../../src/gateway/wires/anthropic/vendor/usage.ts';
import { readUsage as readOpenAiUsage } from '../../../../src/gateway/wires/openai-chat/vendor/usage.ts';
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
import { anthropicFixture, openAiFixture, type WireFixture } from '../../../helpers/vendor-fixtures.ts';
import { callOf, gatewayTo, shown, type TestGateway } from '../../../helpers/vendor-gateway.ts';

// The vendors' own clients read the fixtures to the same answer as our adapters, so the fixtures are what goes over the
// wire; and the bodies that they send are ours.

const script = (fixture: WireFixture) =>
  gatewayTo(fixture, ({ request, json, events }) =>
    request.json['stream'] ? events(fixture.stream) : json(fixture.reply),
  );

/** What both sent last. */
function bodies({ vendor: { requests } }: TestGateway) {
  return requests.slice(-2).map(({ json, path }) => ({ json, path }));
}

describe('the OpenAI SDK and our adapter agree on', () => {
  const messages = [{ role: 'user' as const, content: 'Why is the sky blue?' }];
  const body = { model: 'gpt-4o', messages, temperature: 0.7, max_completion_tokens: 2048 };
  const client = (baseURL: string) => new OpenAI({ apiKey: 'sk-test', baseURL, maxRetries: 0 });

  test('a whole answer', async () => {
    const gateway = await script(openAiFixture);
    const theirs = await client(gateway.vendor.baseUrl).chat.completions.create(body);
    const { completion } = await gateway.ask(callOf());
    expect(shown(completion).content).toBe(theirs.choices[0]?.message.content);
    expect(completion.usage).toEqual(readOpenAiUsage(theirs.usage));
    const [sdk, ours] = bodies(gateway);
    expect(ours).toEqual(sdk);
  });

  test('a stream', async () => {
    const gateway = await script(openAiFixture);
    const stream = await client(gateway.vendor.baseUrl).chat.completions.create({
      ...body,
      stream: true,
      stream_options: { include_usage: true },
    });
    const deltas: string[] = [];
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of stream) {
      const content = chunk.choices[0]?.delta.content;
      if (content) deltas.push(content);
      usage = chunk.usage ?? usage;
    }
    const { events } = await gateway.read();
    const ours = events.map((event) =>
      event.type === 'delta' ? event.content : event.type === 'end' ? event.usage : event,
    );
    expect(ours).toEqual([...deltas, readOpenAiUsage(usage)]);
    const [sdk, mine] = bodies(gateway);
    expect(mine).toEqual(sdk);
  });
});

describe('the Anthropic SDK and our adapter agree on', () => {
  const messages = [{ role: 'user' as const, content: 'Why is the sky blue?' }];
  const body = { model: 'claude-sonnet-4-6', messages, max_tokens: 2048, temperature: 0.7 };
  const client = (baseURL: string) =>
    new Anthropic({ apiKey: 'sk-ant-test', baseURL: baseURL.replace('/v1', ''), maxRetries: 0 });

  test('a whole answer', async () => {
    const gateway = await script(anthropicFixture);
    const theirs = await client(gateway.vendor.baseUrl).messages.create(body);
    const { completion } = await gateway.ask(callOf());
    const texts = theirs.content.map((block) => (block.type === 'text' ? block.text : ''));
    expect(shown(completion).content).toBe(texts.join(''));
    expect(completion.usage).toEqual(readAnthropicUsage(theirs.usage));
    const [sdk, ours] = bodies(gateway);
    expect(ours).toEqual(sdk);
  });

  test('a stream', async () => {
    const gateway = await script(anthropicFixture);
    const stream = client(gateway.vendor.baseUrl).messages.stream(body);
    const deltas: string[] = [];
    stream.on('text', (delta) => void deltas.push(delta));
    const message = await stream.finalMessage();
    const { events } = await gateway.read();
    const ours = events.map((event) => (event.type === 'delta' ? event.content : ''));
    expect(ours).toEqual([...deltas, '']);
    const end = events.at(-1);
    if (end?.type !== 'end') throw new Error('There was no end.');
    // The SDK takes each field of the last `message_delta` over, also from null.
    expect(end.usage?.output).toBe(message.usage.output_tokens);
    expect(end.usage).toEqual(readAnthropicUsage({ ...message.usage, input_tokens: 10 }));
    const [sdk, mine] = bodies(gateway);
    expect(mine).toEqual(sdk);
  });
});

describe('tools', () => {
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
});
