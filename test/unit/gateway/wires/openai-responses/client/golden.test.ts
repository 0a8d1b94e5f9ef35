import { describe, expect, it } from 'vitest';
import { openAiResponsesWire } from '../../../../../../src/gateway/wires/openai-responses/client/wire.ts';
import { eventsOf } from '../../../../../helpers/answer-events.ts';
import { wireText } from '../../../../../helpers/vendor-fixtures.ts';
import { completion, meta, written } from './sdk.ts';

const fixture = (name: string) => wireText(`openai-responses/${name}`);

const body = {
  model: 'claude-sonnet-4-6',
  instructions: 'Be short.',
  input: 'What is the weather in Bern?',
  tools: [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } }],
  reasoning: { effort: 'low' },
  max_output_tokens: 100,
  metadata: { project: 'demo' },
  store: false,
};

const answer = completion(
  [
    {
      type: 'thinking',
      text: 'Look it up.',
      sealed: {
        wire: 'anthropic',
        provider: 'anthropic',
        model: 'claude-sonnet-4-6',
        value: { signature: 'c2ln' },
      },
    },
    { type: 'text', text: 'I look.' },
    { type: 'tool_call', id: 'toolu_1', name: 'weather', arguments: '{"city":"Bern"}' },
  ],
  { finishReason: 'tool_calls', endReason: 'tool_calls' },
);

describe('the bytes that a client gets', () => {
  it('as a whole', () => {
    const given = openAiResponsesWire.read(body).answer(answer, meta);
    expect(`${JSON.stringify(given, null, 2)}\n`).toBe(fixture('translated.json'));
  });

  it('as a stream', () => {
    expect(written(body, eventsOf(answer))).toBe(fixture('translated.sse'));
  });
});
