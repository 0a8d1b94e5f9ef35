/** Google's Gen AI SDK for Node.js, on the Gemini interface. */
import assert from 'node:assert/strict';
import { ApiError, FunctionCallingConfigMode, GoogleGenAI } from '@google/genai';
import { anywhere, beyondMock, brokeOff, given, judge, refusalOf } from '../lib/judge.js';
import { answer, citySchema, pdf, picture, say, used, weatherOf, weatherTool } from '../lib/said.js';

const httpOptions = { baseUrl: given('BASE'), timeout: 15_000, retryOptions: { attempts: 1 } };
const ai = new GoogleGenAI({ apiKey: given('KEY'), apiVersion: 'v1beta', httpOptions });
/** Asks under /v1, the SDK's default from 3.0 on. The mock does not serve that. */
const stable = new GoogleGenAI({ apiKey: given('KEY'), httpOptions });
const model = given('MODEL_GEMINI');
const embedding = process.env.MODEL_EMBEDDING_GEMINI ?? 'gemini-embedding-001';
const user = (...parts) => ({ role: 'user', parts });
const declared = {
  name: weatherTool.name,
  description: weatherTool.description,
  parametersJsonSchema: weatherTool.schema,
};
const tools = [{ functionDeclarations: [declared] }];

const asked = (response) =>
  response.functionCalls.map((call) => {
    assert.equal(call.name, weatherTool.name);
    return call.args;
  });
const tokens = ({ usageMetadata }) => [usageMetadata.promptTokenCount, usageMetadata.candidatesTokenCount];
/** The turns after a response with calls: its content, then all results in one turn. */
const results = (response) => [
  response.candidates[0].content,
  user(
    ...response.functionCalls.map(({ id, name, args }) => ({
      functionResponse: { id, name, response: { output: weatherTool.run(args) } },
    })),
  ),
];
async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}
const textOf = (chunks) => chunks.map((chunk) => chunk.text ?? '').join('');
const thoughtOf = (responses) =>
  responses
    .flatMap((response) => response.candidates?.[0]?.content?.parts ?? [])
    .map((part) => (part.thought ? part.text : ''))
    .join('');
/** A tool that the SDK calls by itself. */
const callable = (log) => ({
  tool: async () => tools[0],
  callTool: async (calls) =>
    calls.map(({ id, name, args }) => {
      log.push(args);
      return { functionResponse: { id, name, response: { output: weatherTool.run(args) } } };
    }),
});

