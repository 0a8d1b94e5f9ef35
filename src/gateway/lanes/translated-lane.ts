import { ServiceError } from '../../contract/errors.ts';
import type { WireCall, WireReply } from '../../contract/wire-operations.ts';
import { ulid } from '../../lib/ids.ts';
import { estimatePromptTokens } from '../../lib/tokens.ts';
import { contentOf, toolCallsOf } from '../../model/contract-form.ts';
import type { VendorWire } from '../../model/parts.ts';
import type { AnswerPart, Completion, CompletionEvent, CompletionStream } from '../../model/port.ts';
import { type TokenUsage, tokenUsage } from '../../model/usage.ts';
import type { Meter } from '../../tenants/metering/meter.ts';
import { answerText, usageOf } from '../../tenants/metering/spent.ts';
import type { Target } from '../routing/catalogue.ts';
import type { Asked, PreparedAsk } from '../routing/lanes.ts';
import type { Provider } from '../routing/provider.ts';
import { judgeFields } from '../wires/fields/table.ts';
import { toldOnce, withNamesOnWire } from '../wires/own-names.ts';
import { inClientsTerms } from '../wires/source-paths.ts';
import type { AnswerBound, AnswerMeta, StreamWriter, WireRequest } from '../wires/wire.ts';
import { refusal } from './capable-models.ts';
import type { GenerationWire } from './generation-wires.ts';
import { laneHeaders } from './lane-headers.ts';
import type { Thinker, ThinkingMemory } from './thinking-memory.ts';
import { type Keeping, refuseKept } from './vendor-responses.ts';
import type { WireContext } from './wire-context.ts';

/** Maximum length of the beginning that is kept, in characters: enough to estimate by it, and little to have for each stream. */
const maxKept = 64 * 1024;

/** The text of an answer as far as it is needed for an estimate of its tokens: an answer may have any length. */
export class AnswerSample {
  #beginning = '';
  #length = 0;

