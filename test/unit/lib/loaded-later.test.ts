/** Libraries that come with the first call: one that could not be loaded is loaded by the next call. */
import { expect, it } from 'vitest';
import { loadedAnew } from '../../helpers/loaded-anew.ts';

it('the tokenizer', async () => {
  const { estimateTokens } = await loadedAnew<typeof import('../../../src/lib/tokens.ts')>(
    new URL('../../../src/lib/tokens.ts', import.meta.url),
    'gpt-tokenizer/encoding/cl100k_base',
  );
  await expect(estimateTokens('hello world')).rejects.toThrow('too many open files');
  expect(await estimateTokens('hello world')).toBe(2);
});

it('the compiler of schemas', async () => {
  const { compileSchema } = await loadedAnew<typeof import('../../../src/lib/json-schema.ts')>(
    new URL('../../../src/lib/json-schema.ts', import.meta.url),
    'ajv-formats',
  );
  const schema = { type: 'object' } as const;
  await expect(compileSchema(schema)).rejects.toThrow('too many open files');
  expect((await compileSchema(schema))({})).toBe(true);
});
