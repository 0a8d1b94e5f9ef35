import type { OwnFeature } from '../../src/services/features/declaration.ts';
import type { VendorReply } from './vendor.ts';
import { openAiFixture, type WireFixture } from './vendor-fixtures.ts';

/** A whole reply of a vendor on this wire with that text; `length`: cut off at its limit of tokens. */
export function replyWith(fixture: WireFixture, text: string, end: 'stop' | 'length' = 'stop'): object {
  const reply = structuredClone(fixture.reply) as Record<string, unknown>;
  if (fixture.wire === 'anthropic') {
    const stop = end === 'stop' ? 'end_turn' : 'max_tokens';
    return { ...reply, content: [{ type: 'text', text }], stop_reason: stop };
  }
  if (fixture.wire === 'gemini') {
    const content = { role: 'model', parts: [{ text }] };
    const finishReason = end === 'stop' ? 'STOP' : 'MAX_TOKENS';
    return { ...reply, candidates: [{ content, finishReason, index: 0 }] };
  }
  const message = { role: 'assistant', content: text, refusal: null };
  return { ...reply, choices: [{ index: 0, message, logprobs: null, finish_reason: end }] };
}

/** Answers the calls in turn with these texts, as JSON or as a stream, whichever was asked for; the last one again. */
export function scripted(...texts: readonly string[]): (reply: VendorReply) => void {
  return (reply) => {
    const fixture = openAiFixture;
    const text = texts[Math.min(reply.index, texts.length - 1)] ?? '';
    if (reply.request.json['stream'] !== true) return reply.json(replyWith(fixture, text));
    const pieces = [...text].map((character) => fixture.delta(character));
    reply.events(
      fixture.beforeText,
      ...pieces,
      fixture.stream.slice(
        fixture.stream.lastIndexOf('data: {"id"', fixture.stream.indexOf('"finish_reason":"stop"')),
      ),
    );
  };
}

/** Features as an operator declares them: one of data, one whose output is a text. */
export const ticketTriage: OwnFeature = {
  id: 'ticket-triage',
  name: 'Ticket triage',
  summary: 'Send a ticket to its team',
  description: 'Reads a support ticket and says which team it goes to.',
  engines: ['model'],
  input: {
    type: 'object',
    required: ['ticket'],
    additionalProperties: false,
    properties: {
      ticket: { type: 'string', minLength: 1, maxLength: 5000 },
      teams: { type: 'array', items: { type: 'string' }, maxItems: 10, default: ['sales', 'support'] },
    },
  },
  output: {
    type: 'object',
    required: ['team', 'urgent'],
    additionalProperties: false,
    properties: { team: { type: 'string' }, urgent: { type: 'boolean' } },
  },
  textOutput: null,
  maxTokens: 500,
  examples: [
    {
      id: 'example1',
      summary: 'An outage',
      input: { ticket: 'Nothing works since this morning!' },
      output: { team: 'support', urgent: true },
    },
  ],
  prompt: 'Which of the teams {{input.teams}} takes this ticket? {{input.ticket}}',
  model: null,
  temperature: null,
};

export const replyDraft: OwnFeature = {
  ...ticketTriage,
  id: 'reply-draft',
  name: 'Reply draft',
  summary: 'Draft a reply to a ticket',
  output: {
    type: 'object',
    required: ['reply'],
    additionalProperties: false,
    properties: { reply: { type: 'string', maxLength: 200 } },
  },
  textOutput: 'reply',
  examples: [
    {
      id: 'example1',
      summary: 'A thank you',
      input: { ticket: 'Great service.' },
      output: { reply: 'Thank you for writing to us.' },
    },
  ],
  prompt: 'Answer this ticket politely: {{input.ticket}}',
};