  add(text: string): void {
    this.#length += text.length;
    if (this.#beginning.length < maxKept) this.#beginning += text.slice(0, maxKept - this.#beginning.length);
  }

  /** The first of it, up to 64 Ki characters. */
  get beginning(): string {
    return this.#beginning;
  }

  /** Of the whole answer, in characters. */
  get length(): number {
    return this.#length;
  }
}

/** An answer in our own terms. */
export type TranslatedResult = {
  readonly lane: 'translated';
  /** The model whose thinking is to be remembered; left out: the client's own wire has a place for it. */
  readonly thinker?: Thinker;
} & ({ readonly completion: Completion } | { readonly events: CompletionStream });

/**
 * The client's request in the terms of a vendor that does not speak its wire: in the one of the vendor's wires that loses least of it,
 * and among equals in the first. Throws `ServiceError` for what none of them can say.
 */
export function prepareTranslated(
  provider: Provider,
  target: Target,
  generation: Generation,
): PreparedAsk<TranslatedResult> {
  const wires = targetsOf(provider);
  let best: PreparedAsk<TranslatedResult> | null = null;
  let first: unknown = null;
  for (const wire of wires) {
    try {
      const prepared = preparedFor(provider, wire, target, generation);
      if (best === null || lost(prepared) < lost(best)) best = prepared;
      if (lost(best) === 0) break;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      first ??= error;
    }
  }
  if (best === null) throw first;
  return best;
}

/** How much of a request the vendor does not get. */
function lost({ warnings }: PreparedAsk<unknown>): number {
  return warnings.filter(({ param }) => param !== 'cache_control').length;
}

function preparedFor(
  provider: Provider,
  target: VendorWire | null,
  { model, temperatureRange }: Target,
  { wire: { wire, speaks }, call, streaming, read, context, thinking }: Generation,
): PreparedAsk<TranslatedResult> {
  if (target === null && speaks === 'openai-responses') refuseKept(call.body);
  const judged = refusing(() => judgeFields(wire.fields ?? wire.name, target, call.body));
  const own = read().call;
  const thinker = { tenant: context.caller.tenantId, provider: provider.id, model };
  const recalled = () => {
    const messages = thinking.recall(own.messages, thinker);
    const ask = { ...own, messages, model, temperatureRange };
    const inTerms = (error: ServiceError) => inClientsTerms(error, wire.name, messages);
    return refusing(() => provider.adapter(target).prepare(ask), inTerms);
  };
  const prepared = recalled();
  return {
    warnings: toldOnce(judged, prepared.warnings, (adapted) =>
      withNamesOnWire(adapted, wire.name, call.body),
    ),
    async send(options) {
      const missing = thinking.missing(own.messages, thinker.tenant);
      const said = missing.length > 0 && (await thinking.fetch(missing)) ? recalled() : prepared;
      return streaming
        ? { lane: 'translated', thinker, events: await said.stream(options) }
        : { lane: 'translated', thinker, completion: await said.complete(options) };
    },
  };
}

/** Errors about what this vendor cannot be asked. */
function refusing<T>(ask: () => T, reported: (error: ServiceError) => ServiceError = (error) => error): T {
  try {
    return ask();
  } catch (error) {
    throw error instanceof ServiceError ? refusal(reported(error)) : error;
  }
}

/**
 * At a vendor whose own wires these are those that say more come first: its own before one for compatibility, and one with reasoning
 * before one without. Elsewhere the operator's order holds, as local servers have the others for compatibility alone.
 */
const preference: readonly VendorWire[] = ['gemini', 'anthropic', 'openai-responses', 'openai-chat'];

function targetsOf({ speaks, ownWires }: Provider): readonly (VendorWire | null)[] {
  if (speaks.length === 0) return [null];
  return ownWires ? preference.filter((wire) => speaks.includes(wire)) : speaks;
}

/** The answer in the client's wire, settled before its last byte goes out. */
export async function translatedReply(
  asked: Asked<TranslatedResult>,
  generation: Generation,
  meter: Meter,
): Promise<WireReply> {
  const { result } = asked;
  const headers = laneHeaders(asked, 'translated');
  if ('events' in result) {
    meter.answering();
    const mediaType = generation.wire.streamType();
    const writer = await writerOf(generation);
    const chunks = chunksOf(asked, result.events, generation, meter, writer);
    return {
      mediaType,
      headers,
      chunks,
      brokenOff: (error, requestId) => writer.stream.fail(error, requestId),
      ...(writer.stream.ping && { ping: () => writer.stream.ping?.() || generation.wire.errors.ping }),
    };
  }
  const { completion } = result;
  asked.succeeded(completion);
  if (result.thinker) generation.thinking.remember(result.thinker, completion.parts);
  const { call, answer } = generation.read();
  const text = answerText(contentOf(completion.parts), toolCallsOf(completion.parts));
  const usage = await usageOf(completion.usage, call, text);
  const delivered = { served: asked, usage, finishReason: completion.endReason };
  const meta = await metaOf(generation, () => usage.tokens);
  const body = await meter.delivering(delivered, () => JSON.stringify(answer(completion, meta)));
  await meter.succeeded(delivered);
  return { status: 200, mediaType: 'application/json', headers, body };
}

interface Writer {
  readonly stream: StreamWriter;
  /** Filled in at the end of the answer. */
  readonly reported: { usage: TokenUsage };
}

async function writerOf(generation: Generation): Promise<Writer> {
  const reported = { usage: tokenUsage({}) };
  return { reported, stream: generation.read().stream(await metaOf(generation, () => reported.usage)) };
}

async function* chunksOf(
  asked: Asked<TranslatedResult>,
  events: CompletionStream,
  generation: Generation,
  meter: Meter,
  { stream: writer, reported }: Writer,
): AsyncGenerator<string, undefined> {
  const { call } = generation.read();
  const said = new AnswerSample();
  const thought: AnswerPart[] = [];
  let over = false;
  let failure: unknown = null;
  try {
    yield writer.start();
    for await (const first of events) {
      let written = '';
      for (let event: CompletionEvent | null = first; event; event = events.take()) {
        said.add(textIn(event));
        if (event.type === 'thinking') thought.push(event.part);
        else if (event.type === 'tool_call') thought.push(event.toolCall);
        if (event.type === 'end') {
          // Pieces before the end do not wait for the ledger.
          if (written !== '') yield written;
          over = true;
          asked.succeeded(event);
          if (asked.result.thinker) generation.thinking.remember(asked.result.thinker, thought);
          const usage = await usageOf(event.usage, call, said.beginning, said.length);
          reported.usage = usage.tokens;
          await meter.succeeded({ served: asked, usage, finishReason: event.endReason });
          yield writer.take(event);
          return undefined;
        }
        written += writer.take(event);
      }
      if (written !== '') yield written;
    }
    throw new ServiceError('provider_stream_interrupted', 'The answer broke off without an end.');
  } catch (thrown) {
    failure = asked.signal.aborted ? asked.signal.reason : thrown;
    throw failure;
  } finally {
    await events.return();
    if (!over) {
      asked.ended(failure ?? new Error('The reader of the stream closed it.'));
      const usage = said.length === 0 ? null : await usageOf(null, call, said.beginning, said.length);
      if (failure === null) meter.cancelled({ served: asked, usage });
      else await meter.failed(failure, { served: asked, usage });
    }
  }
}

function textIn(event: CompletionEvent): string {
  if (event.type === 'delta' || event.type === 'refusal_delta' || event.type === 'thinking_delta')
    return event.content;
  return event.type === 'tool_call_delta' ? event.arguments : '';
}

async function metaOf(
  { model, wire, streaming, read }: Generation,
  usage: () => TokenUsage,
): Promise<AnswerMeta> {
  return {
    id: ulid(),
    model,
    createdAt: Math.floor(Date.now() / 1000),
    inputTokens: streaming && wire.tellsInputFirst ? await estimatePromptTokens(read().call) : 0,
    usage,
  };
}

/** A request for an answer of a model. */
export interface Generation {
  readonly wire: GenerationWire;
  readonly call: WireCall;
  /** As the client named it. */
  readonly model: string;
  readonly streaming: boolean;
  /** Read from the request before anything is reserved. */
  readonly bound: AnswerBound;
  /** Reads the request into our own terms, once, and only where something has to be known of it. */
  readonly read: () => WireRequest;
  readonly context: WireContext;
  /** Null for an interface on which nothing that is kept can be named. */
  readonly keeping: Keeping | null;
  readonly thinking: ThinkingMemory;
}
