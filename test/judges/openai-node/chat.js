/** Chat Completions. */
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { LengthFinishReasonError } from 'openai/error';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { brokeOff, given, refusalOf } from '../lib/judge.js';
import { answer, citySchema, pdf, picture, say, used, weatherOf, weatherTool } from '../lib/said.js';

const model = given('MODEL_OPENAI');
const user = (content) => ({ role: 'user', content });
const tools = [
  {
    type: 'function',
    function: {
      name: weatherTool.name,
      description: weatherTool.description,
      parameters: weatherTool.schema,
      strict: true,
    },
  },
];
const City = z.object({ city: z.string(), population: z.number().int(), coastal: z.boolean() });

/** The cities that the calls of a message ask for. */
const asked = (message) =>
  message.tool_calls.map((call) => {
    assert.equal(call.type, 'function');
    assert.equal(call.function.name, weatherTool.name);
    return JSON.parse(call.function.arguments);
  });
/** A message's calls with their results, as the next turn carries them. */
const results = (message) => [
  message,
  ...message.tool_calls.map((call) => ({
    role: 'tool',
    tool_call_id: call.id,
    content: weatherTool.run(JSON.parse(call.function.arguments)),
  })),
];

/** @param {OpenAI} openai */
export const chat = (openai) => ({
  'chat text': async () => {
    const reply = await openai.chat.completions.create({ model, messages: [user(say.text)] });
    assert.equal(reply.object, 'chat.completion');
    assert.equal(reply.choices.length, 1);
    assert.equal(reply.choices[0].message.role, 'assistant');
    assert.equal(reply.choices[0].message.content, answer.text);
    assert.equal(reply.choices[0].finish_reason, 'stop');
    assert.equal(reply.usage.prompt_tokens, used.input);
    assert.equal(reply.usage.completion_tokens, used.output);
    assert.equal(reply.usage.total_tokens, used.input + used.output);
    assert.ok(reply._request_id, 'no x-request-id');
  },
  'chat stream with usage': async () => {
    const stream = openai.chat.completions.stream({
      model,
      messages: [user(say.text)],
      stream_options: { include_usage: true },
    });
    let text = '';
    stream.on('content', (delta) => {
      text += delta;
    });
    const whole = await stream.finalChatCompletion();
    assert.equal(text, answer.text);
    assert.equal(whole.choices[0].message.content, answer.text);
    assert.equal(whole.choices[0].finish_reason, 'stop');
    assert.deepEqual([whole.usage.prompt_tokens, whole.usage.completion_tokens], [used.input, used.output]);
  },
  'chat stream without usage': async () => {
    const stream = await openai.chat.completions.create({
      model,
      messages: [user(say.text)],
      stream: true,
    });
    let text = '';
    const ids = new Set();
    for await (const chunk of stream) {
      assert.equal(chunk.choices.length, 1, 'a chunk without a choice, though no usage was asked for');
      text += chunk.choices[0].delta.content ?? '';
      ids.add(chunk.id);
    }
    assert.equal(text, answer.text);
    assert.equal(ids.size, 1, 'the id changes within the stream');
  },
  'chat tool call and result': async () => {
    const messages = [user(say.tool)];
    const first = await openai.chat.completions.create({ model, messages, tools });
    assert.equal(first.choices[0].finish_reason, 'tool_calls');
    assert.deepEqual(asked(first.choices[0].message), [weatherOf('Oslo')]);
    const second = await openai.chat.completions.create({
      model,
      messages: [...messages, ...results(first.choices[0].message)],
      tools,
    });
    assert.equal(second.choices[0].message.content, answer.tool);
  },
  'chat stream of a tool call': async () => {
    const stream = openai.chat.completions.stream({ model, messages: [user(say.tool)], tools });
    const done = [];
    stream.on('tool_calls.function.arguments.done', (call) => done.push(call.parsed_arguments));
    const whole = await stream.finalChatCompletion();
    assert.deepEqual(done, [weatherOf('Oslo')]);
    assert.equal(whole.choices[0].finish_reason, 'tool_calls');
    assert.deepEqual(asked(whole.choices[0].message), [weatherOf('Oslo')]);
  },
  'chat parallel calls and results': async () => {
    const messages = [user(say.parallel)];
    const first = await openai.chat.completions.create({ model, messages, tools });
    const { message } = first.choices[0];
    assert.deepEqual(asked(message), [weatherOf('Oslo'), weatherOf('Rome')]);
    assert.equal(new Set(message.tool_calls.map((call) => call.id)).size, 2);
    const second = await openai.chat.completions.create({
      model,
      messages: [...messages, ...results(message)],
      tools,
    });
    assert.equal(second.choices[0].message.content, answer.parallel);
  },
  'chat stream of parallel calls': async () => {
    const stream = openai.chat.completions.stream({ model, messages: [user(say.parallel)], tools });
    const whole = await stream.finalChatCompletion();
    assert.deepEqual(asked(whole.choices[0].message), [weatherOf('Oslo'), weatherOf('Rome')]);
  },
  'chat runTools': async () => {
    const runner = openai.chat.completions.runTools({
      model,
      messages: [user(say.parallel)],
      stream: true,
      tools: [
        {
          type: 'function',
          function: {
            name: weatherTool.name,
            description: weatherTool.description,
            parameters: weatherTool.schema,
            parse: JSON.parse,
            function: weatherTool.run,
          },
        },
      ],
    });
    assert.equal(await runner.finalContent(), answer.parallel);
    assert.equal(runner.messages.filter((message) => message.role === 'tool').length, 2);
  },
  'chat JSON by schema': async () => {
    const reply = await openai.chat.completions.parse({
      model,
      messages: [user(say.json)],
      response_format: zodResponseFormat(City, 'city'),
    });
    assert.deepEqual(reply.choices[0].message.parsed, answer.json);
  },
  'chat stream of JSON by schema': async () => {
    const stream = openai.chat.completions.stream({
      model,
      messages: [user(say.json)],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'city', schema: citySchema, strict: true },
      },
    });
    const text = (await stream.finalChatCompletion()).choices[0].message.content;
    assert.deepEqual(JSON.parse(text), answer.json);
  },
  'chat image': async () => {
    const url = `data:${picture.type};base64,${picture.base64}`;
    const reply = await openai.chat.completions.create({
      model,
      messages: [
        user([
          { type: 'text', text: say.image },
          { type: 'image_url', image_url: { url, detail: 'low' } },
        ]),
      ],
    });
    assert.equal(reply.choices[0].message.content, answer.image);
  },
  'chat document': async () => {
    const file = { filename: 'hello.pdf', file_data: `data:application/pdf;base64,${pdf}` };
    const reply = await openai.chat.completions.create({
      model,
      messages: [
        user([
          { type: 'text', text: say.document },
          { type: 'file', file },
        ]),
      ],
    });
    assert.equal(reply.choices[0].message.content, answer.document);
  },
  'chat refusal': async () => {
    const reply = await openai.chat.completions.create({ model, messages: [user(say.refusal)] });
    const [choice] = reply.choices;
    assert.ok(
      choice.message.refusal || choice.finish_reason === 'content_filter',
      `finish_reason ${choice.finish_reason} and no refusal`,
    );
  },
  'chat length': async () => {
    const reply = await openai.chat.completions.create({
      model,
      messages: [user(say.length)],
      max_completion_tokens: 7,
    });
    assert.equal(reply.choices[0].finish_reason, 'length');
    assert.equal(reply.choices[0].message.content, answer.length);
  },
  'chat length, parsed': async () => {
    const error = await refusalOf(() =>
      openai.chat.completions.parse({
        model,
        messages: [user(say.length)],
        response_format: zodResponseFormat(City, 'city'),
      }),
    );
    assert.ok(error instanceof LengthFinishReasonError, String(error));
  },
  'chat 429': async () => {
    const error = await refusalOf(() =>
      openai.chat.completions.create({ model, messages: [user(say.tooMany)] }),
    );
    assert.ok(error instanceof OpenAI.RateLimitError, String(error));
    assert.ok(error.error.message, 'no message');
    assert.ok(error.headers.get('retry-after'), 'no retry-after');
  },
  'chat 500': async () => {
    const error = await refusalOf(() =>
      openai.chat.completions.create({ model, messages: [user(say.broken)] }),
    );
    assert.ok(error instanceof OpenAI.InternalServerError, String(error));
    assert.ok(error.error.message, 'no message');
  },
  'chat 429 to a stream': async () => {
    const error = await refusalOf(() =>
      openai.chat.completions.stream({ model, messages: [user(say.tooMany)] }).finalContent(),
    );
    assert.ok(error instanceof OpenAI.RateLimitError, String(error));
  },
  // After ten seconds of silence the server says that it is still there, which a client must not take for an answer.
  'chat stream after a long silence': async () => {
    const stream = openai.chat.completions.stream({ model, messages: [user(say.slow)] });
    assert.equal(await stream.finalContent(), answer.slow);
  },
  'chat stream cut at once': async () => {
    await refusalOf(async () => {
      const stream = openai.chat.completions.stream({ model, messages: [user(say.cutAtOnce)] });
      return await stream.finalContent();
    });
  },
  'chat cut stream': async () => {
    const stream = await openai.chat.completions.create({
      model,
      messages: [user(say.cut)],
      stream: true,
    });
    let text = '';
    const error = await refusalOf(async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      return text;
    });
    brokeOff(text, error);
  },
});
