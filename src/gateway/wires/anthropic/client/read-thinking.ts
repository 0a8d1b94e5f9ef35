import type { Thinking } from '../../../../model/port.ts';
import { invalid, objectAt, optional, wholeAt } from '../../check.ts';
import type { Body } from '../../wire.ts';

const efforts: readonly unknown[] = ['low', 'medium', 'high', 'xhigh', 'max'];
const minBudget = 1024;

/**
 * How much the model is to think; undefined where nothing is said of it. Throws `invalid_request`.
 * @param maxTokens of the answer, with its thinking
 */
export function readThinking(body: Body, maxTokens: number | undefined): Thinking | undefined {
  const config = optional(body['thinking'], 'thinking', objectAt);
  const effort = readEffort(body);
  const inWords = effort !== undefined && { effort };
  if (!config) return inWords ? inWords : undefined;
  const shown = displays.get(config['display']);
  const shows = shown !== undefined && { shown };
  switch (config['type']) {
    case 'disabled':
      return { effort: 'none' };
    case 'between_tools':
      return { effort: 'minimal', ...shows };
    case 'adaptive':
      return { ...inWords, ...shows };
    case 'enabled': {
      const budgetTokens = wholeAt(config['budget_tokens'], 'thinking.budget_tokens', minBudget);
      if (maxTokens !== undefined && budgetTokens >= maxTokens)
        throw invalid('thinking.budget_tokens', 'must be less than max_tokens');
      return { budgetTokens, ...inWords, ...shows };
    }
    default:
      throw invalid('thinking.type', 'must be one of adaptive, enabled, disabled, between_tools');
  }
}

/** Whether the client asked to see thinking, or not to. */
const displays: ReadonlyMap<unknown, boolean> = new Map([
  ['summarized', true],
  ['omitted', false],
]);

function readEffort(body: Body): string | undefined {
  const effort = optional(body['output_config'], 'output_config', objectAt)?.['effort'];
  if (effort == null) return undefined;
  if (efforts.includes(effort)) return effort as string;
  throw invalid('output_config.effort', `must be one of ${efforts.join(', ')}`);
}
