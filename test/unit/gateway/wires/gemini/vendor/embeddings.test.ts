import { describe, expect, test } from 'vitest';
import { readBatchEmbedContents } from '../../../../../../src/gateway/wires/gemini/client/embeddings.ts';
import {
  embeddingsRequest,
  readEmbeddings,
} from '../../../../../../src/gateway/wires/gemini/vendor/embeddings.ts';
import { errorBy } from '../../../../../helpers/wire-fixtures.ts';

const vendor = { id: 'gemini', apiKey: null };

describe('vectors of Gemini', () => {
  test('are asked for all at once', () => {
    const request = embeddingsRequest('gemini-embedding-001', ['a', 'b'], 256);
    expect(request).toEqual({
      requests: [
        {
          model: 'models/gemini-embedding-001',
          content: { parts: [{ text: 'a' }] },
          outputDimensionality: 256,
        },
        {
          model: 'models/gemini-embedding-001',
          content: { parts: [{ text: 'b' }] },
          outputDimensionality: 256,
        },
      ],
    });
    expect(readBatchEmbedContents({ ...request })).toEqual({ texts: ['a', 'b'], dimensions: 256 });
    expect(embeddingsRequest('tunedModels/x', ['a']).requests[0]).toEqual({
      model: 'tunedModels/x',
      content: { parts: [{ text: 'a' }] },
    });
  });

  test('are read in their order', () => {
    const embeddings = [{ values: [0.1, -2e-7] }, { values: [1, 0] }];
    expect(readEmbeddings(vendor, { embeddings, usageMetadata: { promptTokenCount: 2 } }, 2)).toEqual({
      vectors: [
        [0.1, -2e-7],
        [1, 0],
      ],
      promptTokens: 2,
    });
    expect(readEmbeddings(vendor, { embeddings }, 2).promptTokens).toBeNull();
  });

  test.each([
    ['no list', {}],
    ['too few', { embeddings: [{ values: [1] }] }],
    ['no numbers', { embeddings: [{ values: [1] }, { values: ['x'] }] }],
    ['an empty one', { embeddings: [{ values: [1] }, { values: [] }] }],
    ['null', null],
  ])('are refused with %s', async (_, reply) => {
    expect((await errorBy(() => readEmbeddings(vendor, reply, 2))).code).toBe('provider_invalid_response');
  });
});
