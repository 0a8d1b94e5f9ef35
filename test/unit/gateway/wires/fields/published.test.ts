/** The tables of fields against what the vendors publish: their own SDKs. */
import { describe, expect, it } from 'vitest';
import { type ClientWire, clientWires } from '../../../../../src/gateway/wires/fields/field-rows.ts';
import { fieldTable, judgeFields } from '../../../../../src/gateway/wires/fields/table.ts';
import type { VendorWire } from '../../../../../src/model/parts.ts';
import type { Completion } from '../../../../../src/model/port.ts';
import { noTokens } from '../../../../../src/model/usage.ts';
import { eventsOf } from '../../../../helpers/answer-events.ts';
import { Comparison, compareGemini, declared, shapesOf } from '../../../../helpers/published.ts';
import { wireNames } from '../../../../helpers/wire-clients.ts';
import { conversing, readBySdk, clientWires as readers } from '../../../../helpers/wire-sides.ts';

/** What Anthropic's SDK sends as headers (resources/beta/messages/messages.js). */
const headers = ['betas', 'user_profile_id', 'workspace_id'];

const published: Readonly<Record<ClientWire, (comparison: Comparison) => void>> = {
  'openai-chat': (comparison) =>
    comparison.type(comparison.tree, declared('chat', 'ChatCompletionCreateParamsBase')),
  'openai-completions': (comparison) =>
    comparison.type(comparison.tree, declared('completions', 'CompletionCreateParamsBase')),
  'openai-responses': (comparison) =>
    comparison.type(comparison.tree, declared('responses', 'ResponseCreateParamsBase')),
  anthropic: (comparison) => {
    for (const file of ['messages', 'betaMessages'] as const) {
      for (const shape of shapesOf(declared(file, 'MessageCreateParamsBase')).objects) {
        const inBody = [...shape.fields].filter(([name]) => !headers.includes(name));
        comparison.object(comparison.tree, { ...shape, fields: new Map(inBody) });
      }
    }
  },
  gemini: compareGemini,
};

describe.each(clientWires)('the table of fields of %s', (wire) => {
  const comparison = new Comparison(fieldTable(wire));
  published[wire](comparison);

  it('has every field that its vendor has published', () => {
    expect(comparison.missing).toEqual([]);
  });

  it('has no field that its vendor has not published, unless it says where the field is from', () => {
    expect(comparison.unpublished).toEqual([]);
  });

  it('shows every type that its vendor has published of a field that may be left out', () => {
    expect(comparison.untyped).toEqual([]);
  });
});

describe.each(clientWires)('what is compared with the table of %s', (wire) => {
  const table = fieldTable(wire);
  const rows = table.rows.filter(({ source }) => !source);
  // A value needs no row, nor does a role: what holds for the field holds for them.
  const fields = rows.filter(({ path }) => !/(\[role=\w+\]|\[\]|=[^\]}]+)$/.test(path));

  it('names each field that is taken out of it', () => {
    const unnoticed = fields.filter(({ path }) => {
      const comparison = new Comparison({
        ...table,
        rows: table.rows.filter((row) => !row.path.startsWith(path)),
      });
      published[wire](comparison);
      return comparison.missing.length === 0;
    });
    expect(unnoticed.map(({ path }) => path)).toEqual([]);
  });

  it('names each field that is put into it', () => {
    const objects = rows.filter(({ path }) => rows.some((row) => row.path.startsWith(`${path}.`)));
    const made = objects.map((row) => ({ ...row, path: `${row.path}.made_up` }));
    const comparison = new Comparison({ ...table, rows: [...table.rows, ...made] });
    published[wire](comparison);
    expect(comparison.unpublished).toEqual(made.map(({ path }) => path));
  });
});

/** What we answer comes back in a client's conversation: no table may call a member of it unknown. */
const meta = {
  id: '01JAZ0000000000000000000AB',
  model: 'm',
  createdAt: 1,
  inputTokens: 1,
  usage: () => noTokens,
};

/** Everything that an answer may hold; calls of custom tools only for clients that know such. */
function answerOf(from: VendorWire, client: VendorWire): Completion {
  const value =
    from === 'openai-responses'
      ? { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2ln' }
      : { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };
  return {
    parts: [
      { type: 'thinking', text: 'Hm.', sealed: { wire: from, provider: from, model: 'm', value } },
      {
        type: 'text',
        text: 'Hi there',
        citations: [{ url: 'https://example.com', title: 'An example', citedText: 'Hi', start: 0, end: 2 }],
      },
      { type: 'refusal', text: 'No.' },
      {
        type: 'tool_call',
        id: 'call_1',
        name: 'ls',
        arguments: '{"a":1}',
        extraContent: { google: { thought_signature: 'c2ln' } },
      },
      ...(client.startsWith('openai')
        ? [{ type: 'tool_call', id: 'call_2', name: 'patch', arguments: 'text', custom: true } as const]
        : []),
    ],
    finishReason: 'tool_calls',
    endReason: 'tool_calls',
    usage: null,
  };
}

describe.each(wireNames)('an answer on %s', (client) => {
  const conversation = conversing[client];
  const asked = () => readers[client].read(conversation.body(conversation.user('Hi')));
  const unknownIn = (answer: unknown) => {
    const body = conversation.body([...conversation.user('Hi'), ...conversation.answered(answer)]);
    return [...wireNames, null].flatMap((target) =>
      judgeFields(client, target, body).filter(({ code }) => code === 'unknown_field_dropped'),
    );
  };

  it.each(wireNames)('of a model on %s has no unknown member in the next request', (from) => {
    const written: unknown = JSON.parse(JSON.stringify(asked().answer(answerOf(from, client), meta)));
    expect(unknownIn(written)).toEqual([]);
  });

  it.each(wireNames)(
    'that the SDK has put together of a stream of a model on %s has none either',
    async (from) => {
      const writer = asked().stream(meta);
      const sse = [
        writer.start(),
        ...[...eventsOf(answerOf(from, client))].map((event) => writer.take(event)),
      ].join('');
      const read: unknown = JSON.parse(JSON.stringify(await readBySdk[client](sse)));
      expect(unknownIn(read)).toEqual([]);
    },
  );
});
