import { geminiFixture } from './gemini-fixture.ts';
import type { ScriptedVendor, VendorReply, VendorRequest, VendorScript } from './vendor.ts';
import { anthropicFixture, openAiFixture, type WireFixture } from './vendor-fixtures.ts';

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
