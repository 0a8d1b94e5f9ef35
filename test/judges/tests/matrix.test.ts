import { expect, test } from 'vitest';
import type { Result } from '../drive.ts';
import { defects, failures, matrix } from '../matrix.ts';

const judge = {
  name: 'one',
  folder: '',
  title: 'Client one',
  install: [],
  packages: [],
  quick: false,
  sandbox: false,
  seconds: 1,
};
const result = (target: Result['target'], name: string, ok: boolean, more: Partial<Result> = {}): Result => ({
  judge: 'one',
  target,
  case: name,
  group: null,
  ok,
  detail: ok ? null : 'it broke',
  ...more,
});

test('a failure counts on a lane where the control passes, or where there is none', () => {
  const counted = result('native', 'text', false);
  const alone = result('native', 'image', false);
  const results = [
    result('control', 'text', true),
    counted,
    result('translated', 'text', true),
    result('control', 'tools', false),
    result('native', 'tools', false),
    alone,
  ];
  expect(defects(results)).toEqual([counted, alone]);
});

test('what the mock cannot do counts on the lanes where it has to pass', () => {
  const counted = result('translated', 'count tokens', false, { must: true });
  const results = [
    result('control', 'count tokens', false),
    result('native', 'count tokens', false),
    counted,
    result('control', 'a wrong key', false, { must: true }),
    result('native', 'a wrong key', true, { must: true }),
  ];
  expect(defects(results)).toEqual([counted]);
});

test('the same name in two groups is two cases', () => {
  const failed = result('native', 'create', false, { group: 'chat' });
  const results = [
    result('control', 'create', true, { group: 'chat' }),
    result('control', 'create', false, { group: 'files' }),
    failed,
  ];
  expect(defects(results)).toEqual([failed]);
});

test('the matrix tells what passed, what failed, and what fails in the control too', () => {
  const results = [
    result('control', 'text', true),
    result('native', 'text', false),
    result('control', 'tools', false),
    result('native', 'tools', false),
    result('control', 'a', true, { group: 'chat' }),
    result('native', 'a', true, { group: 'chat' }),
    result('control', 'b', true, { group: 'chat' }),
    result('native', 'b', false, { group: 'chat', detail: 'no | id' }),
    result('translated', 'a', true, { group: 'chat' }),
    result('translated', 'b', true, { group: 'chat', detail: 'refused: n' }),
  ];
  expect(matrix([judge], ['control', 'native', 'translated'], results)).toBe(`\
| Client | control | native | translated |
|---|---|---|---|
| Client one | (✗) 3 of 4 | ✗ 1 of 4 | ✓ 2, 1 refused |

| Client | Case | control | native | translated |
|---|---|---|---|---|
| Client one | text | ✓ | ✗ | – |
| Client one | tools | (✗) | (✗) | – |
| Client one | chat | ✓ 2 | ✗ 1 of 2 | ✓ 2, 1 refused |

- one, text (native): \`it broke\`
- one, tools (control, native): \`it broke\`
- one, chat (native): \`no | id\` [b]`);
});

test('of what counts there is a line for each reason, and none of what fails in the control too', () => {
  const results = [
    result('control', 'tools', false),
    result('native', 'tools', false),
    result('control', 'a', true, { group: 'chat' }),
    result('native', 'a', false, { group: 'chat', detail: 'no id' }),
    result('translated', 'a', false, { group: 'chat', detail: 'no id' }),
    result('native', 'b', false, { group: 'chat', detail: 'no id' }),
    result('native', 'text', true),
  ];
  expect(failures(defects(results))).toEqual([
    '- one, chat (native, translated): `no id` [a]',
    '- one, chat (native): `no id` [b]',
  ]);
  expect(failures([])).toEqual([]);
});
