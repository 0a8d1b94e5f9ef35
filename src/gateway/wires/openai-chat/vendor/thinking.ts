import type { ReasoningEffort } from 'openai/resources/shared';
import type { Warning } from '../../../../../generated/types.gen.ts';
import type { Thinking } from '../../../../model/port.ts';

export interface Effort {
  readonly reasoning_effort?: NonNullable<ReasoningEffort>;
}

/** OpenAI's reasoning models (o1, o3, o4-mini, gpt-5 and later), whoever serves them: OpenRouter says `openai/gpt-5`. */
export const reasoningModel = /(?:^|\/)(?:o\d|gpt-(?:[5-9]|\d\d))/;
/** Its others, which refuse `reasoning_effort`. */
const withoutReasoning = /(?:^|\/)(?:gpt-[34]|chatgpt-)/;

/** From so many tokens on, a budget for thinking is a medium or a high effort. */
const mediumFrom = 4096;
const highFrom = 16_384;

/**
 * How much the model may think, for which this wire has words only. Models of other vendors are told nothing but what
 * the client said in words: what they make of a budget is not known.
 */
export function effortOf(
  model: string,
  { effort, budgetTokens }: Thinking,
): { readonly effort: Effort; readonly warnings: readonly Warning[] } {
  if (effort !== undefined) {
    if (!withoutReasoning.test(model))
      return { effort: { reasoning_effort: effort as NonNullable<ReasoningEffort> }, warnings: [] };
    return { effort: {}, warnings: effort === 'none' ? [] : [leftOut(model, `the effort ${effort}`)] };
  }
  if (budgetTokens === undefined) return { effort: {}, warnings: [] };
  if (reasoningModel.test(model)) {
    const word = budgetTokens === 0 ? least(model) : inWords(budgetTokens);
    return { effort: { reasoning_effort: word }, warnings: [inWordsInstead(model, budgetTokens, word)] };
  }
  // Nobody misses it where the model does not think.
  if (budgetTokens === 0 && withoutReasoning.test(model)) return { effort: {}, warnings: [] };
  return { effort: {}, warnings: [leftOut(model, `a budget of ${budgetTokens} tokens`)] };
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

function inWordsInstead(model: string, budget: number, word: string): Warning {
  const message = `${model} takes no budget for thinking in tokens; ${budget} became the effort ${word}.`;
  return { code: 'thinking_adapted', message, param: 'thinking' };
}

function leftOut(model: string, what: string): Warning {
  const message = `${model} cannot be told how much to think; ${what} was left out.`;
  return { code: 'thinking_adapted', message, param: 'thinking' };
}
