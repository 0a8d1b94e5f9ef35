import type { ChatCompletionChunk } from 'openai/resources/chat/completions/completions';
import { isObject } from '../../../../lib/json.ts';
import type { Citation } from '../../../../model/parts.ts';
import type { CompletionEvent, VendorUsage } from '../../../../model/port.ts';
import { count } from '../../../../model/usage.ts';
import type { StreamDecoder } from '../../../upstream/completion-stream.ts';
import { meaningOf } from '../../../upstream/endings.ts';
import { ToolCallCollector, type ToolCallPiece } from '../../../upstream/tool-calls.ts';
import {
  interrupted,
  invalidReply,
  parseJson,
  type Untrusted,
  type Vendor,
} from '../../../upstream/vendor.ts';
import { errorOfObject, failureOf } from '../../../upstream/vendor-errors.ts';
import {
  callMissing,
  callsIn,
  citationsIn,
  errorToldIn,
  type Fields,
  firstChoice,
  isCallMissing,
  messageIn,
  pieceOf,
  reasonIn,
  reasonsOf,
  refusalIn,
  sourcesIn,
  textIn,
} from './reply.ts';
import { TextChunks, textAlone } from './text-chunks.ts';
import { ThinkingCollector, thinkingIn } from './thinking.ts';
import { laterUsage, usageIn } from './usage.ts';

/**
 * Finds the pieces of calls in a stream that belong together: those of one `index`, as OpenAI has it. Some vendors leave it
 * out, and some give all calls of an answer the same, with ids or without.
 */
class CallKeys {
  readonly #at = new Map<unknown, Begun>();
  #last: Begun | undefined;
  #begun = 0;

  /** @param isWhole whether the arguments under a key are a whole object */
  keyOf(index: unknown, piece: ToolCallPiece, isWhole: (key: unknown) => boolean): number {
    const last = index == null ? this.#last : this.#at.get(index);
    const call = last && !isAnother(last, index, piece, isWhole) ? last : this.#begin();
    call.id ||= piece.id;
    call.name ||= piece.name;
    this.#last = call;
    if (index != null) this.#at.set(index, call);
    return call.key;
  }

  #begin(): Begun {
    const key = this.#begun;
    this.#begun += 1;
    return { key, id: null, name: null };
  }
}

type Emit = (event: CompletionEvent) => void;

/**
 * Decodes chat completion chunks. The answer is complete when a chunk has named a `finish_reason`; `[DONE]` only says
 * that nothing more follows, such as the usage, which vendors send in a chunk of its own, with the finish or with
 * every chunk. Some vendors say nothing but `[DONE]`, which also completes what there is of an answer.
 * @param wrapped names of the custom tools that the vendor was shown as functions
 * @param begun what the vendor repeats before it goes on
 */
