import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { readUsage as readAnthropicUsage } from '../../../../src/gateway/wires/anthropic/vendor/usage.ts';
import { readUsage as readOpenAiUsage } from '../../../../src/gateway/wires/openai-chat/vendor/usage.ts';
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
