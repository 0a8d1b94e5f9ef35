/** Vectors of a real model, asked for on both interfaces that have them. */
import { expect, it, onTestFinished } from 'vitest';
import { appForThisTest } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { providerOf } from '../helpers/vendor-gateway.ts';
import { startEmbeddings } from './servers.ts';

const texts = ['How much protein per day?', 'Wie viel Eiweiß am Tag?'];

it('are those that the server gives whoever asks it directly, with its count of tokens', {
  timeout: 900_000,
}, async () => {
  const server = await startEmbeddings();
  onTestFinished(() => server.kill());
  const provider = providerOf('openai', server.baseUrl, { id: 'local', apiKey: null, patterns: [] });
  const app = await appForThisTest({ models: { providers: [provider] } });
  const model = 'local/e5-query';
  const direct = await ask(`${server.baseUrl}/embeddings`, {
    body: { model: 'e5-query', input: texts },
    direct: true,
  });
  const wanted: number[][] = direct.json.data.map(({ embedding }: { embedding: number[] }) => embedding);
  const tokens = direct.json.usage.prompt_tokens;
  expect(wanted.map(({ length }) => length)).toEqual([384, 384]);

  const embeddings = async (more: object) => {
    const answer = await ask(`${app.url}/v1/embeddings`, { body: { model, input: texts, ...more } });
    const { json } = await ask(`${app.url}/v1/requests/${answer.headers['x-request-id']}`);
    expect(json.usage).toMatchObject({ prompt_tokens: tokens, source: 'provider' });
    return answer.json;
  };
  const { data, usage } = await embeddings({});
  expect(data.map(({ embedding }: { embedding: number[] }) => embedding)).toEqual(wanted);
  expect(usage.prompt_tokens).toBe(tokens);
  const coded = await embeddings({ encoding_format: 'base64' });
  const numbers = Buffer.from(coded.data[0].embedding, 'base64');
  expect(numbers.readFloatLE(0)).toBeCloseTo(wanted[0]?.[0] ?? 0, 6);

  const gemini = (action: string, body: object) =>
    ask(`${app.url}/v1beta/models/${model}:${action}`, { body });
  const part = (text = '') => ({ content: { parts: [{ text }] } });
  expect((await gemini('embedContent', part(texts[0]))).json.embedding.values).toEqual(wanted[0]);
  const requests = texts.map((text) => ({ model: `models/${model}`, ...part(text) }));
  const batch = (await gemini('batchEmbedContents', { requests })).json.embeddings;
  expect(batch.map(({ values }: { values: number[] }) => values)).toEqual(wanted);
  // The server ignores a length that is asked for.
  const shorter = await gemini('embedContent', { ...part(texts[0]), outputDimensionality: 16 });
  expect([shorter.status, shorter.error.message]).toEqual([
    400,
    expect.stringContaining('vectors of 384 numbers'),
  ]);
});
