/** Libraries that come with the first call: one that could not be loaded is loaded by the next call. */
import { registerHooks } from 'node:module';
import request from 'supertest';
import { expect, it, onTestFinished } from 'vitest';
import { serverOf } from '../../helpers/koa.ts';

let loaded = 0;

/** Loads a module another time, for this test. Its first import of that library fails. */
async function loadedAnew<Module>(module: URL, library: string): Promise<Module> {
  loaded += 1;
  const url = `${module.href}?anew=${loaded}`;
  let failed = false;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (failed || specifier !== library || context.parentURL !== url) return next(specifier, context);
      failed = true;
      throw new Error('too many open files');
    },
  });
  onTestFinished(() => hooks.deregister());
  return (await import(url)) as Module;
}

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

it('the reader of forms', async () => {
  const fresh = await loadedAnew<typeof import('../../../src/http/answer-page.ts')>(
    new URL('../../../src/http/answer-page.ts', import.meta.url),
    'koa-body',
  );
  const form = async () => {
    const app = serverOf(async (context, { memory }) => [...(await fresh.readForm(context, memory))]);
    return request(app).post('/').type('form').send('a=1');
  };
  expect((await form()).status).toBe(500);
  expect((await form()).body).toEqual([['a', '1']]);
});
