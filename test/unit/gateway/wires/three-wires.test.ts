import { array, assert, boolean, constantFrom, option, property, record, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filesNamedIn, withFileIds } from '../../../../src/gateway/lanes/vendor-responses.ts';
import type { Body } from '../../../../src/gateway/wires/wire.ts';
import type { ModelMessage, Part, VendorWire } from '../../../../src/model/parts.ts';
import { wireNames } from '../../../helpers/wire-clients.ts';
import { clientWires, sentTo } from '../../../helpers/wire-sides.ts';

/** A conversation that is written for a vendor of one wire, read there as a client's, written for the next, and so on around. */

const text = string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((value) => value.trim() !== '');
const data = constantFrom('iVBORw0KGgo=', 'AAECAwQFBgcICQ==', 'Q0FGRUJBQkU=');
const image = data.map(
  (bytes): Part => ({
    type: 'image',
    source: { type: 'base64', mediaType: 'image/png', data: bytes },
  }),
);
const pdf = data.map(
  (bytes): Part => ({
    type: 'document',
    source: { type: 'base64', mediaType: 'application/pdf', data: bytes },
    filename: 'a.pdf',
  }),
);
const said = text.map((value): Part => ({ type: 'text', text: value }));

const call = record({
  name: constantFrom('look', 'read_file'),
  value: text,
  result: text,
  image: option(data),
  failed: boolean(),
});

type Call = { name: string; value: string; result: string; image: string | null; failed: boolean };

function answered(answer: string, calls: readonly Call[], turn: number): ModelMessage[] {
  const id = (index: number) => `call_${turn}_${index}`;
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: answer },
        ...calls.map(({ name, value }, index) => ({
          type: 'tool_call' as const,
          id: id(index),
          name,
          arguments: JSON.stringify({ value }),
        })),
      ],
    },
    ...(calls.length === 0
      ? []
      : [
          {
            role: 'tool' as const,
            content: calls.map(({ result, image: bytes, failed }, index) => ({
              type: 'tool_result' as const,
              callId: id(index),
              content: [
                { type: 'text' as const, text: result },
                ...(bytes === null
                  ? []
                  : [
                      {
                        type: 'image' as const,
                        source: { type: 'base64' as const, mediaType: 'image/png', data: bytes },
                      },
                    ]),
              ],
              ...(failed && { isError: true }),
            })),
          },
        ]),
  ];
}

const turn = tuple(said, option(image), option(pdf), text, array(call, { maxLength: 3 }));

const conversations = tuple(option(said), array(turn, { minLength: 1, maxLength: 3 })).map(
  ([system, turns]): ModelMessage[] => [
    ...(system ? [{ role: 'system' as const, content: [system] }] : []),
    ...turns.flatMap(([question, picture, document, answer, calls], index): ModelMessage[] => [
      { role: 'user', content: [question, picture, document].filter((part) => part !== null) },
      ...answered(answer, calls, index),
    ]),
    { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
  ],
);

/** Everything that was said, in its order, wherever it stands and however a wire marks it. */
function substance(messages: readonly ModelMessage[]): Readonly<Record<string, readonly string[]>> {
  const ids = new Map<string, number>();
  const found: Record<string, string[]> = { texts: [], bytes: [], calls: [], results: [] };
  const take = (part: Part): void => {
    if (part.type === 'text') found['texts']?.push(part.text);
    else if ((part.type === 'image' || part.type === 'document') && part.source.type === 'base64')
      found['bytes']?.push(`${part.type} ${part.source.mediaType} ${part.source.data}`);
    else if (part.type === 'tool_call') {
      ids.set(part.id, ids.size);
      found['calls']?.push(`${ids.get(part.id)} ${part.name} ${part.arguments}`);
    } else if (part.type === 'tool_result') {
      const words = part.content.map((inner) => (inner.type === 'text' ? inner.text : '')).join('');
      const failed = part.isError === true || words.startsWith('Error: ');
      found['results']?.push(
        `${ids.get(part.callId)} ${failed} ${words.replace(/^Error: /, '').replace(moved, '')}`,
      );
      for (const inner of part.content) if (inner.type !== 'text') take(inner);
    }
  };
  for (const { content } of messages) for (const part of content) take(part);
  return {
    ...found,
    // Where a wire takes no pictures in results, words say where they went.
    texts: (found['texts'] ?? []).filter((words) => !/^(?:From|Of) the result of /.test(words)),
    bytes: [...(found['bytes'] ?? [])].sort(),
  };
}

const moved = /\n?\((?:A file follows|\d+ files follow) below\.\)$/;

/** All ways around: each wire, two others between, and back. */
const rounds = wireNames.flatMap((first) =>
  wireNames.flatMap((second) =>
    wireNames
      .filter((third) => new Set([first, second, third]).size === 3)
      .map((third) => [first, second, third] as const),
  ),
);

function around(wires: readonly VendorWire[], messages: readonly ModelMessage[]) {
  let now = messages;
  const warned: string[] = [];
  for (const wire of [...wires, wires[0] as VendorWire]) {
    const { request, warnings } = sentTo(wire, { messages: now, temperatureGiven: false });
    warned.push(...warnings.map(({ code }) => code));
    now = clientWires[wire].read(request as Body).call.messages;
  }
  return { now, warned };
}

describe.each(rounds)('over %s, %s, %s and back', (...wires) => {
  it('every word, picture, file, call and result is there, in its place or with a warning that it moved', () => {
    assert(
      property(conversations, (messages) => {
        const { now, warned } = around(wires, messages);
        expect(substance(now)).toEqual(substance(messages));
        const hasMoved = now
          .flatMap(({ content }) => content)
          .some((part) => part.type === 'text' && /^(?:From|Of) the result of /.test(part.text));
        expect(hasMoved && !warned.includes('content_adapted')).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the ids of files', () => {
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
});
