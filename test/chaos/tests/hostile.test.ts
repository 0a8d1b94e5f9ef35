import { expect, it } from 'vitest';
import { problemOf } from '../faults/hostile.ts';
import { hostileRequests } from '../faults/hostile-requests.ts';
import { statusesIn } from '../raw.ts';

const exact = { name: 'a', bytes: '', expected: [413] };
const open = { name: 'b', bytes: '', expected: [] };

it('takes what is right', () => {
  expect(problemOf(exact, [413], true)).toBeNull();
  expect(problemOf(open, [404], false)).toBeNull();
  expect(problemOf(open, [], true)).toBeNull();
});

it('sees what is wrong', () => {
  expect(problemOf(exact, [200], true)).toContain('answered 200');
  expect(problemOf(exact, [], true)).toContain('without an answer');
  expect(problemOf(exact, [100, 413], true)).toContain('100 Continue');
  expect(problemOf(open, [500], true)).toContain('500');
  expect(problemOf(open, [], false)).toContain('no answer');
});

it('knows each hostile request under a name of its own', () => {
  const names = hostileRequests('key', 'host').map(({ name }) => name);
  expect(names.length).toBeGreaterThan(40);
  expect(new Set(names).size).toBe(names.length);
});

it('finds each of several answers that come on one connection', () => {
  const answer = 'HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\n{}';
  expect(statusesIn(`HTTP/1.1 100 Continue\r\n\r\n${answer}${answer}`)).toEqual([100, 401, 401]);
});
