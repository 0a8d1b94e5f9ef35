import type { ThinkingConfigParam } from '@anthropic-ai/sdk/resources/messages/messages';
import type { ModelCall, Thinking } from '../../../../model/port.ts';
import type { Adaptations } from '../../../upstream/settings.ts';
import type { Effort, Family } from './families.ts';

export interface FittedThinking {
  readonly thinking?: ThinkingConfigParam;
  readonly effort?: Effort;
}

/** The least budget that the wire takes, in tokens. */
const minBudget = 1024;
/** Of the maximum of an answer, what thinking takes at most when its budget was not the client's choice. */
const maxShare = 0.8;

/** Words of effort in rising order, and the budget that stands for each with models that think by budget, in tokens. */
const budgets = { minimal: 1024, low: 4096, medium: 16_384, high: 32_768, xhigh: 65_536, max: 98_304 };
type Word = keyof typeof budgets;
const words = Object.keys(budgets) as Word[];

/** The further settings that thinking depends on. */
export interface ThinkingContext {
  readonly family: Family;
  /** Of the answer, thinking included. */
  readonly maxTokens: number;
  /** Whether the model is in the middle of a turn that it began without thinking. */
  readonly unthoughtTurn: boolean;
  readonly adaptations: Adaptations;
}

/**
 * How much the model is to think, in its own terms (https://platform.claude.com/docs/en/build-with-claude/thinking). A call
 * that says nothing of it leaves it to the vendor.
 */
export function fitThinking(call: ModelCall, context: ThinkingContext): FittedThinking {
  const { thinking: asked } = call;
  const { family, adaptations } = context;
  if (!asked) return {};
  if (asked.effort === 'none' || asked.budgetTokens === 0) return least(family, adaptations);
  const byBudget =
    family.thinking === 'budget' || (family.thinking === 'either' && asked.budgetTokens !== undefined);
  const hindrance = hindranceOf(call, byBudget, context);
  if (hindrance !== null) {
    adaptations.tell('thinking_adapted', 'thinking', `does not think for this request: ${hindrance}.`);
    return family.thinking === 'none' ? {} : least(family, adaptations);
  }
  return byBudget ? budgeted(asked, context) : adaptive(asked, family, adaptations);
}

function hindranceOf(
  { toolChoice, tools }: ModelCall,
  byBudget: boolean,
  { family, maxTokens, unthoughtTurn }: ThinkingContext,
): string | null {
  if (family.thinking === 'none') return 'it cannot';
  const forced = tools && toolChoice !== undefined && toolChoice !== 'auto' && toolChoice !== 'none';
  // A model that always thinks cannot be made to call a tool: it says so itself.
  if (forced && family.leastThinking.startsWith('disabled'))
    return 'it cannot think where it has to call a tool';
  if (!byBudget) return null;
  if (unthoughtTurn) return 'it has begun this turn without thinking';
  return maxTokens > minBudget ? null : `its answer may have only ${maxTokens} tokens`;
}

/** As little as the model can think. */
function least(family: Family, adaptations: Adaptations): FittedThinking {
  switch (family.leastThinking) {
    case 'between_tools': {
      const said = 'cannot be kept from thinking; it was told to think between tools only.';
      adaptations.tell('thinking_adapted', 'thinking', said);
      return { thinking: { type: 'between_tools' } };
    }
    case 'low_effort': {
      const said = 'cannot be kept from thinking; it was told to make little effort.';
      adaptations.tell('thinking_adapted', 'thinking', said);
      return { effort: 'low' };
    }
    default:
      return family.thinking === 'none' ? {} : { thinking: { type: 'disabled' } };
  }
}

function budgeted(asked: Thinking, { family, maxTokens, adaptations }: ThinkingContext): FittedThinking {
  const display = displayOf(asked);
  const word = wordOf(asked.effort);
  const effort = word && nearest(word, family.efforts);
  if (asked.budgetTokens !== undefined) {
    const budget = Math.max(minBudget, Math.min(asked.budgetTokens, maxTokens - 1));
    if (budget !== asked.budgetTokens) {
      const said = `thinks with ${minBudget} tokens or more and fewer than its whole answer; ${asked.budgetTokens} became ${budget}.`;
      adaptations.tell('thinking_adapted', 'thinking', said);
    }
    return { thinking: { type: 'enabled', budget_tokens: budget, ...display }, ...(effort && { effort }) };
  }
  const wanted = budgets[word ?? 'medium'];
  const budget = Math.max(minBudget, Math.min(wanted, Math.floor(maxTokens * maxShare)));
  const what = asked.effort === undefined ? 'No effort' : `The effort ${JSON.stringify(asked.effort)}`;
  const said = `thinks by a budget of tokens. ${what} became ${budget} tokens.`;
  adaptations.tell('thinking_adapted', 'thinking', said);
  return { thinking: { type: 'enabled', budget_tokens: budget, ...display } };
}

function adaptive(asked: Thinking, family: Family, adaptations: Adaptations): FittedThinking {
  const thinking: ThinkingConfigParam = { type: 'adaptive', ...displayOf(asked) };
  const { effort: word, budgetTokens } = asked;
  if (word === undefined && budgetTokens === undefined) return { thinking };
  const wanted =
    word === undefined ? (words.find((one) => (budgetTokens ?? 0) <= budgets[one]) ?? 'max') : wordOf(word);
  const effort = wanted && nearest(wanted, family.efforts);
  if (word === undefined || effort !== word) {
    const asWord =
      word === undefined ? `A budget of ${budgetTokens} tokens` : `The effort ${JSON.stringify(word)}`;
    const became = effort ? `became the effort ${JSON.stringify(effort)}` : 'was left out';
    adaptations.tell('thinking_adapted', 'thinking', `has words of its own for effort. ${asWord} ${became}.`);
  }
  return { thinking, ...(effort && { effort }) };
}

function displayOf({ shown }: Thinking) {
  return shown !== undefined && ({ display: shown ? 'summarized' : 'omitted' } as const);
}

function wordOf(effort: string | undefined): Word | undefined {
  return words.find((word) => word === effort);
}

/** The word itself, else the next lower that the model knows, else the lowest. */
function nearest(word: Word, efforts: readonly Effort[]): Effort | undefined {
  const upTo = words.slice(0, words.indexOf(word) + 1);
  return efforts.findLast((effort) => upTo.includes(effort)) ?? efforts[0];
}
