import type { ReasoningEffort } from 'openai/resources/shared';
import { isObject } from '../../../../lib/json.ts';
import type { SealedThinking, ThinkingPart } from '../../../../model/parts.ts';
import type { ModelCall } from '../../../../model/port.ts';
import type { Adaptations } from '../../../upstream/settings.ts';
import { invalidReply, type Vendor } from '../../../upstream/vendor.ts';

/** Maximum number of characters of thinking in one answer. */
const maxThinkingLength = 4 * 1024 * 1024;

const fields = ['reasoning_content', 'reasoning'] as const;

const none: readonly Detail[] = [];

/** Puts thinking together that comes in pieces. */
export class ThinkingCollector {
  readonly #vendor: Vendor;
  readonly #model: string;
  #thought: ThinkingTold | null = null;
  #length = 0;

  constructor(vendor: Vendor, model: string) {
    this.#vendor = vendor;
    this.#model = model;
  }

  take({ text, field, details }: ThinkingTold): void {
    this.#length += text.length;
    for (const { data } of details) if (typeof data === 'string') this.#length += data.length;
    if (this.#length > maxThinkingLength)
      throw invalidReply(this.#vendor, 'more than 4 MiB of thinking', `${this.#length} characters`);
    const before = this.#thought;
    this.#thought = {
      text: (before?.text ?? '') + text,
      field: field ?? before?.field ?? null,
      details:
        details.length === 0 ? (before?.details ?? none) : joinedDetails(before?.details ?? none, details),
    };
  }

  /** The thinking since the last call, as a whole; null without any. */
  end(): ThinkingPart | null {
    const thought = this.#thought;
    this.#thought = null;
    return thought && thinkingPart(this.#vendor, this.#model, thought);
  }
}

export interface Effort {
  readonly reasoning_effort?: NonNullable<ReasoningEffort>;
}

/** OpenAI's reasoning models (o1, o3, o4-mini, gpt-5 and later), whoever serves them: OpenRouter says `openai/gpt-5`. */
export const reasoningModel = /(?:^|\/)(?:o\d|gpt-(?:[5-9]|\d\d))/;
/** Those of them that need not reason, and then take a temperature (https://github.com/vercel/ai, openai-model-catalog.ts, 4.0.118). */
const reasonsAtWill = /(?:^|\/)gpt-(?:5\.[1-9]|6-(?:sol|luna)|6\.1-terra)(?!.*-(?:pro|chat|codex))/;

/** Whether the model takes a temperature and `top_p` where it reasons so much. */
export function takesSampling(model: string, { reasoning_effort: effort }: Effort): boolean {
  return !reasoningModel.test(model) || (effort === 'none' && reasonsAtWill.test(model));
}

/** Its others, which refuse `reasoning_effort`. */
const withoutReasoning = /(?:^|\/)(?:gpt-[34]|chatgpt-)/;

/** From so many tokens on, a budget for thinking is a medium or a high effort. */
const mediumFrom = 4096;
const highFrom = 16_384;

/**
 * How much the model may think, for which this wire has words only. Models of other vendors get only the client's own
 * words: how they treat a budget is unknown.
 */
export function effortOf(
  { model, thinking: { effort, budgetTokens } = {} }: ModelCall,
  notes: Adaptations,
): Effort {
  const adapted = (said: string) => notes.tell('thinking_adapted', 'thinking', said);
  const leftOut = (what: string) => adapted(`cannot be told how much to think; ${what} was left out.`);
  if (effort !== undefined) {
    if (!withoutReasoning.test(model)) return { reasoning_effort: effort as NonNullable<ReasoningEffort> };
    if (effort !== 'none') leftOut(`the effort ${effort}`);
  } else if (budgetTokens !== undefined && reasoningModel.test(model)) {
    const word = budgetTokens === 0 ? least(model) : inWords(budgetTokens);
    adapted(`takes no budget for thinking in tokens; ${budgetTokens} became the effort ${word}.`);
    return { reasoning_effort: word };
    // A model that does not think needs no warning about a budget of 0.
  } else if (budgetTokens !== undefined && !(budgetTokens === 0 && withoutReasoning.test(model)))
    leftOut(`a budget of ${budgetTokens} tokens`);
  return {};
}

function inWords(budget: number): 'low' | 'medium' | 'high' {
  if (budget < mediumFrom) return 'low';
  return budget < highFrom ? 'medium' : 'high';
}

/** The o series always thinks, gpt-5 too, if little; later models need not. */
function least(model: string): 'low' | 'minimal' | 'none' {
  if (/(?:^|\/)o\d/.test(model)) return 'low';
  return /(?:^|\/)gpt-5(?!\.)/.test(model) ? 'minimal' : 'none';
}

/** One of OpenRouter's `reasoning_details`, of which vendors want each back as it came. */
type Detail = Readonly<Record<string, unknown>>;

/** The thinking in a message or a piece of one. */
interface ThinkingTold {
  readonly text: string;
  /** Where it stood, if the vendor wants it back there. */
  readonly field: (typeof fields)[number] | null;
  readonly details: readonly Detail[];
}

/**
 * The thinking in a message, for which this wire has no field: DeepSeek, Moonshot, Qwen, xAI and vLLM say
 * `reasoning_content`, OpenRouter and Groq `reasoning`, and Mistral has parts of the type `thinking` in the content. OpenRouter
 * also has `reasoning_details`, some of them encrypted
 * (https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning-blocks). Null where there is none. Throws
 * `ProviderError` for what is no text.
 */
export function thinkingIn(
  vendor: Vendor,
  message: { readonly [field: string]: unknown },
): ThinkingTold | null {
  const { content, reasoning_details: given } = message;
  const details = Array.isArray(given) ? given.filter(isObject) : none;
  for (const field of fields) {
    const text = message[field];
    if (text == null || text === '') continue;
    if (typeof text !== 'string') throw invalidReply(vendor, 'thinking that is no text', text);
    return { text, field, details };
  }
  if (details.length > 0) return { text: details.map(textOfDetail).join(''), field: null, details };
  if (!Array.isArray(content)) return null;
  const text = content.map(thinkingOfPart).join('');
  return text === '' ? null : { text, field: null, details };
}

function textOfDetail({ text, summary }: Detail): string {
  return typeof text === 'string' ? text : typeof summary === 'string' ? summary : '';
}

function thinkingOfPart(part: unknown): string {
  if (!isObject(part) || !Array.isArray(part['thinking'])) return '';
  return part['thinking']
    .map((piece: unknown) => (isObject(piece) && typeof piece['text'] === 'string' ? piece['text'] : ''))
    .join('');
}

export function thinkingPart(
  { id }: Vendor,
  model: string,
  { text, field, details }: ThinkingTold,
): ThinkingPart {
  if (field === null && details.length === 0) return { type: 'thinking', text, sealed: null };
  const value = {
    ...(field !== null && { [field]: text }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
  return { type: 'thinking', text, sealed: { wire: 'openai-chat', provider: id, model, value } };
}

/** The fields in which such thinking goes back; null for what has not its form, which a client may have made up. */
export function thinkingFields({ value }: SealedThinking): ThinkingFields | null {
  const field = fields.find((name) => typeof value[name] === 'string');
  const details: unknown = value['reasoning_details'];
  const entries = Array.isArray(details) ? details.filter(isObject) : none;
  if (field === undefined && entries.length === 0) return null;
  return {
    ...(field !== undefined && { [field]: value[field] as string }),
    ...(entries.length > 0 && { reasoning_details: entries }),
  };
}

export type ThinkingFields = { readonly [Field in (typeof fields)[number]]?: string } & {
  readonly reasoning_details?: readonly Detail[];
};

/** The fields of a message whose thinking came in two stretches: of texts the last, as there is one place, and every detail. */
export function joinedFields(before: ThinkingFields | null, { ...after }: ThinkingFields): ThinkingFields {
  const details = [...(before?.reasoning_details ?? []), ...(after.reasoning_details ?? [])];
  return { ...before, ...after, ...(details.length > 0 && { reasoning_details: details }) };
}

/** Texts and summaries come in pieces, each with the index of its detail; encrypted ones come whole. */
function joinedDetails(before: readonly Detail[], pieces: readonly Detail[]): readonly Detail[] {
  const joined = [...before];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const field =
      piece['type'] === 'reasoning.text' ? 'text' : piece['type'] === 'reasoning.summary' ? 'summary' : null;
    if (!last || field === null || last['type'] !== piece['type'] || last['index'] !== piece['index']) {
      joined.push(piece);
      continue;
    }
    const given = Object.fromEntries(Object.entries(piece).filter(([, value]) => value != null));
    const text = textOfDetail(last) + textOfDetail(piece);
    joined[joined.length - 1] = { ...last, ...given, [field]: text };
  }
  return joined;
}
