/**
 * The internal form of a conversation: a list of messages, each a list of typed parts. Every wire is read into it and
 * written from it. Omitted fields stay out: nothing is added on the way.
 */
export interface ModelMessage {
  /** `developer` is OpenAI's word for the instructions of the application; other vendors know `system` only. */
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  /** In a `tool` message: results of tools, and nothing else. */
  readonly content: readonly Part[];
  /** Who of several speaks, where the client says so. */
  readonly name?: string;
}

export type Part =
  | TextPart
  | ImagePart
  | DocumentPart
  | AudioPart
  | ToolCallPart
  | ToolResultPart
  | ThinkingPart
  | RefusalPart;

/** The vendor is to keep the prompt up to here, for as long as is said; left out: as long as it does by itself. */
export interface CacheMark {
  readonly ttl?: string;
}

export interface TextPart {
  readonly type: 'text';
  readonly cache?: CacheMark;
  readonly text: string;
  /** The sources of the text, in the order of the answer. */
  readonly citations?: readonly Citation[];
}

/** Where the bytes of a part are. */
export type Source =
  /** Base64 of the file; `mediaType` as the client named it, for example `image/png`. */
  | { readonly type: 'base64'; readonly mediaType: string; readonly data: string }
  /** An address that the vendor fetches. */
  | { readonly type: 'url'; readonly url: string; readonly mediaType?: string }
  /** A file that the vendor keeps, by the vendor's own id. */
  | { readonly type: 'file'; readonly id: string };

export interface ImagePart {
  readonly type: 'image';
  readonly cache?: CacheMark;
  readonly source: Source;
  /** How closely the model looks, in OpenAI's words: `low`, `high`, `auto`. */
  readonly detail?: string;
}

/** A PDF or a text file. */
export interface DocumentPart {
  readonly type: 'document';
  readonly cache?: CacheMark;
  readonly source: Source | { readonly type: 'text'; readonly text: string };
  readonly filename?: string;
  readonly title?: string;
}

export interface AudioPart {
  readonly type: 'audio';
  /** Base64. */
  readonly data: string;
  /** `wav`, `mp3`, … */
  readonly format: string;
}

/** A call of a tool that the model made. */
export interface ToolCallPart {
  readonly type: 'tool_call';
  /** Differs from the ids of all other calls in the conversation. */
  readonly id: string;
  readonly name: string;
  /** The model's word and unchecked: JSON, or the text that a custom tool takes. */
  readonly arguments: string;
  /** A tool that takes a text in place of JSON (OpenAI's custom tools). */
  readonly custom?: true;
  /** Data that the vendor needs back with this call, such as Gemini's thought signature; opaque. */
  readonly extraContent?: Readonly<Record<string, unknown>>;
}

/** The result of a call of a tool. */
export interface ToolResultPart {
  readonly type: 'tool_result';
  readonly cache?: CacheMark;
  readonly callId: string;
  readonly content: readonly (TextPart | ImagePart | DocumentPart)[];
  /** Whether the tool failed, where the client says so. */
  readonly isError?: boolean;
}

/** Thinking of a model. Its content is bound to the model that made it and never changed. */
export interface ThinkingPart {
  readonly type: 'thinking';
  /** The part that may be shown; empty where all is hidden. */
  readonly text: string;
  /** Data that the vendor needs back; opaque. Null: none. */
  readonly sealed: SealedThinking | null;
}

/** Signed or encrypted thinking, which only the vendor that made it can read. */
export interface SealedThinking {
  /** The wire that it came on. */
  readonly wire: VendorWire;
  /** The provider and model that made it; null where the client's conversation does not say. */
  readonly provider: string | null;
  readonly model: string | null;
  /** The block, item or part as it came on that wire, byte for byte in its values. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** Whether thinking is that of a model at a provider, or may be: a conversation need not say. */
export function isThinkingOf(
  sealed: SealedThinking | null,
  wire: VendorWire,
  by: { readonly provider: string; readonly model: string },
): sealed is SealedThinking {
  if (sealed?.wire !== wire) return false;
  return (sealed.provider ?? by.provider) === by.provider && (sealed.model ?? by.model) === by.model;
}

/** The model's refusal in place of an answer. */
export interface RefusalPart {
  readonly type: 'refusal';
  readonly text: string;
}

/** Where a piece of an answer's text comes from. */
export interface Citation {
  readonly url?: string;
  readonly title?: string;
  /** The words that are cited. */
  readonly citedText?: string;
  /** In characters of the part's text. */
  readonly start?: number;
  readonly end?: number;
}

/** The wires that vendors speak, which are those that clients may speak. */
export type VendorWire = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

/** A message of one text. */
export function said<Role extends 'system' | 'developer' | 'user' | 'assistant'>(
  role: Role,
  text: string,
): ModelMessage {
  return { role, content: [{ type: 'text', text }] };
}

/** The text of a message without its other parts. */
export function textOf({ content }: Pick<ModelMessage, 'content'>): string {
  let text = '';
  for (const part of content) if (part.type === 'text') text += part.text;
  return text;
}

/** Models that are known to see. An image may make a vendor refuse the whole request of any other. */
const seeing =
  /(?:^|\/)(?:claude-(?!2|instant)|gemini-|gpt-(?:4o|4\.1|4-turbo|[5-9])|o[13](?!-mini)|o4-|pixtral-|llama-4-|qwen[\d.]*-vl)/i;

/** Models that are known to hear; any other may refuse the whole request. */
const hearing = /(?:^|\/)(?:gemini-|gpt-(?:4o-(?:mini-)?)?audio)/i;

/** Whether a model is known to take sound, by its name. */
export const hearsSound = (model: string): boolean => hearing.test(model);

/** Whether a model is known to take images, by its name. */
export const seesImages = (model: string): boolean => seeing.test(model);

/** An instruction that stands among what the user says. */
export function systemText(text: string): string {
  return `<system>\n${text}\n</system>`;
}