export function createOpenAiDecoder(
  vendor: Vendor,
  model: string,
  wrapped?: ReadonlySet<string>,
  begun = '',
): StreamDecoder {
  /** The rest of the text that is still to be repeated. */
  let repeated = begun;
  let finish: string | null = null;
  let refused = false;
  let said = false;
  /** Whether what was said is more than thoughts. */
  let answers = false;
  let usage: VendorUsage = null;

  let thinking: ThinkingCollector | null = null;
  let calls: ToolCallCollector | null = null;
  const keys = new CallKeys();
  const cited: Citation[] = [];
  /** The last chunk that names pages beside its choices: they come with each, and grow. */
  let sources: Readonly<Record<string, unknown>> | null = null;
  const texts = new TextChunks();

  const end = (emit: Emit) => {
    endThinking(emit);
    for (const citation of sourcesIn(sources ?? {}, cited)) emit({ type: 'citation', citation });
    calls?.all(emit);
    const callsTools = calls !== null && calls.size > 0;
    // Beside an answer a stub of a call is none; alone it is in place of one.
    if (calls !== null && !said) throw invalidReply(vendor, 'a call of a tool without a name', '');
    if (isCallMissing(finish, answers)) throw callMissing(vendor, '');
    emit({ type: 'end', ...reasonsOf(finish, refused, callsTools), usage });
  };

  const takeCall = (received: unknown, emit: Emit) => {
    calls ??= new ToolCallCollector(vendor, wrapped);
    const gathered = calls;
    const piece = pieceOf(vendor, received);
    const index: unknown = (received as Untrusted<{ index: number }>)?.index;
    if (index != null && count(index) === null)
      throw invalidReply(vendor, 'a call of a tool at an index that is none', received);
    gathered.take(
      keys.keyOf(index, piece, (key) => gathered.isWhole(key)),
      piece,
      emit,
    );
  };

  /** Text or a call ends the thinking before it. */
  const endThinking = (emit: Emit) => {
    const part = thinking?.end();
    if (part) emit({ type: 'thinking', part });
  };

  const withoutRepeated = (text: string): string => {
    if (text === '' || repeated === '') return text;
    const same = text.startsWith(repeated) ? repeated.length : repeated.startsWith(text) ? text.length : 0;
    repeated = same === 0 ? '' : repeated.slice(same);
    return text.slice(same);
  };

  return {
    completed(emit) {
      if (finish !== null) end(emit);
    },
    take({ data, event }, emit) {
      const text = event === undefined ? texts.textOf(data) : null;
      if (text !== null) {
        if (text === '') return;
        endThinking(emit);
        return emit({ type: 'delta', content: text });
      }
      if (data === '[DONE]') {
        if (finish === null && !said)
          throw interrupted(vendor, new Error('[DONE] came without an answer and without a finish_reason.'));
        return end(emit);
      }
      const chunk = parseJson(vendor, data, 'an event') as Untrusted<ChatCompletionChunk>;
      const error = errorToldIn(chunk) ?? (event === 'error' ? (chunk ?? data) : undefined);
      if (error !== undefined) throw errorOfObject(vendor, model, error);

      if (!isObject(chunk)) throw invalidReply(vendor, 'an event that is no object', data);

      const choice = firstChoice(vendor, chunk);
      const reason = reasonIn(vendor, choice?.finish_reason);
      const delta: unknown = choice?.delta ?? pieceIn(choice);
      if (!isObject(delta)) throw invalidReply(vendor, 'a piece of an answer that is none', chunk);
      const whole = reason === null ? nothing : wholeIn(choice);
      const missed = answers ? nothing : whole;
      const thought = thinkingIn(vendor, delta) ?? (said ? null : thinkingIn(vendor, missed));
      const received = textIn(vendor, delta['content']) || textIn(vendor, missed['content']);
      const content = withoutRepeated(received);
      const refusal = refusalIn(vendor, delta['refusal']) || refusalIn(vendor, missed['refusal']);
      const own = callsIn(vendor, delta);
      const pieces = own.length > 0 || calls !== null ? own : callsIn(vendor, whole);
      if (thought) {
        thinking ??= new ThinkingCollector(vendor, model);
        thinking.take(thought);
        if (thought.text !== '') emit({ type: 'thinking_delta', content: thought.text });
      }
      if (content || refusal || pieces.length > 0 || reason !== null) endThinking(emit);
      if (content) emit({ type: 'delta', content });
      for (const citation of citationsIn(delta)) {
        cited.push(citation);
        emit({ type: 'citation', citation });
      }
      if ('search_results' in chunk || 'citations' in chunk) sources = chunk;
      if (refusal) {
        refused = true;
        emit({ type: 'refusal_delta', content: refusal });
      }
      for (const call of pieces) takeCall(call, emit);
      answers ||= content !== '' || refusal !== '' || (calls !== null && calls.size > 0);
      said ||= answers || thought !== null;
      if (reason !== null) {
        if (meaningOf(reason) === 'failed') throw failureOf(vendor, model, reason, choice ?? {});
        finish = reason;
        calls?.completeWhole(emit);
      }
      usage = laterUsage(usage, usageIn(chunk));
      if (event === undefined && content && textAlone(chunk) === content)
        texts.learn(data, content, (chunk as { readonly obfuscation?: unknown }).obfuscation);
    },
  };
}

const nothing: Fields = {};

/** A piece in the form of the older Completions. */
function pieceIn(choice: Fields | undefined): Fields {
  return choice && choice['message'] == null ? (messageIn(choice) ?? nothing) : nothing;
}

/** Some vendors give the whole message with the end, or only there. */
function wholeIn(choice: Fields | undefined): Fields {
  return choice && choice['message'] != null ? (messageIn(choice) ?? nothing) : nothing;
}

interface Begun {
  readonly key: number;
  id: unknown;
  name: unknown;
}

/** Whether a piece begins another call than the last one at its index; some vendors say id and name with every piece. */
function isAnother(
  last: Begun,
  index: unknown,
  { id, name, arguments: text }: ToolCallPiece,
  isWhole: (key: unknown) => boolean,
): boolean {
  if (id && last.id) return id !== last.id && (Boolean(name) || index == null);
  if (!name || !last.name) return false;
  return name !== last.name || (Boolean(text) && isWhole(last.key));
}
