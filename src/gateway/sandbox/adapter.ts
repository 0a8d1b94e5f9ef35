import type { ErrorCode, Warning } from '../../../generated/types.gen.ts';
import { sleep } from '../../lib/timers.ts';
import { estimatePromptTokens, loadTokenizer } from '../../lib/tokens.ts';
import type { Part } from '../../model/parts.ts';
import type {
  Completion,
  CompletionEvent,
  CompletionStream,
  ModelAdapter,
  ModelCall,
  PreparedCall,
} from '../../model/port.ts';
import { tokenUsage } from '../../model/usage.ts';
import { StartedPieces } from '../upstream/native-reply.ts';
import { ProviderError, type ProviderErrorOptions } from '../upstream/provider-error.ts';
import { AnswerParts } from '../upstream/whole-stream.ts';

import { isSandboxModel, type SandboxModel } from './models.ts';
import { replyOf } from './reply.ts';

const firstTokenMs = 2000;
const tokenMs = 100;

/**
 * Answers without a vendor, a key or a connection: the same to the same question, honest about what it is, with real
 * token counts. By the model's name it can be made to misbehave, so that clients can test how they take it. Its
 * failures are never retried: who asks for one wants to see it.
 */
export function createSandboxAdapter(): ModelAdapter {
  return {
    prepare,
    read() {
      throw new Error('The sandbox sends no replies.');
    },
  };
}

function prepare(call: ModelCall): PreparedCall {
  const model: SandboxModel = isSandboxModel(call.model) ? call.model : 'sandbox';
  return {
    warnings: [...(call.responseFormat ? [madeUpWarning] : []), ...(holdsMedia(call) ? [unseenWarning] : [])],
    async complete({ signal }) {
      const gathered = new AnswerParts();
      for await (const event of answer(model, call, signal)) {
        if (event.type !== 'end') {
          gathered.take(event);
          continue;
        }
        const { finishReason, endReason, usage } = event;
        return { parts: gathered.parts, finishReason, endReason, usage } satisfies Completion;
      }
      throw cutOff();
    },
    async stream({ signal }) {
      return startedStream(answer(model, call, signal));
    },
  };
}

async function* answer(
  model: SandboxModel,
  call: ModelCall,
  signal: AbortSignal,
): AsyncGenerator<CompletionEvent, undefined> {
  signal.throwIfAborted();
  const failure = failures[model]?.();
  if (failure) throw failure;
  const [tokenizer, promptTokens] = await Promise.all([loadTokenizer(), estimatePromptTokens(call)]);
  const { thought, text, refusal, citations, calls } = await replyOf(model, call);
  const broken = breaks[model];
  const cutAt = broken || model === 'sandbox/length' ? text.length / 2 : Number.POSITIVE_INFINITY;
  if (model === 'sandbox/slow') await sleep(firstTokenMs - tokenMs, signal);

  const maxTokens = call.maxTokens ?? Number.POSITIVE_INFINITY;
  let tokens = 0;
  /** The pieces that the cap lets through. */
  function* pieces(whole: string): Generator<string> {
    for (const piece of tokenizer.split(whole)) {
      const cost = tokenizer.count(piece);
      if (tokens + cost > maxTokens) return;
      tokens += cost;
      yield piece;
    }
  }

  for (const content of pieces(thought)) yield { type: 'thinking_delta', content };
  const reasoning = tokens;
  if (thought !== '') yield { type: 'thinking', part: { type: 'thinking', text: thought, sealed: null } };
  let length = 0;
  for (const content of pieces(text)) {
    if (length >= cutAt && broken) throw broken();
    if (length >= cutAt) break;
    if (model === 'sandbox/slow') await sleep(tokenMs, signal);
    signal.throwIfAborted();
    length += content.length;
    yield { type: 'delta', content };
  }
  for (const citation of citations) yield { type: 'citation', citation };
  for (const content of pieces(refusal)) yield { type: 'refusal_delta', content };
  let whole = length === text.length;
  for (const [index, toolCall] of calls.entries()) {
    const { id, name, arguments: json, custom } = toolCall;
    let sent = 0;
    for (const piece of pieces(json)) {
      if (sent > 0 && broken) throw broken();
      if (model === 'sandbox/slow') await sleep(tokenMs, signal);
      signal.throwIfAborted();
      sent += piece.length;
      yield { type: 'tool_call_delta', index, id, name, arguments: piece, ...(custom && { custom }) };
    }
    whole &&= sent === json.length;
    if (whole) yield { type: 'tool_call', index, toolCall };
  }
  const usage = tokenUsage({ inputUncached: promptTokens, output: tokens, reasoning });
  if (refusal !== '') {
    yield { type: 'end', finishReason: 'content_filter', endReason: 'refusal', usage };
    return;
  }
  const finishReason = !whole ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  yield { type: 'end', finishReason, endReason: finishReason, usage };
}

/** The failures in the middle of an answer. */
const breaks: { readonly [Model in SandboxModel]?: () => ProviderError } = {
  'sandbox/cut-stream': () => cutOff(),
  'sandbox/late-error': () => failed('provider_error', 'fail in the middle of the answer'),
};

/** Whether anything is shown to the model beside text. */
function holdsMedia({ messages }: ModelCall): boolean {
  const isMedia = ({ type }: Part) => type === 'image' || type === 'document' || type === 'audio';
  return messages.some(({ content }) =>
    content.some((part) => isMedia(part) || (part.type === 'tool_result' && part.content.some(isMedia))),
  );
}

const unseenWarning: Warning = {
  code: 'content_adapted',
  message:
    'No language model was called: the sandbox looks at no images or documents and listens to no sound.',
  param: 'messages',
};

const madeUpWarning: Warning = {
  code: 'sandbox_made_up',
  message: 'No language model was called: the sandbox made the answer up from the schema alone.',
  param: 'response_format',
};

const failures: { readonly [Model in SandboxModel]?: () => ProviderError } = {
  'sandbox/rate-limited': () => failed('provider_rate_limited', 'limit its rate', { waitMs: 7000 }),
  'sandbox/error': () => failed('provider_error', 'fail'),
};

function failed(code: ErrorCode, asked: string, options: ProviderErrorOptions = {}): ProviderError {
  const message = `The sandbox was asked to ${asked}.`;
  return new ProviderError(code, message, { ...options, worthRetrying: false });
}

const cutOff = () => failed('provider_stream_interrupted', 'break off in the middle of the answer');

/** A stream of which the first event is at hand. */
async function startedStream(events: AsyncGenerator<CompletionEvent, undefined>): Promise<CompletionStream> {
  return Object.assign(new StartedPieces(await events.next(), events), { take: () => null });
}
