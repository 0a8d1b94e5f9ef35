/** Other addresses and keys, and how often the SDK tries. The mock does not know all of the addresses, and takes any key. */
import assert from 'node:assert/strict';
import OpenAI, { AzureOpenAI } from 'openai';
import { anywhere, beyondMock, given, refusalOf } from '../lib/judge.js';
import { answer, say } from '../lib/said.js';

const base = given('BASE');
const apiKey = given('KEY');
const model = given('MODEL_OPENAI');
const asks = (content) => ({ model, messages: [{ role: 'user', content }] });
const textAt = async (baseURL) => {
  const openai = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
  return (await openai.chat.completions.create(asks(say.text))).choices[0].message.content;
};
const azure = () => new AzureOpenAI({ endpoint: base, apiKey, apiVersion: '2024-10-21', maxRetries: 0 });

export const elsewhere = () => ({
  "at Azure's address": async () => {
    const reply = await azure().chat.completions.create(asks(say.text));
    assert.equal(reply.choices[0].message.content, answer.text);
  },
  "at Azure's address: stream": async () => {
    const stream = azure().chat.completions.stream(asks(say.text));
    assert.equal(await stream.finalContent(), answer.text);
  },
  'under /openai/v1': async () => assert.equal(await textAt(`${base}/openai/v1`), answer.text),
  'without /v1': async () => assert.equal(await textAt(base), answer.text),
  'with /v1 twice': beyondMock(async () => assert.equal(await textAt(`${base}/v1/v1`), answer.text)),
  'a wrong key': anywhere(
    beyondMock(async () => {
      const wrong = new OpenAI({ baseURL: `${base}/v1`, apiKey: 'sk-wrong', maxRetries: 0 });
      const error = await refusalOf(() => wrong.chat.completions.create(asks(say.text)));
      assert.ok(error instanceof OpenAI.AuthenticationError, String(error));
      assert.equal(error.code, 'invalid_api_key');
    }),
  ),
  // What the gateway has tried as often as it may, its client is not to try again; the mock does not say so.
  'no second attempt': beyondMock(async () => {
    let attempts = 0;
    const counted = new OpenAI({
      baseURL: `${base}/v1`,
      apiKey,
      fetch: (...request) => {
        attempts += 1;
        return fetch(...request);
      },
    });
    await refusalOf(() => counted.chat.completions.create(asks(say.broken)));
    assert.equal(attempts, 1);
  }),
});
