import type { OwnFeature } from '../../src/services/features/declaration.ts';
import type { ScriptedVendor, VendorReply, VendorRequest, VendorScript } from '../lib/vendor.ts';
import { anthropicFixture, geminiFixture, openAiFixture, type WireFixture } from './vendor-fixtures.ts';

/** What a model says to a question. */
export interface ModelAnswer {
  readonly text: string;
  /** `length`: it ran out of tokens. */
  readonly finish?: 'stop' | 'length' | 'content_filter';
  readonly outputTokens?: number;
}

/** What a vendor does with a question: a whole answer, or whatever the script does with the connection itself. */
export type VendorAct = string | ModelAnswer | ((reply: VendorReply) => void | Promise<void>);

/** A vendor whose model answers each question of a build by its script. */
export function answering(
  wire: WireFixture,
  act: (question: string, index: number, request: VendorRequest) => VendorAct,
): VendorScript {
  return async (reply) => {
    const answer = act(lastMessage(reply.request), reply.index, reply.request);
    if (typeof answer === 'function') return answer(reply);
    reply.events(...streamOf(wire, typeof answer === 'string' ? { text: answer } : answer));
  };
}

/** The vendor's event stream of an answer, in pieces of a few lines. */
export function streamOf(wire: WireFixture, { text, finish = 'stop', outputTokens }: ModelAnswer): string[] {
  const pieces = text.match(/[\s\S]{1,700}/g) ?? [];
  const last = wire.stream.slice(wire.stream.indexOf(endOf[wire.wire]));
  const end = last
    .replace(endOf[wire.wire], endOf[wire.wire].replace(stops[wire.wire].stop, stops[wire.wire][finish]))
    .replace(/("(?:completion|output)_tokens":)11/, `$1${outputTokens ?? 11}`)
    // Gemini counts its thoughts (3) beside the answer, and its last event has text of its own.
    .replace(/("candidatesTokenCount":)8/, `$1${(outputTokens ?? 11) - 3}`)
    .replace(/("parts":\[\{"text":)"(?:[^"\\]|\\.)*"/, '$1""');
  return [wire.beforeText, ...pieces.map((piece) => wire.delta(piece)), end];
}

/** Where the end of the fixture's stream begins, and how it says why. */
const endOf = {
  openai: lastWith(openAiFixture, '"finish_reason":"stop"'),
  anthropic: lastWith(anthropicFixture, '"stop_reason":"end_turn"'),
  gemini: lastWith(geminiFixture, '"finishReason":"STOP"'),
};
const stops = {
  openai: { stop: '"stop"', length: '"length"', content_filter: '"content_filter"' },
  anthropic: { stop: '"end_turn"', length: '"max_tokens"', content_filter: '"refusal"' },
  gemini: { stop: '"STOP"', length: '"MAX_TOKENS"', content_filter: '"SAFETY"' },
};

function lastWith({ stream }: WireFixture, mark: string): string {
  const event = stream.split('\n\n').find((part) => part.includes(mark));
  if (event === undefined) throw new Error(`The fixture's stream has no ${mark}.`);
  return event;
}

interface Message {
  readonly role: string;
  readonly content: string;
}

interface GeminiContent {
  readonly role: 'user' | 'model';
  readonly parts: readonly { readonly text: string }[];
}

/** The messages that the vendor was sent, without the system's. */
export function messagesOf({ json }: VendorRequest): readonly Message[] {
  if (json['contents']) {
    return (json['contents'] as readonly GeminiContent[]).map(({ role, parts }) => ({
      role: role === 'model' ? 'assistant' : role,
      content: parts.map(({ text }) => text).join(''),
    }));
  }
  // Anthropic is sent blocks where one of them is marked for its cache.
  const messages = json['messages'] as readonly {
    role: string;
    content: string | readonly { text: string }[];
  }[];
  return messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => ({
      role,
      content: typeof content === 'string' ? content : content.map(({ text }) => text).join(''),
    }));
}

export function lastMessage(request: VendorRequest): string {
  return messagesOf(request).at(-1)?.content ?? '';
}

/** The boundary that a question asks its answer to be written with. */
export function boundaryIn(question: string): string {
  return /=== END (\w+)/.exec(question)?.[1] ?? '';
}

/** What the questions were about, each in a word. */
export function questionsTo(vendor: Pick<ScriptedVendor, 'requests'>): string {
  return vendor.requests.map((request) => kindOf(lastMessage(request))).join(' ');
}

export type QuestionKind = 'plan' | 'correct' | 'write' | 'continue' | 'repair' | 'revise' | 'change';

export function kindOf(question: string): QuestionKind {
  if (question.startsWith('Plan this app.')) return 'plan';
  if (question.startsWith('That cannot be used:')) return 'correct';
  if (question.startsWith('Write this app.')) return 'write';
  if (question.startsWith('Change this spec.')) return 'revise';
  if (question.startsWith('Change this app.')) return 'change';
  return question.startsWith('These are the files') ? 'repair' : 'continue';
}

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

export const labels = [{ name: 'billing' }, { name: 'other' }];

/** What a client asks of the feature `classify`. */
export const classify = { input: { text: 'I was charged twice.', labels } };
