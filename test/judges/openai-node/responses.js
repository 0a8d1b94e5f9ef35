/** Responses. */
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { z } from 'zod';
import { beyondMock, brokeOff, given, refusalOf } from '../lib/judge.js';
import { answer, pdf, picture, say, used, weatherOf, weatherTool } from '../lib/said.js';

const model = given('MODEL_OPENAI');
const tools = [
  {
    type: 'function',
    name: weatherTool.name,
    description: weatherTool.description,
    parameters: weatherTool.schema,
    strict: true,
  },
];
const user = (content) => ({ role: 'user', content });
const City = z.object({ city: z.string(), population: z.number().int(), coastal: z.boolean() });
const calls = (reply) => reply.output.filter((item) => item.type === 'function_call');
const asked = (reply) =>
  calls(reply).map((call) => {
    assert.equal(call.name, weatherTool.name);
    return JSON.parse(call.arguments);
  });
/** A reply's items with the results of its calls, as the next turn carries them. */
const results = (reply) => [
  ...reply.output,
  ...calls(reply).map((call) => ({
    type: 'function_call_output',
    call_id: call.call_id,
    output: weatherTool.run(JSON.parse(call.arguments)),
  })),
];
const base = { model, store: false };

/** @param {OpenAI} openai */
export const responses = (openai) => ({
  'responses text': async () => {
    const reply = await openai.responses.create({ ...base, input: say.text });
    assert.equal(reply.object, 'response');
    assert.equal(reply.status, 'completed');
    assert.equal(reply.output_text, answer.text);
    assert.equal(reply.usage.input_tokens, used.input);
    assert.equal(reply.usage.output_tokens, used.output);
    assert.ok(reply._request_id, 'no x-request-id');
  },
  'responses over a socket, one after another': beyondMock(async () => {
    const socket = new ResponsesWS(openai);
    const ask = async (model, previous_response_id) => {
      socket.send({ type: 'response.create', ...base, model, input: say.text, previous_response_id });
      let text = '';
      for await (const event of socket) {
        if (event.type === 'error') throw event.error;
        if (event.type !== 'message') continue;
        if (event.message.type === 'response.output_text.delta') text += event.message.delta;
        if (event.message.type !== 'response.completed') continue;
        assert.equal(text, answer.text);
        return event.message.response.id;
      }
    };
    await ask(model, await ask(model));
    // Its vendor is asked over a socket too, for what is new.
    await ask('gpt-on-socket', await ask('gpt-on-socket'));
    socket.close();
  }),
  'responses stream with usage': async () => {
    const stream = openai.responses.stream({ ...base, input: say.text });
    let text = '';
    const seen = [];
    stream.on('event', (event) => seen.push(event));
    stream.on('response.output_text.delta', (event) => {
      text += event.delta;
    });
    const whole = await stream.finalResponse();
    assert.equal(text, answer.text);
    assert.equal(whole.output_text, answer.text);
    assert.deepEqual([whole.usage.input_tokens, whole.usage.output_tokens], [used.input, used.output]);
    const types = seen.map((event) => event.type);
    for (const type of [
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
    ])
      assert.ok(types.includes(type), `no ${type}`);
    assert.equal(types.at(-1), 'response.completed');
  },
  'responses sequence numbers': beyondMock(async () => {
    const stream = await openai.responses.create({ ...base, input: say.text, stream: true });
    const numbers = [];
    for await (const event of stream) numbers.push(event.sequence_number);
    assert.deepEqual(
      numbers,
      numbers.map((_, at) => numbers[0] + at),
    );
  }, ['translated']),
  'responses tool call and result': async () => {
    const input = [user(say.tool)];
    const first = await openai.responses.create({ ...base, input, tools });
    assert.deepEqual(asked(first), [weatherOf('Oslo')]);
    const second = await openai.responses.create({
      ...base,
      input: [...input, ...results(first)],
      tools,
    });
    assert.equal(second.output_text, answer.tool);
  },
  'responses stream of a tool call': async () => {
    const stream = openai.responses.stream({ ...base, input: [user(say.tool)], tools });
    let text = '';
    stream.on('response.function_call_arguments.delta', (event) => {
      text += event.delta;
    });
    const whole = await stream.finalResponse();
    assert.deepEqual(JSON.parse(text), weatherOf('Oslo'));
    assert.deepEqual(asked(whole), [weatherOf('Oslo')]);
  },
  'responses parallel calls and results': async () => {
    const input = [user(say.parallel)];
    const first = await openai.responses.stream({ ...base, input, tools }).finalResponse();
    assert.deepEqual(asked(first), [weatherOf('Oslo'), weatherOf('Rome')]);
    assert.equal(new Set(calls(first).map((call) => call.call_id)).size, 2);
    // The helper adds what it has parsed, which the interface does not take back.
    const items = results(first).map(({ parsed_arguments: _, ...item }) => item);
    const second = await openai.responses.create({ ...base, input: [...input, ...items], tools });
    assert.equal(second.output_text, answer.parallel);
  },
  'responses JSON by schema': async () => {
    const reply = await openai.responses.parse({
      ...base,
      input: say.json,
      text: { format: zodTextFormat(City, 'city') },
    });
    assert.deepEqual(reply.output_parsed, answer.json);
  },
  'responses image': async () => {
    const reply = await openai.responses.create({
      ...base,
      input: [
        user([
          { type: 'input_text', text: say.image },
          {
            type: 'input_image',
            detail: 'low',
            image_url: `data:${picture.type};base64,${picture.base64}`,
          },
        ]),
      ],
    });
    assert.equal(reply.output_text, answer.image);
  },
  'responses document': async () => {
    const file = {
      type: 'input_file',
      filename: 'hello.pdf',
      file_data: `data:application/pdf;base64,${pdf}`,
    };
    const reply = await openai.responses.create({
      ...base,
      input: [user([{ type: 'input_text', text: say.document }, file])],
    });
    assert.equal(reply.output_text, answer.document);
  },
  'responses thinking': async () => {
    const stream = openai.responses.stream({
      ...base,
      input: say.thinking,
      reasoning: { effort: 'medium', summary: 'auto' },
    });
    let summary = '';
    stream.on('response.reasoning_summary_text.delta', (event) => {
      summary += event.delta;
    });
    const whole = await stream.finalResponse();
    assert.equal(whole.output_text, answer.thinking);
    assert.equal(summary, answer.thought);
    const item = whole.output.find((output) => output.type === 'reasoning');
    assert.equal(item.summary.map((part) => part.text).join(''), answer.thought);
  },
  'responses thinking, then a tool': async () => {
    const more = {
      ...base,
      tools,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'medium' },
    };
    const input = [user(say.thinkThenTool)];
    const first = await openai.responses.create({ ...more, input });
    assert.ok(
      first.output.some((item) => item.type === 'reasoning'),
      'no reasoning',
    );
    assert.deepEqual(asked(first), [weatherOf('Oslo')]);
    const second = await openai.responses.create({ ...more, input: [...input, ...results(first)] });
    assert.equal(second.output_text, answer.tool);
  },
  'responses length': async () => {
    const reply = await openai.responses.create({ ...base, input: say.length, max_output_tokens: 16 });
    assert.equal(reply.status, 'incomplete');
    assert.equal(reply.output_text, answer.length);
  },
  'responses stream after a long silence': async () => {
    const stream = openai.responses.stream({ ...base, input: say.slow });
    assert.equal((await stream.finalResponse()).output_text, answer.slow);
  },
  'responses 429': async () => {
    const error = await refusalOf(() => openai.responses.create({ ...base, input: say.tooMany }));
    assert.ok(error instanceof OpenAI.RateLimitError, String(error));
    assert.ok(error.headers.get('retry-after'), 'no retry-after');
  },
  'responses 500': async () => {
    const error = await refusalOf(() => openai.responses.create({ ...base, input: say.broken }));
    assert.ok(error instanceof OpenAI.InternalServerError, String(error));
  },
  'responses cut stream': async () => {
    let text = '';
    const error = await refusalOf(async () => {
      for await (const event of await openai.responses.create({ ...base, input: say.cut, stream: true }))
        if (event.type === 'response.output_text.delta') text += event.delta;
      return text;
    });
    brokeOff(text, error);
  },
});
