import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { anthropicErrors } from '../../../../../../src/gateway/wires/anthropic/client/errors.ts';
import { anthropicWire } from '../../../../../../src/gateway/wires/anthropic/client/read.ts';
import type { UnroutedCall } from '../../../../../../src/model/port.ts';
import { answer, meta, readBySdk } from '../../../../../helpers/anthropic-answers.ts';
import { anthropicToolFixture, openAiToolFixture } from '../../../../../helpers/tool-fixtures.ts';
import { openAiFixture, wireJson } from '../../../../../helpers/vendor-fixtures.ts';
import { errorOf, gatewayTo, type TestGateway } from '../../../../../helpers/vendor-gateway.ts';

// A client of this wire before models of other vendors, over real connections.

const claudeCode = wireJson('anthropic/claude-code.request.json');

async function streamed(gateway: TestGateway, body: object) {
  const request = anthropicWire.read({ ...body });
  const { events, error } = await gateway.read(request.call as UnroutedCall);
  const writer = request.stream(meta);
  const sse = writer.start() + events.map((event) => writer.take(event)).join('');
  return { sse, error };
}

describe('Claude Code before a model of OpenAI', () => {
  test('asks in the words of that wire, and nothing of its attribution goes along', async () => {
    const gateway = await gatewayTo(openAiToolFixture, ({ events }) => events(openAiToolFixture.stream));
    await streamed(gateway, claudeCode);
    const [sent] = gateway.vendor.requests;
    expect(sent?.body).not.toContain('x-anthropic-billing-header');
    const { messages, tools } = (sent?.json ?? {}) as { messages: { role: string }[]; tools: unknown[] };
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
      'user',
      'system',
      'user',
    ]);
    expect(messages[2]).toMatchObject({
      content: 'Let me look.',
      tool_calls: [
        { id: 'toolu_01A', function: { name: 'Read', arguments: '{"file_path":"/repo/a.png"}' } },
        { id: 'toolu_01B', function: { name: 'Bash', arguments: '{}' } },
      ],
    });
    expect(messages.slice(3, 5)).toMatchObject([
      { tool_call_id: 'toolu_01B' },
      { tool_call_id: 'toolu_01A' },
    ]);
    expect(sent?.body).toContain('data:image/png;base64,iVBORw0KGgo=');
    expect(tools).toHaveLength(2);
  });

  test('is answered with calls of its tools', async () => {
    const gateway = await gatewayTo(openAiToolFixture, ({ events }) => events(openAiToolFixture.stream));
    const { sse } = await streamed(gateway, claudeCode);
    expect(await readBySdk(sse)).toMatchObject({
      content: [
        { type: 'text', text: openAiToolFixture.text },
        { type: 'tool_use', id: 'call_a1', name: 'get_weather', input: { city: 'Zürich 🏔️' } },
        { type: 'tool_use', id: 'call_a2', name: 'get_time', input: {} },
      ],
      stop_reason: 'tool_use',
    });
  });

  test('is told of a stream that breaks off', async () => {
    const gateway = await gatewayTo(openAiFixture, ({ events }) => events(openAiFixture.firstHalf));
    const { sse, error } = await streamed(gateway, claudeCode);
    const last = anthropicErrors.event(await errorOf(Promise.reject(error)), 'req_1');
    const thrown = await readBySdk(sse + last).catch((reason) => reason);
    expect(thrown).toBeInstanceOf(Anthropic.APIError);
    expect(thrown).toMatchObject({ type: 'api_error' });
  });
});

test('before a model of Claude the answer is what the vendor gave', async () => {
  const gateway = await gatewayTo(anthropicToolFixture, ({ request, json, events }) =>
    request.json['stream'] ? events(anthropicToolFixture.stream) : json(anthropicToolFixture.reply),
  );
  const { sse } = await streamed(gateway, claudeCode);
  const { completion } = await gateway.ask(anthropicWire.read(claudeCode).call);
  const { content } = anthropicToolFixture.reply as { content: unknown };
  expect((await readBySdk(sse)).content).toEqual(content);
  expect(answer(completion.parts).content).toEqual(content);
});
