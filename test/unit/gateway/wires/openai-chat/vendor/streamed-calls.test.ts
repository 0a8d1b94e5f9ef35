import { describe, expect, test } from 'vitest';
import { createOpenAiDecoder } from '../../../../../../src/gateway/wires/openai-chat/vendor/stream.ts';
import type { CompletionEvent } from '../../../../../../src/model/port.ts';

interface Piece {
  readonly index?: number | undefined;
  readonly id?: string | null;
  readonly name?: string;
  readonly json?: string;
}

const chunk = (
  pieces: readonly Piece[],
  finish_reason: string | null = null,
  content: string | null = null,
) =>
  JSON.stringify({
    choices: [
      {
        index: 0,
        delta: {
          content,
          tool_calls: pieces.map(({ index, id, name, json = '' }) => ({
            index,
            id,
            type: 'function',
            function: { name, arguments: json },
          })),
        },
        finish_reason,
      },
    ],
  });

/** The events of an answer that comes in these chunks and ends in good order. */
function events(...chunks: string[]): CompletionEvent[] {
  const decoder = createOpenAiDecoder({ id: 'v', apiKey: null }, 'm');
  const told: CompletionEvent[] = [];
  for (const data of [...chunks, '[DONE]'])
    decoder.take({ data, event: undefined, id: undefined }, (event) => told.push(event));
  return told;
}

/** Its calls, by their index. */
function calls(...chunks: string[]): string[] {
  return events(...chunks).flatMap((event) =>
    event.type === 'tool_call' ? [`${event.index} ${event.toolCall.name} ${event.toolCall.arguments}`] : [],
  );
}

const a: Piece = { index: 0, name: 'a', json: '{"x":1}' };
const b: Piece = { index: 0, name: 'b', json: '{"y":2}' };
const both = ['0 a {"x":1}', '1 b {"y":2}'];
const end = chunk([], 'tool_calls');

describe('calls at the same index', () => {
  // https://github.com/langchain-ai/langchain/pull/40562, seen on 27 November 2026
  test.each<[string, readonly (readonly Piece[])[], readonly string[]]>([
    ['without ids', [[a], [b]], both],
    ['with ids that are empty', [[{ ...a, id: '' }], [{ ...b, id: '' }]], both],
    ['with ids that are null', [[{ ...a, id: null }], [{ ...b, id: null }]], both],
    ['without ids, in one chunk', [[a, b]], both],
    ['without an index', [[{ ...a, index: undefined }], [{ ...b, index: undefined }]], both],
    ['of one name, each whole', [[a], [{ ...a, json: '{"x":2}' }]], ['0 a {"x":1}', '1 a {"x":2}']],
    [
      'of one name, with ids of their own',
      [[{ ...a, id: 'c1' }], [{ ...a, id: 'c2', json: '{"x":2}' }]],
      ['0 a {"x":1}', '1 a {"x":2}'],
    ],
    [
      'of other names, in pieces',
      [
        [{ ...a, json: '{"x"' }],
        [{ index: 0, json: ':1}' }],
        [{ ...b, json: '' }],
        [{ index: 0, json: '{"y":2}' }],
      ],
      both,
    ],
  ])('are told apart %s', (_, pieces, told) => {
    expect(calls(...pieces.map((list) => chunk(list)), end)).toEqual(told);
  });

  test.each<[string, readonly Piece[]]>([
    [
      'with each piece, beside its id',
      [
        { ...a, id: 'c1', json: '{"x"' },
        { ...a, id: 'c1', json: ':1}' },
      ],
    ],
    [
      'with each piece',
      [
        { ...a, json: '{"x"' },
        { ...a, json: ':1}' },
      ],
    ],
    [
      'before its arguments',
      [
        { ...a, json: '' },
        { ...a, json: '{"x":1}' },
      ],
    ],
    ['once more at the end', [{ ...a }, { ...a, json: '' }]],
    [
      'after its id',
      [
        { index: 0, id: 'c1' },
        { ...a, id: '' },
      ],
    ],
  ])('are one where the vendor tells the name %s', (_, pieces) => {
    expect(calls(...pieces.map((piece) => chunk([piece])), end)).toEqual(['0 a {"x":1}']);
  });
});

describe('a call', () => {
  // A shape of proxies, of the set of reports of 27 November 2026.
  test('whose arguments follow the finish reason is whole', () => {
    const first = chunk([{ index: 0, id: 'c1', name: 'a' }], 'tool_calls');
    expect(calls(first, chunk([{ index: 0, json: '{"x":1}' }], 'tool_calls'))).toEqual(['0 a {"x":1}']);
    expect(calls(first)).toEqual(['0 a {}']);
  });

  test('is told before the end mark where it is whole', () => {
    const told = events(chunk([{ ...a, id: 'c1' }]), end).map(({ type }) => type);
    expect(told).toEqual(['tool_call_delta', 'tool_call', 'end']);
  });

  // https://github.com/farion1231/cc-switch/pull/4158, seen on 27 November 2026
  test('that is an empty stub is none, and those beside it are numbered without it', () => {
    const stub: Piece = { index: 0, id: '', name: '' };
    expect(events(chunk([stub], null, 'Hi'), chunk([], 'stop'))).toMatchObject([
      { type: 'delta', content: 'Hi' },
      { type: 'end', finishReason: 'stop' },
    ]);
    expect(calls(chunk([stub]), chunk([{ ...a, index: 1 }]), end)).toEqual(['0 a {"x":1}']);
  });

  test('that is a stub in place of an answer makes it invalid', () => {
    expect(() => events(chunk([{ index: 0, id: '', name: '' }]), end)).toThrow(
      'a call of a tool without a name',
    );
  });
});
