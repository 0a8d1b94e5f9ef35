import { expect, it } from 'vitest';
import { queryOf } from '../../../src/http/request-head.ts';

it.each<readonly [string, object]>([
  ['', {}],
  ['a=1&b=x+y&c', { a: '1', b: 'x y', c: '' }],
  ['a=1&a=2', { a: ['1', '2'] }],
  ['limit=20', { limit: 20 }],
  ['limit=0', { limit: 0 }],
  ['limit=-5', { limit: -5 }],
  ['limit=1&limit=2', { limit: ['1', '2'] }],
  ...['1e1', '+1', ' 1', '0x10', '1.0', '010', '-0', '', 'Infinity'].map(
    (text) => [`limit=${encodeURIComponent(text)}`, { limit: text }] as const,
  ),
])('%j is read as %o', (text, query) => {
  expect({ ...queryOf(text, ['limit', 'other']) }).toEqual(query);
});

it('any name is only a name', () => {
  const query = queryOf('__proto__=1&constructor=2', []);
  expect(Object.entries(query)).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
});
