import { expect, test } from 'vitest';
import type { CompletionStream } from '../../../src/models/port.ts';
import { createRequestScope } from '../../../src/models/request-scope.ts';
import { watchStream } from '../../../src/models/watched-stream.ts';

test('a stream that stops without an end throws once, whatever the adapter made of it', async () => {
  const done = { value: undefined, done: true } as const;
  const empty: CompletionStream = {
    [Symbol.asyncIterator]: () => empty,
    next: async () => done,
    return: async () => done,
  };
  const ended: unknown[] = [];
  const attempt = {
    answered: () => undefined,
    succeeded: () => undefined,
    ended: (error: unknown) => void ended.push(error),
  };
  const scope = createRequestScope(new AbortController().signal, 1000);
  const stream = watchStream(empty, scope, attempt);
  await expect(stream.next()).rejects.toMatchObject({ code: 'provider_stream_interrupted' });
  expect(await stream.next()).toEqual(done);
  expect(ended.length).toBe(1);
});
