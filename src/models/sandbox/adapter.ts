import type { ResponseFormat, Warning } from '../../../generated/types.gen.ts';
import { shorten } from '../../lib/shorten.ts';
import { sleep } from '../../lib/sleep.ts';
import { estimatePromptTokens, loadTokenizer } from '../../lib/tokens.ts';
import { type ToolCallPart, textOf } from '../parts.ts';
import {
  type AnswerPart,
  type Completion,
  type CompletionEvent,
  type CompletionStream,
  type ModelAdapter,
  type ModelCall,
  type PreparedCall,
  sandboxId,
} from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { tokenUsage } from '../token-usage.ts';
import { madeUpInstance } from './made-up.ts';
import { isSandboxModel, type SandboxModel } from './models.ts';
import { type Turn, turnOf } from './tool-calls.ts';

const firstTokenMs = 2000;
const tokenMs = 100;

/**
 * Answers without a vendor, a key or a connection: the same to the same question, honest about what it is, with real
 * token counts. By the model's name it can be made to misbehave, so that clients can test how they take it. Its
 * failures are never retried: who asks for one wants to see it.
 */
export function createSandboxAdapter(): ModelAdapter {
  return { prepare };
}

function prepare(call: ModelCall): PreparedCall {
  const model: SandboxModel = isSandboxModel(call.model) ? call.model : 'sandbox';
  return {
    warnings: call.responseFormat ? [madeUpWarning] : [],
    async complete({ signal }) {
      let text = '';
      const calls: AnswerPart[] = [];
      for await (const event of answer(model, call, signal)) {
        if (event.type === 'delta') text += event.content;
        else if (event.type === 'tool_call') calls.push(event.toolCall);
        else if (event.type === 'end') {
          const { finishReason, endReason, usage } = event;
          const parts: AnswerPart[] = text === '' ? calls : [{ type: 'text', text }, ...calls];
          return { parts, finishReason, endReason, usage } satisfies Completion;
        }
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
  const { text, calls } = await replyOf(model, call);
  const cutAt = model === 'sandbox/cut-stream' ? text.length / 2 : Number.POSITIVE_INFINITY;
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

  let length = 0;
  for (const content of pieces(text)) {
    if (length >= cutAt) throw cutOff();
    if (model === 'sandbox/slow') await sleep(tokenMs, signal);
    signal.throwIfAborted();
    length += content.length;
    yield { type: 'delta', content };
  }
  let whole = length === text.length;
  for (const [index, toolCall] of calls.entries()) {
    const { id, name, arguments: json, custom } = toolCall;
    let told = 0;
    for (const piece of pieces(json)) {
      if (told > 0 && model === 'sandbox/cut-stream') throw cutOff();
      if (model === 'sandbox/slow') await sleep(tokenMs, signal);
      signal.throwIfAborted();
      told += piece.length;
      yield { type: 'tool_call_delta', index, id, name, arguments: piece, ...(custom && { custom }) };
    }
    whole &&= told === json.length;
    if (whole) yield { type: 'tool_call', index, toolCall };
  }
  const finishReason = !whole ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  const usage = tokenUsage({ inputUncached: promptTokens, output: tokens });
  yield { type: 'end', finishReason, endReason: finishReason, usage };
}

/** What the sandbox says or calls, without regard to the cap. */
async function replyOf(
  model: SandboxModel,
  call: ModelCall,
): Promise<{ readonly text: string; readonly calls: readonly ToolCallPart[] }> {
  const { calls, results } = model === 'sandbox/echo' || !call.tools ? noTurn : turnOf(call);
  if (calls.length > 0) return { text: '', calls };
  if (call.responseFormat) return { text: JSON.stringify(await inForm(call.responseFormat)), calls };
  if (model === 'sandbox/echo') return { text: question(call), calls };
  return { text: results.length > 0 ? report(results) : introduction(call), calls };
}

const noTurn: Turn = { calls: [], results: [] };

async function inForm(format: ResponseFormat): Promise<unknown> {
  return format.type === 'json_schema'
    ? madeUpInstance(format.json_schema.schema)
    : { sandbox: 'No language model was called; this is made up.' };
}

const madeUpWarning: Warning = {
  code: 'sandbox_made_up',
  message: 'No language model was called: the sandbox made the answer up from the schema alone.',
  param: 'response_format',
};

function report(results: Turn['results']): string {
  const lines = results.map(
    ({ name, arguments: json, result }) => `${name} ${shorten(json, 200)} gave: ${shorten(result, 2000)}`,
  );
  return `${lines.join('\n')}\n\nThis is the built-in sandbox of Switchyard: it called the tools and repeats what they gave, without a language model.`;
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
  const last = call.messages.findLast(({ role }) => role === 'user');
  return last ? textOf(last) : '';
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
