import type { Part as GeminiPart, ThinkingConfig, ThinkingLevel } from '@google/genai';
import type { SealedThinking, ToolCallPart } from '../../../../model/parts.ts';
import type { ModelCall, Thinking } from '../../../../model/port.ts';
import type { Adaptations } from '../../../upstream/settings.ts';

/** A model's abilities, derived from its name. */
interface Family {
  /** How its thinking is set: not at all, by a number of tokens (2.5), or by a level (3 and later). */
  readonly thinking: 'none' | 'budget' | 'level';
  readonly tier: 'pro' | 'flash' | 'flash-lite';
  /** Version, such as 2.5; infinite for the names that stand for the newest model; null for others than Gemini. */
  readonly version: number | null;
}

/**
 * The family of a model (https://ai.google.dev/gemini-api/docs/models). A name without a version, such as
 * `gemini-flash-latest`, stands for the newest.
 */
export function familyOf(model: string): Family {
  const name = model.slice(model.lastIndexOf('/') + 1);
  const version = versionOf(name);
  const tier = /-flash-lite/.test(name) ? 'flash-lite' : /-pro/.test(name) ? 'pro' : 'flash';
  return { thinking: thinkingBy(name, version), tier, version };
}

function versionOf(name: string): number | null {
  const [, number] = /^gemini-(\d+(?:\.\d+)?)/.exec(name) ?? [];
  if (number !== undefined) return Number(number);
  return /^gemini-(?:pro|flash)(?:-lite)?-latest$/.test(name) ? Number.POSITIVE_INFINITY : null;
}

function thinkingBy(name: string, version: number | null): Family['thinking'] {
  if (version === null || version < 2.5) return 'none';
  if (version >= 3) return 'level';
  return /-(?:image|tts)/.test(name) ? 'none' : 'budget';
}

/** `thinkingConfig`, with its level as the text that it is on the wire. */
export type GeminiThinking = Omit<ThinkingConfig, 'thinkingLevel'> & {
  thinkingLevel?: `${ThinkingLevel}`;
};

/**
 * How much the model may think, in the terms of its family (https://ai.google.dev/gemini-api/docs/thinking): 2.5 takes a
 * number of tokens, 3 and later take a level. Both at once are an error there, and so is either for a model that does not
 * think.
 */
export function thinkingOf(
  { model, thinking }: Pick<ModelCall, 'model' | 'thinking'>,
  notes: Adaptations,
): GeminiThinking | undefined {
  if (!thinking) return undefined;
  const family = familyOf(model);
  if (family.thinking === 'none') {
    if (wantsThinking(thinking))
      notes.tell('parameter_ignored', 'thinking', 'does not think; the setting was left out.');
    return undefined;
  }
  const adapted = (what: string) => notes.tell('thinking_adapted', 'thinking', `${what}.`);
  const amount =
    family.thinking === 'level' ? level(thinking, family, adapted) : budget(thinking, family, adapted);
  const shown = thinking.shown === undefined ? {} : { includeThoughts: thinking.shown };
  const config = { ...shown, ...amount };
  return Object.keys(config).length > 0 ? config : undefined;
}

function wantsThinking({ effort, budgetTokens, shown }: Thinking): boolean {
  if (budgetTokens !== undefined) return budgetTokens > 0;
  return effort === undefined ? shown === true : effort !== 'none';
}

type Adapted = (what: string) => void;

/** Levels by OpenAI's words for the effort, as Google's own OpenAI-compatible endpoint has them. */
const levels: Readonly<Record<string, `${ThinkingLevel}`>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};

function level({ effort, budgetTokens }: Thinking, family: Family, adapted: Adapted): GeminiThinking {
  const none = effort === 'none' || (effort === undefined && budgetTokens === 0);
  // A number of tokens is still taken, where it is no order not to think at all.
  if (effort === undefined && !none)
    return budgetTokens === undefined ? {} : { thinkingBudget: budgetTokens };
  const asked = none ? 'MINIMAL' : levels[effort ?? ''];
  if (asked === undefined) {
    adapted(`knows no effort ${JSON.stringify(effort)}; it was left to the model`);
    return {};
  }
  const thinkingLevel = possible(asked, family);
  if (none) adapted(`cannot do without thinking; it was told to think at the level ${thinkingLevel}`);
  else if (thinkingLevel !== asked || effort === 'xhigh' || effort === 'max')
    adapted(`has no level for the effort ${effort}; it was told to think at the level ${thinkingLevel}`);
  if (!none && budgetTokens !== undefined)
    adapted('takes a level or a number of tokens, not both; the number was left out');
  return { thinkingLevel };
}

