import type { Completion as CompletionOnWire } from 'openai/resources/completions';
import { isObject } from '../../../../lib/json.ts';
import { said } from '../../../../model/parts.ts';
import type { Completion, Ending, UnroutedCall } from '../../../../model/port.ts';
import { booleanIn, countIn, invalid, textIn } from '../../check.ts';
import type { AnswerBound, AnswerMeta, Body, StreamWriter, Wire } from '../../wire.ts';
import { usageOnWire } from './answer.ts';
import { openAiErrorEvent } from './errors.ts';
import { chunkWriter } from './stream.ts';
import { boundIn, includeUsage, readSampling } from './wire.ts';

/**
 * Models that their vendors serve as conversations only: all of OpenAI's but the instruct ones ("This is a chat model and not
 * supported in the v1/completions endpoint"), and Google's, whose OpenAI-compatible address has no Completions.
 */
const chatOnly = /(?:^|\/)(?:gpt-(?!3\.5-turbo-instruct|oss)|chatgpt-|o\d|codex-|gemini-|gemma-)/;

/** `false`, 0 or 1 as the field says, null and nothing ask for what is done anyway. */
const harmless: Readonly<Record<string, readonly unknown[]>> = {
  n: [1],
  best_of: [1],
  logprobs: [false],
  logit_bias: [],
};

/** OpenAI's older Completions, which editors use (https://platform.openai.com/docs/api-reference/completions). */
export const openAiCompletionsWire: Wire = {
  name: 'openai-chat',
  fields: 'openai-completions',
  bound: readBound,
  read(body) {
    const call = readCompletion(body);
    const echo = booleanIn(body, 'echo') ? promptIn(body) : '';
    const withUsage = includeUsage(body);
    return {
      call,
      answer: (completion, meta) => answerOnWire(completion, meta, echo),
      stream: (meta) => completionStream(meta, echo, withUsage),
    };
  },
};

function headOf(meta: AnswerMeta) {
  return {
    id: `cmpl-${meta.id}`,
    object: 'text_completion' as const,
    created: meta.createdAt,
    model: meta.model,
  };
}

function choiceOf(text: string, ending: Ending | null) {
  return { text, index: 0, logprobs: null, finish_reason: ending && finishReasonOf(ending) };
}

/** There are no calls of tools on this wire. */
function finishReasonOf({ finishReason }: Ending): 'stop' | 'length' | 'content_filter' {
  return finishReason === 'tool_calls' ? 'stop' : finishReason;
}

function answerOnWire(completion: Completion, meta: AnswerMeta, echo: string): CompletionOnWire {
  let text = echo;
  for (const part of completion.parts) if (part.type === 'text' || part.type === 'refusal') text += part.text;
  return {
    ...headOf(meta),
    choices: [{ text, index: 0, logprobs: null, finish_reason: finishReasonOf(completion) }],
    usage: usageOnWire(meta.usage()),
  };
}

function completionStream(meta: AnswerMeta, echo: string, withUsage: boolean): StreamWriter {
  const { chunk, end } = chunkWriter(headOf(meta), meta, withUsage);
  return {
    start: () => (echo === '' ? '' : chunk(choiceOf(echo, null))),
    take(event) {
      if (event.type === 'end') return chunk(choiceOf('', event)) + end();
      const isText = event.type === 'delta' || event.type === 'refusal_delta';
      return isText ? chunk(choiceOf(event.content, null)) : '';
    },
    fail: openAiErrorEvent,
  };
}

/**
 * Reads a request to the older Completions as a message of the user, for vendors that have conversations only. Throws
 * `invalid_request`, also for what cannot be done then: probabilities of tokens, several prompts or answers.
 */
function readCompletion(body: Body): UnroutedCall {
  refuseUnanswerable(body);
  const maxTokens = countIn(body, 'max_tokens');
  const prompt = promptIn(body);
  const suffix = textIn(body, 'suffix') ?? '';
  return {
    messages: [said('user', suffix === '' ? prompt : between(prompt, suffix))],
    ...readSampling(body),
    ...(maxTokens !== undefined && { maxTokens }),
  };
}

/** Each of several prompts gets all the answers; a list of numbers is one prompt. */
function readBound(body: Body): AnswerBound {
  const { maxTokens, answers } = boundIn(body, 0);
  const { prompt } = body;
  const list: readonly unknown[] = Array.isArray(prompt) ? prompt : [];
  const prompts = list.filter((entry) => typeof entry !== 'number').length;
  const promptIds = list.reduce<number>(
    (sum, entry) => sum + (Array.isArray(entry) ? entry.length : typeof entry === 'number' ? 1 : 0),
    0,
  );
  return { maxTokens, answers: answers * Math.max(1, prompts), promptIds };
}

/** The one text to continue. */
function promptIn({ prompt }: Body): string {
  if (typeof prompt === 'string') return required(prompt);
  if (!Array.isArray(prompt)) throw invalid('prompt', 'must be a text');
  const [first] = prompt as readonly unknown[];
  if (prompt.length === 1 && typeof first === 'string') return required(first);
  if (prompt.every((entry) => typeof entry === 'string'))
    throw invalid('prompt', 'must be one text for this model; send each in a request of its own');
  throw invalid('prompt', 'must be a text for this model, not ids of tokens');
}

function required(prompt: string): string {
  if (prompt !== '') return prompt;
  throw invalid('prompt', 'must not be empty');
}

function between(prompt: string, suffix: string): string {
  return [
    'Write the text that belongs between the two texts below. Answer with that text and nothing else: no explanation, no code fence, nothing of the texts themselves.',
    `The text before it:\n${prompt}`,
    `The text after it:\n${suffix}`,
  ].join('\n\n');
}

function refuseUnanswerable(body: Body): void {
  for (const [field, values] of Object.entries(harmless)) {
    const value = body[field] ?? undefined;
    if (value === undefined || values.includes(value)) continue;
    if (isObject(value) && Object.keys(value).length === 0) continue;
    throw invalid(field, 'is not possible with this model');
  }
}

/** Whether the older Completions of a model have to be asked for as a conversation, also where its vendor has them. */
export function isChatOnly(model: string): boolean {
  return chatOnly.test(model);
}
