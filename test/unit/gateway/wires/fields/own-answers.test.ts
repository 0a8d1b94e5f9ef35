/** What we answer comes back in a client's conversation: no table may call a member of it unknown. */
import { describe, expect, it } from 'vitest';
import { judgeFields } from '../../../../../src/gateway/wires/fields/table.ts';
import type { VendorWire } from '../../../../../src/model/parts.ts';
import type { Completion } from '../../../../../src/model/port.ts';
import { noTokens } from '../../../../../src/model/usage.ts';
import { eventsOf } from '../../../../helpers/answer-events.ts';
import { wireNames } from '../../../../helpers/wire-clients.ts';
import { clientWires, conversing, readBySdk } from '../../../../helpers/wire-sides.ts';

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
  const asked = () => clientWires[client].read(conversation.body(conversation.user('Hi')));
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
