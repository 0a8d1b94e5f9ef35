import { expect, test } from 'vitest';
import { RequestScope } from '../../../../src/gateway/routing/attempts.ts';
import { watchStream } from '../../../../src/gateway/routing/watched-stream.ts';
import type { CompletionEvent, CompletionStream } from '../../../../src/model/port.ts';

const done = { value: undefined, done: true } as const;

function watch(next: CompletionStream['next'], together: CompletionEvent[] = []) {
  const inner: CompletionStream = {
    [Symbol.asyncIterator]: () => inner,
    next,
    take: () => together.shift() ?? null,
    return: async () => done,
  };
  const ended: unknown[] = [];
  const succeeded: unknown[] = [];
  const attempt = {
    span: null,
    answered: () => undefined,
    succeeded: (ending: unknown) => void succeeded.push(ending),
    ended: (error: unknown) => void ended.push(error),
  };
  const stream = watchStream(inner, new RequestScope(new AbortController().signal, 1000), attempt);
  return { stream, ended, succeeded };
}

const delta = (content: string): CompletionEvent => ({ type: 'delta', content });
const end: CompletionEvent = { type: 'end', finishReason: 'stop', endReason: 'stop', usage: null };

test('what has come together is taken without waiting, to the end, which is told', async () => {
  const { stream, ended, succeeded } = watch(
    async () => ({ value: delta('a'), done: false }),
    [delta('b'), end, delta('after the end')],
  );
  expect(await stream.next()).toEqual({ value: delta('a'), done: false });
  expect(stream.take()).toEqual(delta('b'));
  expect(succeeded).toEqual([]);
  expect(stream.take()).toBe(end);
  expect(succeeded).toEqual([end]);
  expect(stream.take()).toBeNull();
  expect(await stream.next()).toEqual(done);
  expect(ended).toEqual([]);
});

test('nothing is taken of a stream that was closed', async () => {
  const { stream } = watch(async () => ({ value: delta('a'), done: false }), [delta('b')]);
  await stream.next();
  await stream.return();
  expect(stream.take()).toBeNull();
});

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
