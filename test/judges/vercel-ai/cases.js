/** What each model of `judge.js` has to do. */
import assert from 'node:assert/strict';
import {
  APICallError,
  embedMany,
  generateObject,
  generateText,
  jsonSchema,
  Output,
  stepCountIs,
  streamText,
  tool,
} from 'ai';
import { refusalOf } from '../lib/judge.js';
import { answer, citySchema, mockRefuses, picture, say, used, weatherOf, weatherTool } from '../lib/said.js';

const weather = tool({
  description: weatherTool.description,
  inputSchema: jsonSchema(weatherTool.schema),
  execute: async (input) => weatherTool.run(input),
});
const tools = { [weatherTool.name]: weather };
const maxRetries = 0;
const tokens = (usage) => [usage.inputTokens, usage.outputTokens];
/** A stream's parts. An error among them is thrown, as in a program that reads them. */
async function partsOf(stream) {
  const parts = [];
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    parts.push(part);
  }
  return parts;
}
const quiet = { onError: () => {} };

export const cases = ({ model, thinking, embedding }) => ({
  text: async () => {
    const result = await generateText({ model, maxRetries, prompt: say.text });
    assert.equal(result.text, answer.text);
    assert.equal(result.finishReason, 'stop');
    assert.deepEqual(tokens(result.usage), [used.input, used.output]);
  },
  'stream with usage': async () => {
    const result = streamText({ model, maxRetries, prompt: say.text, ...quiet });
    const parts = await partsOf(result.fullStream);
    assert.equal(await result.text, answer.text);
    assert.equal(await result.finishReason, 'stop');
    assert.deepEqual(tokens(await result.usage), [used.input, used.output]);
    const types = parts.map((part) => part.type);
    assert.ok(types.indexOf('text-start') < types.indexOf('text-delta'));
    assert.ok(types.lastIndexOf('text-delta') < types.indexOf('text-end'));
  },
  'tool loop': async () => {
    const result = await generateText({
      model,
      maxRetries,
      prompt: say.tool,
      tools,
      stopWhen: stepCountIs(3),
    });
    assert.equal(result.steps.length, 2);
    assert.deepEqual(
      result.steps[0].toolCalls.map((call) => call.input),
      [weatherOf('Oslo')],
    );
    assert.equal(result.steps[0].finishReason, 'tool-calls');
    assert.equal(result.text, answer.tool);
  },
  'stream of parallel calls': async () => {
    const result = streamText({
      model,
      maxRetries,
      prompt: say.parallel,
      tools,
      stopWhen: stepCountIs(3),
      ...quiet,
    });
    await partsOf(result.fullStream);
    const steps = await result.steps;
    assert.deepEqual(
      steps[0].toolCalls.map((call) => call.input),
      [weatherOf('Oslo'), weatherOf('Rome')],
    );
    assert.equal(steps[0].toolResults.length, 2);
    assert.equal(await result.text, answer.parallel);
  },
  'JSON by schema': async () => {
    const { object } = await generateObject({
      model,
      maxRetries,
      schema: jsonSchema(citySchema),
      prompt: say.json,
    });
    assert.deepEqual(object, answer.json);
  },
  'stream of JSON by schema': async () => {
    const result = streamText({
      model,
      maxRetries,
      prompt: say.json,
      output: Output.object({ schema: jsonSchema(citySchema) }),
      ...quiet,
    });
    await partsOf(result.fullStream);
    assert.deepEqual(await result.output, answer.json);
  },
  image: async () => {
    const content = [
      { type: 'text', text: say.image },
      { type: 'file', data: picture.base64, mediaType: picture.type },
    ];
    const result = await generateText({ model, maxRetries, messages: [{ role: 'user', content }] });
    assert.equal(result.text, answer.image);
  },
  ...(thinking && {
    'stream of thinking': async () => {
      const result = streamText({
        model,
        maxRetries,
        prompt: say.thinking,
        providerOptions: thinking,
        ...quiet,
      });
      await partsOf(result.fullStream);
      assert.equal(await result.text, answer.thinking);
      assert.equal(await result.reasoningText, answer.thought);
    },
  }),
  length: async () => {
    const result = await generateText({ model, maxRetries, prompt: say.length, maxOutputTokens: 16 });
    assert.equal(result.finishReason, 'length');
    assert.equal(result.text, answer.length);
  },
  ...((mockRefuses || !model.provider.startsWith('anthropic')) && {
    refusal: async () => {
      const result = await generateText({ model, maxRetries, prompt: say.refusal });
      assert.equal(result.finishReason, 'content-filter');
    },
  }),
  'error 429': async () => {
    const error = await refusalOf(() => generateText({ model, maxRetries, prompt: say.tooMany }));
    assert.ok(APICallError.isInstance(error), String(error));
    assert.equal(error.statusCode, 429);
    assert.ok(error.isRetryable);
    assert.ok(error.data, `the SDK does not understand the error: ${error.responseBody}`);
  },
  'error 500': async () => {
    const error = await refusalOf(() => generateText({ model, maxRetries, prompt: say.broken }));
    assert.ok(APICallError.isInstance(error), String(error));
    assert.ok(error.statusCode >= 500, `status ${error.statusCode}`);
  },
  // After ten seconds of silence the server says that it is still there. The others read their streams with the same parser.
  ...(model.provider.startsWith('google') && {
    'stream after a long silence': async () => {
      const result = streamText({ model, maxRetries, prompt: say.slow, ...quiet });
      await partsOf(result.fullStream);
      assert.equal(await result.text, answer.slow);
    },
  }),
  'cut stream': async () => {
    const result = streamText({ model, maxRetries, prompt: say.cut, ...quiet });
    let text = '';
    const error = await refusalOf(async () => {
      for await (const part of result.fullStream) {
        if (part.type === 'error') throw part.error;
        if (part.type === 'text-delta') text += part.text;
      }
      return text;
    });
    assert.ok(error, 'no error');
    assert.ok(text.startsWith('This answe'), `the text before the cut is lost: ${text}`);
  },
  ...(embedding && {
    embeddings: async () => {
      const { embeddings, usage } = await embedMany({
        model: embedding,
        maxRetries,
        values: ['one text', 'another'],
      });
      assert.equal(embeddings.length, 2);
      assert.ok(embeddings[0].every((number) => Number.isFinite(number)));
      assert.equal(typeof usage.tokens, 'number');
    },
  }),
});
