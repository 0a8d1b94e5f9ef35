import { expect, test } from 'vitest';
import { buildThreads } from '../../../src/lib/capacity.ts';

const mebibytes = (count: number) => count * 1024 * 1024;

test('threads of builds leave a processor to the server', () => {
  expect(buildThreads(4, mebibytes(8192))).toBe(3);
  expect(buildThreads(2, mebibytes(8192))).toBe(1);
});

test('threads of builds are as many as there is memory for, and at least one', () => {
  expect(buildThreads(8, mebibytes(256))).toBe(1);
  expect(buildThreads(8, mebibytes(512))).toBe(2);
  expect(buildThreads(1, mebibytes(128))).toBe(1);
});
