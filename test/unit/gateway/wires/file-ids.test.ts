import { expect, it } from 'vitest';
import { filesNamedIn, withFileIds } from '../../../../src/gateway/wires/file-ids.ts';

const namedIn = (text: string) => filesNamedIn({ body: JSON.parse(text), bytes: Buffer.from(text) });

it('finds the files that a request names, wherever they stand', () => {
  const body = {
    messages: [{ content: [{ type: 'file', file: { file_id: 'a' } }] }],
    input: [{ output: [{ type: 'input_image', file_id: 'b' }] }],
    tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['c', 'd'] } }],
  };
  expect(namedIn(JSON.stringify(body))).toEqual([
    { id: 'a', path: 'messages[0].content[0].file.file_id' },
    { id: 'b', path: 'input[0].output[0].file_id' },
    { id: 'c', path: 'tools[0].container.file_ids[0]' },
    { id: 'd', path: 'tools[0].container.file_ids[1]' },
  ]);
});

it('finds a name that is hidden by an escape', () => {
  expect(namedIn('{"input":[{"f\\u0069le_id":"a"}]}')).toEqual([{ id: 'a', path: 'input[0].file_id' }]);
});

it('leaves alone what only looks like one', () => {
  const body = {
    metadata: { file_id: 'a' },
    tools: [{ parameters: { properties: { file_id: { type: 'string' } }, example: { file_id: 'b' } } }],
    messages: [
      { content: '"file_id": "c"' },
      { content: [{ type: 'tool_use', id: 't', name: 'n', input: { file_id: 'd' } }] },
    ],
  };
  expect(namedIn(JSON.stringify(body))).toEqual([]);
});

it('exchanges ids and leaves every other byte', () => {
  const text =
    '{ "text":"ä \\"file_id\\": \\"a\\" a", "file_id" : "a","file_ids":["a", "x" ], "n": 1.0, "other": "a" }';
  expect(withFileIds(Buffer.from(text), new Map([['a', 'vendor-1']])).toString()).toBe(
    '{ "text":"ä \\"file_id\\": \\"a\\" a", "file_id" : "vendor-1","file_ids":["vendor-1", "x" ], "n": 1.0, "other": "a" }',
  );
});
