/** LangChain for JavaScript on three interfaces: Chat Completions, Responses and Messages. */
import assert from 'node:assert/strict';
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { z } from 'zod';
import { given, judge, refusalOf } from '../lib/judge.js';
import { answer, picture, say, used, weatherOf, weatherTool } from '../lib/said.js';

const base = given('BASE');
const apiKey = given('KEY');
const openai = {
  model: given('MODEL_OPENAI'),
  apiKey,
  maxRetries: 0,
  configuration: { baseURL: `${base}/v1` },
};
const models = {
  chat: new ChatOpenAI({ ...openai, useResponsesApi: false }),
  responses: new ChatOpenAI({ ...openai, useResponsesApi: true, zdrEnabled: true }),
  anthropic: new ChatAnthropic({
    model: given('MODEL_ANTHROPIC'),
    apiKey,
    maxRetries: 0,
    anthropicApiUrl: base,
  }),
};
const weather = tool(async (input) => weatherTool.run(input), {
  name: weatherTool.name,
  description: weatherTool.description,
  schema: z.object({ city: z.string(), unit: z.enum(['celsius', 'fahrenheit']) }),
});
const City = z.object({ city: z.string(), population: z.number().int(), coastal: z.boolean() });
const tokens = ({ usage_metadata: usage }) => [usage.input_tokens, usage.output_tokens];
async function streamed(stream) {
  let whole;
  for await (const chunk of stream) whole = whole === undefined ? chunk : whole.concat(chunk);
  return whole;
}

const cases = (model) => ({
  text: async () => {
    const message = await model.invoke(say.text);
    assert.equal(message.text, answer.text);
    assert.deepEqual(tokens(message), [used.input, used.output]);
  },
  'stream with usage': async () => {
    const message = await streamed(await model.stream(say.text));
    assert.equal(message.text, answer.text);
    // Of Messages it takes the beginning's word for what went in, when that is an estimate, and adds up what came out.
    const [input, output] = tokens(message);
    if (model instanceof ChatAnthropic) assert.ok(input > 0 && output >= used.output);
    else assert.deepEqual([input, output], [used.input, used.output]);
  },
  'tool calls and results': async () => {
    const bound = model.bindTools([weather]);
    const question = new HumanMessage(say.parallel);
    const first = await streamed(await bound.stream([question]));
    assert.deepEqual(
      first.tool_calls.map((call) => call.args),
      [weatherOf('Oslo'), weatherOf('Rome')],
    );
    const results = await Promise.all(first.tool_calls.map((call) => weather.invoke(call)));
    assert.ok(results.every((result) => ToolMessage.isInstance(result)));
    const second = await bound.invoke([question, first, ...results]);
    assert.equal(second.text, answer.parallel);
  },
  'JSON by schema': async () => {
    const structured = model.withStructuredOutput(City, { name: 'city', method: 'jsonSchema' });
    assert.deepEqual(await structured.invoke(say.json), answer.json);
  },
  image: async () => {
    const contentBlocks = [
      { type: 'text', text: say.image },
      { type: 'image', mimeType: picture.type, data: picture.base64 },
    ];
    assert.equal((await model.invoke([new HumanMessage({ contentBlocks })])).text, answer.image);
  },
  'error 429': async () => {
    const error = await refusalOf(() => model.invoke(say.tooMany));
    assert.equal(error.status, 429);
  },
  'cut stream': async () => {
    let text = '';
    const error = await refusalOf(async () => {
      for await (const chunk of await model.stream(say.cut)) text += chunk.text;
      return text;
    });
    assert.ok(error instanceof Error);
    assert.ok(text.startsWith('This answe'), `the text before the cut is lost: ${text}`);
  },
});

const groups = Object.entries(models).map(([name, model]) => [name, cases(model)]);
await judge({
  ...Object.fromEntries(groups),
  embeddings: async () => {
    const vectors = await new OpenAIEmbeddings({
      model: 'text-embedding-3-small',
      apiKey,
      maxRetries: 0,
      configuration: { baseURL: `${base}/v1` },
    }).embedDocuments(['one text', 'another']);
    assert.equal(vectors.length, 2);
    assert.ok(vectors.flat().every((number) => Number.isFinite(number)));
  },
});
