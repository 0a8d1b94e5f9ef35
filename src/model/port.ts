// Over 300 lines: one port, with all that it promises.
import type {
  FinishReason,
  Model,
  ModelList,
  ResponseFormat,
  Tool,
  ToolChoice,
  Warning,
} from '../../generated/types.gen.ts';
import type { DryRun } from '../contract/dry-run.ts';
import type { Holding } from '../lib/byte-budget.ts';
import type {
  CacheMark,
  Citation,
  ModelMessage,
  RefusalPart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
} from './parts.ts';
import type { TokenUsage } from './usage.ts';

/** The abilities that a model may be asked for. One that has no vectors may well answer, so each is judged by itself. */
export type Ability =
  | 'answers'
  | 'counts'
  | 'embeddings'
  | 'images'
  | 'speech'
  | 'transcriptions'
  | 'moderations';

/**
 * A request on its way to a vendor. Fields that the client left out are left out here, and a vendor's own defaults hold;
 * `/v1/chat` has defaults of its own, which its service fills in.
 */
export interface ModelCall {
  /** The vendor's own name of the model. */
  readonly model: string;
  /** Each call of a tool in it is answered, right after the message that made it. */
  readonly messages: readonly ModelMessage[];
  /** 0 to 2. */
  readonly temperature?: number;
  /** Whether the client chose the temperature; a default that a model cannot take needs no warning. */
  readonly temperatureGiven: boolean;
  /** Temperatures that the model takes, by the operator; null where the model's name decides. */
  readonly temperatureRange: TemperatureRange | null;
  /** Maximum number of tokens in the answer, at least 1. */
  readonly maxTokens?: number;
  /** The tools that the model may call, at least one; their names differ. */
  readonly tools?: readonly ModelTool[];
  /** Only with tools. One that is named is among them. */
  readonly toolChoice?: ToolChoice;
  /** Only with tools. */
  readonly parallelToolCalls?: boolean;
  readonly responseFormat?: ResponseFormat;
  readonly topP?: number;
  readonly topK?: number;
  /** Texts at which the answer ends. */
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  /** How much the model may think. */
  readonly thinking?: Thinking;
  /** How wordy the answer is to be: `low`, `medium`, `high`. */
  readonly verbosity?: string;
  /** The client's own name of its user, for the vendor's abuse checks. */
  readonly user?: string;
  /** The key by which the vendor's cache recognises requests that begin alike. */
  readonly promptCacheKey?: string;
  readonly serviceTier?: string;
  /** Whether system messages within the conversation stay there, where the wire has the choice. */
  readonly systemStays?: boolean;
  /** How the vendor's dialect has it that the last message is an answer to go on with. */
  readonly continued?: { readonly member: string; readonly repeated?: true };
  /** Members of the request that the vendor's dialect adds, as they stand in its body. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
}

/** How much the model may think; omitted fields are the vendor's choice. */
export interface Thinking {
  /** `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max`: in words, as OpenAI has it. */
  readonly effort?: string;
  /** Maximum number of tokens, as Anthropic and Gemini have it; 0: none at all. */
  readonly budgetTokens?: number;
  /** Whether what may be shown of it is wanted. */
  readonly shown?: boolean;
}

/** A tool that a model may call: a function with JSON arguments, or a custom tool, which takes a text (OpenAI). */
export type ModelTool = (Tool | CustomTool) & { readonly cache?: CacheMark };

export interface CustomTool {
  readonly type: 'custom';
  readonly custom: {
    readonly name: string;
    readonly description?: string;
    /** The form of its text, as OpenAI has it. */
    readonly format?: Readonly<Record<string, unknown>>;
  };
}

/** The temperatures that a model takes: 0 to `max`, or none at all. */
export type TemperatureRange = { readonly max: number } | 'unsupported';

/** Token counts as the vendor gave them; null where the vendor gave none. */
export type VendorUsage = TokenUsage | null;

/**
 * Why an answer ended, for wires that say more than the contract's reasons: `refusal` and `content_filter` both are
 * `content_filter` on `/v1/chat`, and `stop_sequence` is `stop`.
 */
export type EndReason = FinishReason | 'refusal' | 'stop_sequence' | 'context_window' | 'pause';

/** How an answer ended. */
export interface Ending {
  readonly finishReason: FinishReason;
  /** The vendor's own reason, where it gives one; else as `finishReason`. */
  readonly endReason: EndReason;
  /** The text at which it ended, of those that the call named. */
  readonly stopSequence?: string;
  readonly usage: VendorUsage;
}

/** A whole answer. */
export interface Completion extends Ending {
  /** In the order of the answer: text, thinking, refusals and calls of tools. Their content is the model's and unchecked. */
  readonly parts: readonly AnswerPart[];
}

export type AnswerPart = TextPart | ThinkingPart | RefusalPart | ToolCallPart;

/**
 * A piece of a streamed answer. A stream that ends without `end` has failed and throws. Pieces of parts come in the order of
 * the answer; pieces of several calls of tools may take turns.
 */
export type CompletionEvent =
  | { readonly type: 'delta'; readonly content: string }
  | { readonly type: 'refusal_delta'; readonly content: string }
  /** The part of thinking that may be shown. */
  | { readonly type: 'thinking_delta'; readonly content: string }
  /** A stretch of thinking is complete. It comes after its deltas, which may be none. */
  | { readonly type: 'thinking'; readonly part: ThinkingPart }
  | { readonly type: 'citation'; readonly citation: Citation }
  | ToolCallEvent
  | ({ readonly type: 'end' } & Ending);

/** Calls are numbered from 0. Each comes in pieces and then, before the end, once as a whole. */
export type ToolCallEvent =
  | {
      readonly type: 'tool_call_delta';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      /** The next piece of the arguments. */
      readonly arguments: string;
      readonly custom?: true;
      /** See `ToolCallPart`; in the first piece only, if the vendor has sent it by then. */
      readonly extraContent?: NonNullable<ToolCallPart['extraContent']>;
    }
  | { readonly type: 'tool_call'; readonly index: number; readonly toolCall: ToolCallPart };

/**
 * A streamed answer. The vendor is read only on demand. `next` must not be called
 * again before it has settled. `return` may be called at any time and closes the connection at once.
 */
export interface CompletionStream extends AsyncIterable<CompletionEvent> {
  next(): Promise<IteratorResult<CompletionEvent, undefined>>;
  /** The next event if it has come together with the one before, without waiting; null: `next` has to be asked. Never throws. */
  take(): CompletionEvent | null;
  return(): Promise<IteratorResult<CompletionEvent, undefined>>;
}

/** One vendor's wire. */
export interface ModelAdapter {
  /** Adapts the call to the model. Throws `ServiceError` for parts that cannot be adapted. Needs no connection. */
  prepare(call: ModelCall): PreparedCall;
  /** Reads a whole reply that a model of this vendor gave to a request that was not prepared here. Throws `ProviderError`. */
  read(model: string, reply: unknown): Completion;
}

/**
 * A call in the vendor's own terms. It may be sent more than once. Both methods throw `ProviderError` for whatever goes
 * wrong at the vendor, and `buffers_full`; when the signal is aborted they stop at once, close the connection and throw its
 * reason.
 */
export interface PreparedCall {
  readonly warnings: readonly Warning[];
  complete(options: SendOptions): Promise<Completion>;
  /** Resolves with the first event at hand, so that until then another attempt can take over unnoticed. */
  stream(options: SendOptions): Promise<CompletionStream>;
}

/** The bounds of a request to a vendor. */
export interface SendOptions {
  readonly signal: AbortSignal;
  /** Keeps the memory that the answer has taken; null: it is given back with the answer. */
  readonly memory: Holding | null;
  /** In place of the adapter's own; null: those. */
  readonly limits: TimeLimits | null;
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

/** Those of the server. */
export interface ServerTimeLimits extends TimeLimits {
  /** Those that the operator sets: they apply on every interface, as only the defaults differ. None if left out. */
  readonly set?: Partial<TimeLimits>;
}

/** The outcome of one attempt, for the log and the ledger. */
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

/** Request attributes for trace spans. */
export interface AskedFor {
  readonly streaming: boolean;
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
}

/** The context of a request through all its attempts. */
export interface CallContext {
  /** Aborted when the client goes away: everything that runs for the request stops at once. */
  readonly signal: AbortSignal;
  /** Gathers where the request would go, in place of sending it, which then throws `DryRunOver`. */
  readonly dryRun?: DryRun | undefined;
  /** Called at the end of each attempt. Must not throw. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** The tenant of the request; left out: the server's own. */
  readonly tenant?: string | undefined;
  /** The ability that the model is asked for; `answers` if left out. */
  readonly ability?: Ability | undefined;
  /** The attributes of the request for spans. */
  readonly asked?: AskedFor | undefined;
  /** The request's share of the memory for all that is in flight; its maker gives it back. */
  readonly memory?: Holding | undefined;
  /** In place of the server's own. */
  readonly limits?: TimeLimits | undefined;
  /** The provider to try first, if it is among those that the model leads to. */
  readonly preferred?: string | undefined;
  /** The only provider that may be asked: it keeps what the request continues from. */
  readonly pinned?: string | undefined;
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
  /** Who may answer for a name, each with its own name of the model, in the order in which they are asked. Throws `model_not_found`. */
  targetsOf(name: string | null): readonly { readonly provider: string; readonly model: string }[];
  /** See `Catalogue.canonicalOf`; of the default model for null. */
  canonicalOf(name: string | null): string | null;
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
  /** Brings up to date what providers list themselves. To be awaited before `list`; it never rejects. */
  refresh(): Promise<void>;
  /** The list of `GET /v1/models`. */
  list(): ModelList;
  /** One model of that list, or one that is only routed by a pattern. Throws `model_not_found`. */
  find(name: string): Model;
  /** Takes no new calls, and resolves when the running ones are done and the connections closed. */
  close(): Promise<void>;
}
