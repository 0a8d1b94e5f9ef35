import type { Completion as CompletionOnWire } from 'openai/resources/completions';
import type { ServiceError } from '../../../../contract/errors.ts';
import type { Completion, CompletionEvent, Ending } from '../../../../model/port.ts';
import { booleanIn } from '../../check.ts';
import type { AnswerMeta, StreamWriter, Wire } from '../../wire.ts';
import { promptIn, readCompletion } from './completions-read.ts';
import { openAiErrorEvent } from './errors.ts';
import { includeUsage } from './read-options.ts';
import { usageOnWire } from './usage.ts';

/** OpenAI's older Completions, which editors use (https://platform.openai.com/docs/api-reference/completions). */
export const openAiCompletionsWire: Wire = {
  name: 'openai-chat',
  fields: 'openai-completions',
  read(body) {
    const call = readCompletion(body);
    const echo = booleanIn(body, 'echo') ? promptIn(body) : '';
    const withUsage = includeUsage(body);
    return {
      call,
      answer: (completion, meta) => answerOnWire(completion, meta, echo),
      stream: (meta) => new CompletionStreamWriter(meta, { echo, withUsage }),
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

class CompletionStreamWriter implements StreamWriter {
  readonly #meta: AnswerMeta;
  readonly #echo: string;
  readonly #withUsage: boolean;

  constructor(meta: AnswerMeta, options: { readonly echo: string; readonly withUsage: boolean }) {
    this.#meta = meta;
    this.#echo = options.echo;
    this.#withUsage = options.withUsage;
  }

  start(): string {
    return this.#echo === '' ? '' : this.#text(this.#echo);
  }

  take(event: CompletionEvent): string {
    if (event.type === 'delta' || event.type === 'refusal_delta') return this.#text(event.content);
    if (event.type !== 'end') return '';
    const usage = this.#withUsage ? this.#chunk([], usageOnWire(this.#meta.usage())) : '';
    return `${this.#chunk([choiceOf('', event)], null)}${usage}data: [DONE]\n\n`;
  }

  fail(error: ServiceError, requestId: string): string {
    return openAiErrorEvent(error, requestId);
  }

  #text(text: string): string {
    return this.#chunk([choiceOf(text, null)], null);
  }

  #chunk(choices: readonly object[], usage: object | null): string {
    const chunk = { ...headOf(this.#meta), choices, ...(this.#withUsage && { usage }) };
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }
}
