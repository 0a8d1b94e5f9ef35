/** Libraries that come with the first call: one that could not be loaded is loaded by the next call. */
import { expect, it, onTestFinished, vi } from 'vitest';

/** Makes the first use of something in a library fail. */
function failOnce<Library extends object>(name: string, member: keyof Library & string): void {
  vi.resetModules();
  let failures = 1;
  vi.doMock(name, async (original) => {
    const real = await original<Library>();
    return {
      ...real,
      get [member]() {
        failures -= 1;
        if (failures >= 0) throw new Error('too many open files');
        return real[member];
      },
    };
  });
  onTestFinished(() => void vi.doUnmock(name));
}

it('the tokenizer', async () => {
  failOnce<typeof import('gpt-tokenizer/encoding/cl100k_base')>(
    'gpt-tokenizer/encoding/cl100k_base',
    'setMergeCacheSize',
  );
  const { estimateTokens } = await import('../../../src/lib/tokens.ts');
  await expect(estimateTokens('hello world')).rejects.toThrow('too many open files');
  expect(await estimateTokens('hello world')).toBe(2);
});

it('the compiler of schemas', async () => {
  failOnce<typeof import('ajv-formats')>('ajv-formats', 'default');
  const { compileSchema } = await import('../../../src/lib/json-schema.ts');
  const schema = { type: 'object' } as const;
  await expect(compileSchema(schema)).rejects.toThrow('too many open files');
  expect((await compileSchema(schema))({})).toBe(true);
});
