import type {
  FinishReason,
  ModelList,
  ResponseFormat,
  Tool,
  ToolCall,
  ToolChoice,
  Usage,
  Warning,
} from '../../generated/types.gen.ts';
import type { Holding } from '../lib/byte-budget.ts';

/** The provider that is always there and no language model. */
export const sandboxId = 'sandbox';

/** A message as its role allows it. An assistant's has text, calls or both. */
export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content?: string | null;
      readonly tool_calls?: readonly ToolCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** A chat request on its way to a vendor: validated, with the contract's defaults filled in. */
export interface ModelCall {
  /** The vendor's own name of the model. */
  readonly model: string;
  /** Each call of a tool in it is answered, right after the message that made it. */
  readonly messages: readonly ModelMessage[];
  /** 0 to 2. */
  readonly temperature: number;
  /** Whether the client chose the temperature; a default that a model cannot take needs no warning. */
  readonly temperatureGiven: boolean;
  /** What the operator says that the model takes as temperature; null where its name tells. */
  readonly temperatureRange: TemperatureRange | null;
  /** Maximum number of tokens in the answer, at least 1. */
  readonly maxTokens: number;
  /** What the model may call, at least one; their names differ. */
  readonly tools?: readonly Tool[];
  /** Only with tools. One that is named is among them. */
  readonly toolChoice?: ToolChoice;
  /** Only with tools. */
  readonly parallelToolCalls?: boolean;
  readonly responseFormat?: ResponseFormat;
}

/** What a model takes as temperature: 0 to `max`, or nothing at all. */
export type TemperatureRange = { readonly max: number } | 'unsupported';

/** Token counts as the vendor gave them, brought to the contract's meaning; null where the vendor gave none. */
export type VendorUsage = Omit<Usage, 'source'> | null;

/** A whole answer. */
export interface Completion {
  readonly content: string;
  /** In the order of the answer. What they name and hand over is the model's word and unchecked. */
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: FinishReason;
  readonly usage: VendorUsage;
}

/** A piece of a streamed answer. A stream that ends without `end` has failed and throws. */
export type CompletionEvent =
  | { readonly type: 'delta'; readonly content: string }
  | ToolCallEvent
  | { readonly type: 'end'; readonly finishReason: FinishReason; readonly usage: VendorUsage };

/** Calls are numbered from 0. Each comes in pieces and then, before the end, once as a whole. */
export type ToolCallEvent =
  | {
      readonly type: 'tool_call_delta';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      /** The next piece of the arguments. */
      readonly arguments: string;
    }
  | { readonly type: 'tool_call'; readonly index: number; readonly toolCall: ToolCall };

/**
 * A streamed answer. Nothing is read from the vendor while nobody asks for the next event. `next` must not be called
 * again before it has settled. `return` may be called at any time and closes the connection at once.
 */
export interface CompletionStream extends AsyncIterable<CompletionEvent> {
  next(): Promise<IteratorResult<CompletionEvent, undefined>>;
  return(): Promise<IteratorResult<CompletionEvent, undefined>>;
}

/** One vendor's wire. */
export interface ModelAdapter {
  /** What has to be adapted to fit the model. Throws `ServiceError` for what cannot be. Needs no connection. */
  prepare(call: ModelCall): PreparedCall;
  /** Takes no new calls, and resolves when the running ones are done and the connections closed. */
  close(): Promise<void>;
}

/**
 * A call in the vendor's own terms. It may be sent more than once. Both methods throw `ProviderError` for whatever goes
 * wrong at the vendor, and `buffers_full`; when `signal` is aborted they stop at once, close the connection and throw its
 * reason. `memory` keeps what the answer has taken; without one that is given back with the answer.
 */
export interface PreparedCall {
  readonly warnings: readonly Warning[];
  complete(signal: AbortSignal, memory: Holding | null): Promise<Completion>;
  /** Resolves with the first event at hand, so that until then another attempt can take over unnoticed. */
  stream(signal: AbortSignal, memory: Holding | null): Promise<CompletionStream>;
}

/** Time limits of a request in milliseconds. */
export interface TimeLimits {
  /** From asking for a connection to having one. */
  readonly connect: number;
  /** From sending the request to the first byte of the answer. */
  readonly firstByte: number;
  /** Maximum silence within an answer. */
  readonly idle: number;
  /** The whole request with all its attempts. */
  readonly total: number;
}

/** What happened in one attempt, for the log and the ledger. */
export interface Attempt {
  readonly provider: string;
  readonly model: string;
  readonly outcome: 'succeeded' | 'failed' | 'cancelled' | 'skipped';
  /** The contract's error code, for an attempt that failed. */
  readonly errorCode: string | null;
  /** The vendor's HTTP status, where there was one. */
  readonly status: number | null;
  readonly durationMs: number;
}

/** What a request carries through all its attempts. */
export interface CallContext {
  /** Aborted when the client goes away: everything that runs for the request stops at once. */
  readonly signal: AbortSignal;
  /** Told of each attempt when it is over. Must not throw. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** What the request has of the memory for all that is in flight; whoever made it gives it back. */
  readonly memory?: Holding | undefined;
}

/** Who answered and what was adapted, beside the answer itself. */
export interface Served {
  readonly provider: string;
  /** The model that answered, as the client may ask for it again. */
  readonly model: string;
  readonly warnings: readonly Warning[];
}

/** A call without what routing finds out. */
export type UnroutedCall = Omit<ModelCall, 'model' | 'temperatureRange'>;

/**
 * The one way to the models: finds who serves a name and sees the call through retries and fallbacks. Throws
 * `ServiceError`, or the reason of the client's signal. A null name is the default model.
 */
export interface ModelGateway {
  readonly defaultModel: string;
  /** Who would be asked first for a name; null: the default model. Throws `model_not_found`. */
  providerOf(name: string | null): string;
  complete(
    name: string | null,
    call: UnroutedCall,
    context: CallContext,
  ): Promise<Served & { readonly completion: Completion }>;
  /**
   * Resolves with the first event at hand; until then retries and fallbacks happen unnoticed, afterwards a failure is
   * thrown by `events`, exactly once, and what came before it stands. Who stops reading early must call `return`.
   */
  stream(
    name: string | null,
    call: UnroutedCall,
    context: CallContext,
  ): Promise<Served & { readonly events: CompletionStream }>;
  /** What `GET /v1/models` shows. */
  list(): ModelList;
  /** Takes no new calls, and resolves when the running ones are done and the connections closed. */
  close(): Promise<void>;
}
