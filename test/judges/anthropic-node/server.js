/** What is not about an answer: keys, addresses, ids, attempts, counts and models. */
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { anywhere, beyondMock, given, refusalOf } from '../lib/judge.js';
import { answer, say } from '../lib/said.js';
import { anthropic, asks, model, textOf, tools, user } from './asking.js';

export const server = {
  'request id': beyondMock(async () => {
    const message = await anthropic.messages.create(asks(say.text));
    assert.ok(message._request_id, 'no request-id');
  }),
  'a key as Bearer': async () => {
    const bearer = new Anthropic({
      baseURL: given('BASE'),
      apiKey: null,
      authToken: given('KEY'),
      maxRetries: 0,
    });
    assert.equal(textOf(await bearer.messages.create(asks(say.text))), answer.text);
  },
  // The mock takes any key.
  'a wrong key': anywhere(
    beyondMock(async () => {
      const wrong = new Anthropic({ baseURL: given('BASE'), apiKey: 'sk-wrong', maxRetries: 0 });
      const error = await refusalOf(() => wrong.messages.create(asks(say.text)));
      assert.ok(error instanceof Anthropic.AuthenticationError, String(error));
      assert.equal(error.error.error.type, 'authentication_error');
    }),
  ),
  // The mock serves neither.
  'under /anthropic': beyondMock(async () => {
    const prefixed = new Anthropic({
      baseURL: `${given('BASE')}/anthropic`,
      apiKey: given('KEY'),
      maxRetries: 0,
    });
    assert.equal(textOf(await prefixed.messages.create(asks(say.text))), answer.text);
  }),
  // What the gateway has tried as often as it may, its client is not to try again; the mock does not say so.
  'no second attempt': beyondMock(async () => {
    let attempts = 0;
    const counted = new Anthropic({
      baseURL: given('BASE'),
      apiKey: given('KEY'),
      fetch: (...request) => {
        attempts += 1;
        return fetch(...request);
      },
    });
    await refusalOf(() => counted.messages.create(asks(say.broken)));
    assert.equal(attempts, 1);
  }),
  'count tokens': anywhere(
    beyondMock(async () => {
      const count = await anthropic.messages.countTokens({ model, messages: [user(say.text)], tools });
      assert.ok(Number.isInteger(count.input_tokens) && count.input_tokens > 0);
    }),
  ),
  'models list': anywhere(
    beyondMock(async () => {
      const ids = [];
      for await (const item of anthropic.models.list({ limit: 1000 })) {
        assert.equal(item.type, 'model');
        assert.equal(typeof item.display_name, 'string');
        assert.ok(!Number.isNaN(Date.parse(item.created_at)));
        ids.push(item.id);
      }
      assert.ok(ids.length > 0);
    }),
  ),
  'models one': anywhere(
    beyondMock(async () => {
      const item = await anthropic.models.retrieve(model);
      assert.equal(item.id, model);
      assert.equal(item.type, 'model');
    }),
  ),
};