await judge({
  text: async () => {
    const response = await ai.models.generateContent({ model, contents: say.text });
    assert.equal(response.text, answer.text);
    assert.equal(response.candidates[0].finishReason, 'STOP');
    assert.deepEqual(tokens(response), [used.input, used.output]);
  },
  'text with instructions and limits': async () => {
    const response = await ai.models.generateContent({
      model,
      contents: [user({ text: say.text })],
      config: { systemInstruction: 'Be brief.', temperature: 0.2, topP: 0.9, maxOutputTokens: 200 },
    });
    assert.equal(response.text, answer.text);
  },
  'stream with usage': async () => {
    const chunks = await collect(await ai.models.generateContentStream({ model, contents: say.text }));
    assert.equal(textOf(chunks), answer.text);
    assert.equal(chunks.at(-1).candidates[0].finishReason, 'STOP');
    assert.deepEqual(tokens(chunks.at(-1)), [used.input, used.output]);
  },
  chat: async () => {
    const chat = ai.chats.create({ model });
    assert.equal((await chat.sendMessage({ message: say.text })).text, answer.text);
    assert.equal((await chat.sendMessage({ message: say.length })).text, answer.length);
    assert.equal(chat.getHistory().length, 4);
  },
  'function call and response': async () => {
    const first = await ai.models.generateContent({ model, contents: say.tool, config: { tools } });
    assert.deepEqual(asked(first), [weatherOf('Oslo')]);
    const second = await ai.models.generateContent({
      model,
      contents: [user({ text: say.tool }), ...results(first)],
      config: { tools, toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } } },
    });
    assert.equal(second.text, answer.tool);
  },
  'stream of a function call': async () => {
    const chunks = await collect(
      await ai.models.generateContentStream({ model, contents: say.tool, config: { tools } }),
    );
    const calls = chunks.flatMap((chunk) => chunk.functionCalls ?? []);
    assert.deepEqual(
      calls.map((call) => call.args),
      [weatherOf('Oslo')],
    );
  },
  'parallel calls and responses': async () => {
    const first = await ai.models.generateContent({ model, contents: say.parallel, config: { tools } });
    assert.deepEqual(asked(first), [weatherOf('Oslo'), weatherOf('Rome')]);
    const second = await ai.models.generateContent({
      model,
      contents: [user({ text: say.parallel }), ...results(first)],
      config: { tools },
    });
    assert.equal(second.text, answer.parallel);
  },
  'automatic function calling': async () => {
    const log = [];
    const response = await ai.models.generateContent({
      model,
      contents: say.parallel,
      config: { tools: [callable(log)] },
    });
    assert.equal(response.text, answer.parallel);
    assert.deepEqual(log, [weatherOf('Oslo'), weatherOf('Rome')]);
  },
  'JSON by schema': async () => {
    const response = await ai.models.generateContent({
      model,
      contents: say.json,
      config: { responseMimeType: 'application/json', responseJsonSchema: citySchema },
    });
    assert.deepEqual(JSON.parse(response.text), answer.json);
  },
  image: async () => {
    const response = await ai.models.generateContent({
      model,
      contents: [user({ inlineData: { mimeType: picture.type, data: picture.base64 } }, { text: say.image })],
    });
    assert.equal(response.text, answer.image);
  },
  document: async () => {
    const response = await ai.models.generateContent({
      model,
      contents: [user({ inlineData: { mimeType: 'application/pdf', data: pdf } }, { text: say.document })],
    });
    assert.equal(response.text, answer.document);
  },
  thinking: async () => {
    const response = await ai.models.generateContent({
      model,
      contents: say.thinking,
      config: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 } },
    });
    assert.equal(response.text, answer.thinking);
    assert.equal(thoughtOf([response]), answer.thought);
  },
  'stream of thinking': async () => {
    const chunks = await collect(
      await ai.models.generateContentStream({
        model,
        contents: say.thinking,
        config: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 } },
      }),
    );
    assert.equal(textOf(chunks), answer.thinking);
    assert.equal(thoughtOf(chunks), answer.thought);
  },
  'thinking, then a function': async () => {
    const config = { tools, thinkingConfig: { includeThoughts: true } };
    const first = await ai.models.generateContent({ model, contents: say.thinkThenTool, config });
    assert.deepEqual(asked(first), [weatherOf('Oslo')]);
    const contents = [user({ text: say.thinkThenTool }), ...results(first)];
    assert.equal((await ai.models.generateContent({ model, contents, config })).text, answer.tool);
  },
  refusal: async () => {
    const response = await ai.models.generateContent({ model, contents: say.refusal });
    const { finishReason } = response.candidates[0];
    assert.ok(['SAFETY', 'PROHIBITED_CONTENT'].includes(finishReason), `finishReason ${finishReason}`);
  },
  length: async () => {
    const response = await ai.models.generateContent({
      model,
      contents: say.length,
      config: { maxOutputTokens: 7 },
    });
    assert.equal(response.candidates[0].finishReason, 'MAX_TOKENS');
    assert.equal(response.text, answer.length);
  },
  'error 429': async () => {
    const error = await refusalOf(() => ai.models.generateContent({ model, contents: say.tooMany }));
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.status, 429);
  },
  // The mock answers with the status that its fixture has, which is another wire's.
  "error 429 in Google's words": beyondMock(async () => {
    const error = await refusalOf(() => ai.models.generateContent({ model, contents: say.tooMany }));
    assert.equal(JSON.parse(error.message).error.status, 'RESOURCE_EXHAUSTED');
  }, ['translated']),
  'error 500': async () => {
    const error = await refusalOf(() => ai.models.generateContent({ model, contents: say.broken }));
    assert.ok(error instanceof ApiError, String(error));
    assert.ok(error.status >= 500, `status ${error.status}`);
  },
  '429 to a stream': async () => {
    const error = await refusalOf(async () =>
      collect(await ai.models.generateContentStream({ model, contents: say.tooMany })),
    );
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.status, 429);
  },
  // After ten seconds of silence the server says that it is still there, which a client must not take for an answer.
  'stream after a long silence': async () => {
    const chunks = await collect(await ai.models.generateContentStream({ model, contents: say.slow }));
    assert.equal(textOf(chunks), answer.slow);
  },
  'stream cut at once': async () => {
    await refusalOf(async () =>
      collect(await ai.models.generateContentStream({ model, contents: say.cutAtOnce })),
    );
  },
  'cut stream': async () => {
    let text = '';
    const error = await refusalOf(async () => {
      for await (const chunk of await ai.models.generateContentStream({ model, contents: say.cut }))
        text += chunk.text ?? '';
      return text;
    });
    brokeOff(text, error);
  },
  'count tokens': anywhere(
    beyondMock(async () => {
      const count = await ai.models.countTokens({ model, contents: say.text });
      assert.ok(Number.isInteger(count.totalTokens) && count.totalTokens > 0);
    }),
  ),
  'embed content': anywhere(async () => {
    const response = await ai.models.embedContent({ model: embedding, contents: 'one text' });
    assert.equal(response.embeddings.length, 1);
    assert.ok(response.embeddings[0].values.every((number) => Number.isFinite(number)));
  }),
  'embed several contents': anywhere(async () => {
    const response = await ai.models.embedContent({ model: embedding, contents: ['one text', 'another'] });
    assert.equal(response.embeddings.length, 2);
  }),
  'under /v1: text': beyondMock(async () => {
    const response = await stable.models.generateContent({ model, contents: say.text });
    assert.equal(response.text, answer.text);
  }),
  'under /v1: stream of a function call': beyondMock(async () => {
    const chunks = await collect(
      await stable.models.generateContentStream({ model, contents: say.tool, config: { tools } }),
    );
    assert.deepEqual(
      chunks.flatMap((chunk) => chunk.functionCalls ?? []).map((call) => call.args),
      [weatherOf('Oslo')],
    );
  }),
  'under /v1: models list': anywhere(
    beyondMock(async () => {
      const names = [];
      for await (const item of await stable.models.list()) names.push(item.name);
      assert.ok(names.length > 0);
    }),
  ),
  'under /gemini': beyondMock(async () => {
    const prefixed = new GoogleGenAI({
      apiKey: given('KEY'),
      apiVersion: 'v1beta',
      httpOptions: { ...httpOptions, baseUrl: `${given('BASE')}/gemini` },
    });
    const response = await prefixed.models.generateContent({ model, contents: say.text });
    assert.equal(response.text, answer.text);
  }),
  // The mock takes any key.
  'a wrong key': anywhere(
    beyondMock(async () => {
      const wrong = new GoogleGenAI({ apiKey: 'sk-wrong', apiVersion: 'v1beta', httpOptions });
      const error = await refusalOf(() => wrong.models.generateContent({ model, contents: say.text }));
      assert.ok(error instanceof ApiError, String(error));
      assert.ok([400, 401, 403].includes(error.status), `status ${error.status}`);
    }),
  ),
  'models list': anywhere(
    beyondMock(async () => {
      const names = [];
      for await (const item of await ai.models.list()) names.push(item.name);
      assert.ok(names.length > 0);
      assert.ok(
        names.every((name) => name.startsWith('models/')),
        names.join(' '),
      );
    }),
  ),
  'models one': anywhere(
    beyondMock(async () => {
      const item = await ai.models.get({ model });
      assert.equal(item.name, `models/${model}`);
    }),
  ),
});
