import { expect, test } from 'vitest';
import type { CompletionStream } from '../../../src/models/port.ts';
import { createRequestScope } from '../../../src/models/request-scope.ts';
import { watchStream } from '../../../src/models/watched-stream.ts';

const done = { value: undefined, done: true } as const;

function watch(next: CompletionStream['next']) {
  const inner: CompletionStream = { [Symbol.asyncIterator]: () => inner, next, return: async () => done };
  const ended: unknown[] = [];
  const attempt = {
    span: null,
    answered: () => undefined,
    succeeded: () => undefined,
    ended: (error: unknown) => void ended.push(error),
  };
  const stream = watchStream(inner, createRequestScope(new AbortController().signal, 1000), attempt);
  return { stream, ended };
}

test('a stream that stops without an end throws once, whatever the adapter made of it', async () => {
  const { stream, ended } = watch(async () => done);
  await expect(stream.next()).rejects.toMatchObject({ code: 'provider_stream_interrupted' });
  expect(await stream.next()).toEqual(done);
  expect(ended.length).toBe(1);
});

test('a fault of ours in a stream is an internal error', async () => {
  const { stream, ended } = watch(() => Promise.reject(new TypeError('x is undefined')));
  await expect(stream.next()).rejects.toMatchObject({ code: 'internal_error' });
  expect(await stream.next()).toEqual(done);
  expect(ended.length).toBe(1);
});
