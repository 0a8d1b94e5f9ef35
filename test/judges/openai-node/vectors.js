/** Embeddings and models. */
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { anywhere, beyondMock, given, refusalOf } from '../lib/judge.js';

const model = given('MODEL_OPENAI');
const embedding = process.env.MODEL_EMBEDDING ?? 'text-embedding-3-small';

/** @param {OpenAI} openai */
export const vectors = (openai) => ({
  embeddings: anywhere(async () => {
    const reply = await openai.embeddings.create({ model: embedding, input: ['one text', 'another'] });
    assert.equal(reply.object, 'list');
    assert.deepEqual(
      reply.data.map((item) => item.index),
      [0, 1],
    );
    for (const { embedding: vector } of reply.data) {
      assert.ok(vector.length > 0);
      assert.ok(vector.every((number) => Number.isFinite(number)));
    }
    assert.equal(typeof reply.usage.prompt_tokens, 'number');
  }),
  'embeddings as floats': anywhere(async () => {
    const input = 'one text';
    const [packed, floats] = await Promise.all(
      ['base64', 'float'].map((encoding_format) =>
        openai.embeddings.create({ model: embedding, input, encoding_format }),
      ),
    );
    assert.ok(Array.isArray(floats.data[0].embedding));
    assert.equal(typeof packed.data[0].embedding, 'string');
    const bytes = Buffer.from(packed.data[0].embedding, 'base64');
    assert.equal(bytes.length, floats.data[0].embedding.length * 4);
    assert.ok(Math.abs(bytes.readFloatLE(0) - floats.data[0].embedding[0]) < 1e-6);
  }),
  'models list': anywhere(async () => {
    const ids = [];
    for await (const item of openai.models.list()) {
      assert.equal(item.object, 'model');
      assert.equal(typeof item.created, 'number');
      assert.equal(typeof item.owned_by, 'string');
      ids.push(item.id);
    }
    assert.ok(ids.length > 0);
  }),
  'models one': anywhere(
    beyondMock(async () => {
      const item = await openai.models.retrieve(model);
      assert.equal(item.id, model);
      assert.equal(item.object, 'model');
    }),
  ),
  // The sandbox knows every name.
  'models unknown': async () => {
    const error = await refusalOf(() => openai.models.retrieve('no-such-model'));
    assert.ok(error instanceof OpenAI.NotFoundError, String(error));
  },
});
