import { describe, expect, test } from 'vitest';
import { readReply as readAnthropic } from '../../../../src/gateway/wires/anthropic/vendor/reply.ts';
import { readReply as readOpenAi } from '../../../../src/gateway/wires/openai-chat/vendor/reply.ts';
import { toolCallOf } from '../../../../src/model/contract-form.ts';
import type { CompletionEvent } from '../../../../src/model/port.ts';
import {
  anthropicToolFixture,
  openAiToolFixture,
  type ToolFixture,
  toolCall,
  toolFixtures,
  toolQuestion,
} from '../../../helpers/tool-fixtures.ts';
import { anthropicFixture, openAiFixture } from '../../../helpers/vendor-fixtures.ts';
import { callOf, errorOf, gatewayTo, questionIn, shown } from '../../../helpers/vendor-gateway.ts';

/** What a reader makes of a stream: its text, the calls put together from their pieces, and the calls as wholes. */
function readingOf(events: readonly CompletionEvent[]) {
  let text = '';
  const pieces: { id: string; name: string; arguments: string }[] = [];
  const wholes: object[] = [];
  for (const event of events) {
    if (event.type === 'delta') text += event.content;
    if (event.type === 'tool_call') wholes[event.index] = toolCallOf(event.toolCall);
    if (event.type === 'tool_call_delta') {
      const { index, id, name } = event;
      const json = (pieces[index]?.arguments ?? '') + event.arguments;
      pieces[index] = { id, name, arguments: json };
    }
  }
  const end = events.at(-1);
  return { text, pieces, wholes, finish: end?.type === 'end' ? end.finishReason : null };
}

function expectedOf({ text, toolCalls }: ToolFixture) {
  return {
    text,
    pieces: toolCalls.map(({ id, function: called }) => ({ id, ...called })),
    wholes: toolCalls,
    finish: 'tool_calls',
  };
}

