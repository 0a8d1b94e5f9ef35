import { shorten } from '../../lib/shorten.ts';
import { sleep } from '../../lib/sleep.ts';
import { estimateMessageTokens, loadTokenizer } from '../../lib/tokens.ts';
import type {
  Completion,
  CompletionEvent,
  CompletionStream,
  ModelAdapter,
  ModelCall,
  PreparedCall,
} from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { usageOf } from '../wire/usage.ts';
import { isSandboxModel, type SandboxModel, sandboxId } from './models.ts';

const firstTokenMs = 2000;
const tokenMs = 100;

/**
 * Answers without a vendor, a key or a connection: the same to the same question, honest about what it is, with real
 * token counts. By the model's name it can be made to misbehave, so that clients can test how they take it. Its
 * failures are never retried: who asks for one wants to see it.
 */
export function createSandboxAdapter(): ModelAdapter {
  return { prepare, close: async () => undefined };
}

function prepare(call: ModelCall): PreparedCall {
  const model: SandboxModel = isSandboxModel(call.model) ? call.model : 'sandbox';
  return {
    warnings: [],
    async complete(signal) {
      let content = '';
      for await (const event of answer(model, call, signal)) {
        if (event.type === 'delta') content += event.content;
        else return { content, finishReason: event.finishReason, usage: event.usage } satisfies Completion;
      }
      throw cutOff();
    },
    async stream(signal) {
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
  const [tokenizer, promptTokens] = await Promise.all([
    loadTokenizer(),
    estimateMessageTokens(call.messages),
  ]);
  const text = model === 'sandbox/echo' ? question(call) : introduction(call);
  const cutAt = model === 'sandbox/cut-stream' ? text.length / 2 : Number.POSITIVE_INFINITY;
  if (model === 'sandbox/slow') await sleep(firstTokenMs - tokenMs, signal);

  let tokens = 0;
  let length = 0;
  for (const piece of tokenizer.split(text)) {
    const cost = tokenizer.count(piece);
    if (tokens + cost > call.maxTokens) break;
    if (length >= cutAt) throw cutOff();
    if (model === 'sandbox/slow') await sleep(tokenMs, signal);
    signal.throwIfAborted();
    tokens += cost;
    length += piece.length;
    yield { type: 'delta', content: piece };
  }
  const finishReason = length < text.length ? 'length' : 'stop';
  yield { type: 'end', finishReason, usage: usageOf(promptTokens, tokens, 0, 0) };
}

const failures: { readonly [Model in SandboxModel]?: () => ProviderError } = {
  'sandbox/rate-limited': () =>
    new ProviderError('provider_rate_limited', 'The sandbox was asked to limit its rate.', {
      waitMs: 7000,
      worthRetrying: false,
    }),
  'sandbox/error': () =>
    new ProviderError('provider_error', 'The sandbox was asked to fail.', { worthRetrying: false }),
};

function cutOff(): ProviderError {
  const message = 'The sandbox was asked to break off in the middle of the answer.';
  return new ProviderError('provider_stream_interrupted', message, { worthRetrying: false });
}

function question(call: ModelCall): string {
  return call.messages.findLast(({ role }) => role === 'user')?.content ?? '';
}

function introduction(call: ModelCall): string {
  const asked = shorten(question(call), 200);
  return (
    `This is the built-in sandbox of Switchyard: no language model was called. ` +
    `${asked ? `You asked: "${asked}" ` : ''}` +
    `To get real answers, set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY and start the server again. ` +
    `GET /v1/models lists what it can do until then, such as ${sandboxId}/echo.`
  );
}

/** A stream of which the first event is at hand. */
async function startedStream(events: AsyncGenerator<CompletionEvent, undefined>): Promise<CompletionStream> {
  let first: IteratorResult<CompletionEvent, undefined> | null = await events.next();
  const stream: CompletionStream = {
    [Symbol.asyncIterator]: () => stream,
    async next() {
      const result = first ?? (await events.next());
      first = null;
      return result;
    },
    async return() {
      first = null;
      return events.return(undefined);
    },
  };
  return stream;
}