/** Pro models, and Flash from 3.7 on, have no `MINIMAL`, and 3 Pro itself has no `MEDIUM` either. */
function possible(asked: `${ThinkingLevel}`, { tier, version }: Family): `${ThinkingLevel}` {
  const since = version ?? Number.POSITIVE_INFINITY;
  if (asked === 'MINIMAL' && tier === 'flash' && since >= 3.7) return 'LOW';
  if (tier !== 'pro') return asked;
  if (asked === 'MINIMAL') return 'LOW';
  return asked === 'MEDIUM' && version === 3 ? 'HIGH' : asked;
}

/** Tokens by OpenAI's words for the effort, as Google's own OpenAI-compatible endpoint has them. */
const budgets: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};

/** The least and the most tokens of thinking. Flash models can also do without. */
const ranges = { pro: [128, 32_768], flash: [0, 24_576], 'flash-lite': [512, 24_576] } as const;

function budget({ effort, budgetTokens }: Thinking, { tier }: Family, adapted: Adapted): GeminiThinking {
  const asked = budgetTokens ?? (effort === undefined ? undefined : budgets[effort]);
  if (asked === undefined) {
    if (effort !== undefined) adapted(`knows no effort ${JSON.stringify(effort)}; it was left to the model`);
    return {};
  }
  const [least, most] = ranges[tier];
  const none = asked === 0 && tier !== 'pro';
  const thinkingBudget = none ? 0 : Math.min(most, Math.max(least, asked));
  if (thinkingBudget !== asked && (budgetTokens !== undefined || asked < thinkingBudget))
    adapted(`thinks with ${least} to ${most} tokens; ${asked} became ${thinkingBudget}`);
  return { thinkingBudget };
}

/**
 * Signatures of thoughts stand on the part of the answer that they belong to and must come back on that very part
 * (https://ai.google.dev/gemini-api/docs/thought-signatures). In a conversation of parts they are kept in two ways:
 *
 * - that of a call of a tool in its `extraContent`, in the form of Google's own OpenAI-compatible endpoint, and once more
 *   as sealed thinking before the call, for clients whose wire has a place for the latter only;
 * - that of a text as sealed thinking after the text, whose value is the part itself.
 */
export interface SignedPart {
  readonly text?: string;
  readonly thought?: true;
  readonly thoughtSignature: string;
  /** For a call: which function it calls. The call itself is in the conversation. */
  readonly functionCall?: { readonly name: string };
}

/** The signature as the `extra_content` of a call. */
export function extraContentOf(signature: string): Readonly<Record<string, unknown>> {
  return { google: { thought_signature: signature } };
}

/** The signature in the `extra_content` of a call; null where there is none. */
export function signatureIn(extraContent: ToolCallPart['extraContent']): string | null {
  const google = extraContent?.['google'];
  if (typeof google !== 'object' || google === null) return null;
  const signature = (google as Readonly<Record<string, unknown>>)['thought_signature'];
  return typeof signature === 'string' && signature !== '' ? signature : null;
}

/** Sealed thinking as a part of this wire; null for anything else. */
export function signedPartOf({ value }: Pick<SealedThinking, 'value'>): SignedPart | null {
  const { text, thought, thoughtSignature, functionCall } = value as GeminiPart;
  if (typeof thoughtSignature !== 'string' || thoughtSignature === '') return null;
  return {
    ...(typeof text === 'string' && { text }),
    ...(thought === true && { thought }),
    thoughtSignature,
    ...(typeof functionCall?.name === 'string' && { functionCall: { name: functionCall.name } }),
  };
}

/**
 * Replaces the signature of a call that this model did not make; without any it would refuse the
 * conversation (https://ai.google.dev/gemini-api/docs/thought-signatures, "FAQs").
 */
export const foreignSignature = 'skip_thought_signature_validator';