describe.each(toolFixtures)('calls of tools on the $wire wire', (fixture) => {
  test('are read from a whole reply', async () => {
    const gateway = await gatewayTo(fixture, ({ json }) => json(fixture.reply));
    const { completion } = await gateway.ask(toolQuestion);
    expect(shown(completion)).toMatchObject({
      content: fixture.text,
      toolCalls: fixture.toolCalls,
      finishReason: 'tool_calls',
    });
  });

  test('come in a stream in pieces, each as a whole before the end, once', async () => {
    const gateway = await gatewayTo(fixture, ({ events }) => events(fixture.stream));
    const { events } = await gateway.read(toolQuestion);
    expect(readingOf(events)).toEqual(expectedOf(fixture));
    expect(events.filter(({ type }) => type === 'tool_call').length).toBe(2);
  });

  test('are the same wherever the stream is cut in two, and byte by byte', async () => {
    const whole = Buffer.from(fixture.stream);
    const cuts = Array.from(whole, (_, at) => [whole.subarray(0, at), whole.subarray(at)]);
    cuts.push(Array.from(whole, (byte) => Buffer.of(byte)));
    const gateway = await gatewayTo(fixture, ({ request, events }) =>
      events(...(cuts[Number(questionIn(request))] ?? [])),
    );
    let next = 0;
    const worker = async () => {
      for (let at = next++; at < cuts.length; at = next++) {
        const { events, error } = await gateway.read(callOf(String(at)));
        expect(error).toBeNull();
        expect(readingOf(events)).toEqual(expectedOf(fixture));
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  });

  test('are never shown as whole when the stream breaks off in the middle', async () => {
    const gateway = await gatewayTo(fixture, ({ events }) => events(fixture.firstHalf));
    const { events, error } = await gateway.read(toolQuestion);
    expect(error).toMatchObject({ code: 'provider_stream_interrupted' });
    expect(readingOf(events)).toMatchObject({ wholes: [], finish: null });
    expect(readingOf(events).pieces[0]?.name).toBe('get_weather');
  });
});

describe('what models get wrong is passed on as it is', () => {
  const vendor = { id: 'test', apiKey: null };
  const openAi = (calls: unknown, finish = 'tool_calls') =>
    shown(
      readOpenAi(vendor, 'gpt-4o', {
        choices: [{ message: { content: null, tool_calls: calls }, finish_reason: finish }],
      }),
    );
  const stream = async (...deltas: [object, string?][]) => {
    const chunks = deltas.map(([delta, finish]) =>
      JSON.stringify({ choices: [{ delta, finish_reason: finish ?? null }] }),
    );
    const body = chunks.map((chunk) => `data: ${chunk}\n\n`).join('');
    const gateway = await gatewayTo(openAiFixture, ({ events }) => events(`${body}data: [DONE]\n\n`));
    const { events, error } = await gateway.read(toolQuestion);
    return { ...readingOf(events), error };
  };

  test('arguments that are no JSON, and a name that was not offered', () => {
    const { toolCalls } = openAi([toolCall('call_1', 'no_such_tool', '{"city":')]);
    expect(toolCalls).toEqual([toolCall('call_1', 'no_such_tool', '{"city":')]);
  });

  test('arguments that the cap cut off', async () => {
    const call = { index: 0, id: 'call_1', function: { name: 'get_weather', arguments: '{"ci' } };
    const read = await stream([{ tool_calls: [call] }, 'length']);
    expect(read).toMatchObject({ finish: 'length', wholes: [toolCall('call_1', 'get_weather', '{"ci')] });
  });

  test('no arguments are an empty object, and an object is its JSON', () => {
    const read = openAi([
      { id: 'call_1', function: { name: 'a' } },
      { id: 'call_2', function: { name: 'b', arguments: { x: 1 } } },
    ]);
    expect(read.toolCalls.map(({ function: called }) => called.arguments)).toEqual(['{}', '{"x":1}']);
  });

  test('but a call without an id gets one, the same in the pieces and the whole', async () => {
    const [call] = openAi([{ function: { name: 'get_time', arguments: '{}' } }]).toolCalls;
    expect(call?.id).toMatch(/^call_[0-9A-Z]{26}$/);
    const function_ = { name: 'get_time', arguments: '{}' };
    const read = await stream([{ tool_calls: [{ index: 0, id: '', function: function_ }] }, 'stop']);
    expect(read.finish).toBe('tool_calls');
    expect(read.wholes).toEqual([toolCall(read.pieces[0]?.id ?? '', 'get_time', '{}')]);
    expect(read.pieces[0]?.id).toMatch(/^call_/);
  });

  test('and a call without a name makes the answer invalid', async () => {
    const call = { index: 0, id: 'call_1', function: { arguments: '{}' } };
    const read = await stream([{ tool_calls: [call] }, 'tool_calls']);
    expect(read).toMatchObject({ pieces: [], error: { code: 'provider_invalid_response' } });
    expect(() => openAi([{}])).toThrow('a call of a tool without a name');
  });

  test('and arguments without end too', async () => {
    const call = (json: string) => ({ index: 0, id: 'call_1', function: { name: 'a', arguments: json } });
    const big = 'x'.repeat(1024 * 1024);
    const read = await stream(...Array.from({ length: 5 }, (): [object] => [{ tool_calls: [call(big)] }]), [
      {},
      'tool_calls',
    ]);
    expect(read.error).toMatchObject({ code: 'provider_invalid_response' });
  });

  test('Gemini: no index, the reason "stop", and a signature to be sent back', async () => {
    const extra_content = { google: { thought_signature: 'c2lnbmF0dXJl' } };
    const call = (id: string, more: object = {}) => ({
      id,
      type: 'function',
      function: { name: 'get_time', arguments: '{}' },
      ...more,
    });
    const read = await stream(
      [{ tool_calls: [call('function-call-1', { extra_content })] }],
      [{ tool_calls: [call('function-call-2')] }, 'stop'],
    );
    expect(read.finish).toBe('tool_calls');
    expect(read.wholes).toEqual([
      { ...toolCall('function-call-1', 'get_time', '{}'), extra_content },
      toolCall('function-call-2', 'get_time', '{}'),
    ]);
    expect(openAi([call('function-call-1', { extra_content })], 'stop')).toMatchObject({
      finishReason: 'tool_calls',
      toolCalls: [{ extra_content }],
    });
  });

  test('calls that take turns are kept apart by their index', async () => {
    const piece = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] });
    const read = await stream(
      [piece(0, { id: 'a', function: { name: 'get_weather', arguments: '{"city"' } })],
      [piece(1, { id: 'b', function: { name: 'get_time', arguments: '{' } })],
      [piece(0, { function: { arguments: ':"Bern"}' } })],
      [piece(1, { function: { arguments: '}' } }), 'tool_calls'],
    );
    expect(read.wholes).toEqual([
      toolCall('a', 'get_weather', '{"city":"Bern"}'),
      toolCall('b', 'get_time', '{}'),
    ]);
  });

  test.each(['tool_use', 'end_turn'])('Anthropic: with the reason %s', (stop_reason) => {
    const read = readAnthropic(
      { vendor, model: 'claude-sonnet-4-6', customTools: new Set() },
      { ...anthropicToolFixture.reply, stop_reason },
    );
    expect(read.finishReason).toBe('tool_calls');
    const none = readAnthropic(
      { vendor, model: 'claude-sonnet-4-6', customTools: new Set() },
      { ...anthropicFixture.reply, stop_reason },
    );
    expect(shown(none)).toMatchObject({ toolCalls: [], finishReason: 'stop' });
  });

  test('Anthropic: input that comes with the start of its block, and an id that is missing', async () => {
    const body = anthropicToolFixture.stream
      .replace(/event: content_block_delta\ndata: [^\n]*input_json_delta[^\n]*\n\n/g, '')
      .replace(
        '"id":"toolu_01T1x","name":"get_weather","input":{}',
        '"name":"get_weather","input":{"city":"Bern"}',
      );
    const gateway = await gatewayTo(anthropicFixture, ({ events }) => events(body));
    const { pieces } = readingOf((await gateway.read(toolQuestion)).events);
    expect(pieces).toMatchObject([{ id: expect.stringMatching(/^call_/), arguments: '{"city":"Bern"}' }, {}]);
  });

  test('Anthropic: arguments that are no JSON', async () => {
    const body = anthropicToolFixture.stream.replace('ich 🏔️', '\\"');
    const gateway = await gatewayTo(anthropicFixture, ({ events }) => events(body));
    const { wholes } = readingOf((await gateway.read(toolQuestion)).events);
    expect(wholes[0]).toEqual(toolCall('toolu_01T1x', 'get_weather', '{"city":"Zür""}'));
  });

  test('and nothing of it keeps a vendor that answers with text from doing so', async () => {
    const gateway = await gatewayTo(openAiToolFixture, ({ json }) => json(openAiFixture.reply));
    expect(shown((await gateway.ask(toolQuestion)).completion)).toMatchObject({
      toolCalls: [],
      finishReason: 'stop',
    });
    const broken = await gatewayTo(openAiToolFixture, ({ json }) =>
      json({ choices: [{ message: { tool_calls: [{}] } }] }),
    );
    expect(await errorOf(broken.ask(toolQuestion))).toMatchObject({ code: 'provider_invalid_response' });
  });
});
