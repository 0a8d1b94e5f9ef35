import { createHash } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import { nameOf } from '../../model/contract-form.ts';
import type { ModelCall, Thinking } from '../../model/port.ts';
import type { Adaptations } from '../upstream/settings.ts';
import type { Rules } from './rules.ts';

/** Words for how much a model thinks, in rising order. */
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

type Settings = { -readonly [Name in keyof ModelCall]: ModelCall[Name] };

/** The rules' names of members of a request, and those of a call. */
const members = [
  ['user', 'user'],
  ['prompt_cache_key', 'promptCacheKey'],
  ['verbosity', 'verbosity'],
  ['service_tier', 'serviceTier'],
  ['parallel_tool_calls', 'parallelToolCalls'],
  ['top_p', 'topP'],
  ['frequency_penalty', 'frequencyPenalty'],
  ['presence_penalty', 'presencePenalty'],
] as const;

/** The settings of a call, member by member. Throws `invalid_request` for what no other setting can say. */
export function settingsOf(call: ModelCall, rules: Rules, adapted: Adaptations): ModelCall {
  const settings: Settings = { ...call };
  const body: Record<string, unknown> = {};
  for (const [rule, name] of members) {
    const { [rule]: taken } = rules;
    const value = settings[name];
    if (taken === undefined || taken === null || value === undefined) continue;
    if (taken === false) {
      adapted.tell('parameter_ignored', rule, `takes no ${rule}; it was left out.`);
      delete settings[name];
    } else if (typeof value === 'string') Object.assign(settings, { [name]: shortened(value, taken.max) });
  }
  if (settings.stop) {
    const stop = stopOf(settings.stop, rules, call.model, adapted);
    if (stop.length > 0) settings.stop = stop;
    else delete settings.stop;
  }
  if (settings.seed !== undefined && rules.seed) {
    body[rules.seed] = settings.seed;
    delete settings.seed;
  }
  if (rules.temperature === false) settings.temperatureRange ??= 'unsupported';
  fitToolChoice(settings, rules, adapted);
  fitThinking(settings, body, rules, adapted);
  fitMaximum(settings, rules, adapted);
  return Object.keys(body).length === 0 ? settings : { ...settings, extraBody: body };
}

/** A longer one becomes one that is as different from all others. */
function shortened(value: string, max: number): string {
  return value.length <= max ? value : createHash('sha256').update(value).digest('hex').slice(0, max);
}

function stopOf(
  given: readonly string[],
  { stop: rule }: Rules,
  model: string,
  adapted: Adaptations,
): readonly string[] {
  if (!rule) return given;
  const seen = rule.blank === false ? given.filter((text) => text.trim() !== '') : given;
  if (seen.length < given.length) {
    const said = 'takes no stop sequence of white space alone; such were left out.';
    adapted.tell('parameter_adapted', 'stop', said);
  }
  if (rule.max !== undefined && seen.length > rule.max) {
    const takes =
      rule.max === 0 ? 'no stop sequences' : `at most ${rule.max} stop sequences, not ${seen.length}`;
    throw new ServiceError('invalid_request', `${model} takes ${takes}.`, { param: 'stop' });
  }
  return seen;
}

function fitToolChoice(settings: Settings, { forced_tools: forced }: Rules, adapted: Adaptations): void {
  const { tools, toolChoice: choice, thinking } = settings;
  if (forced == null || !tools || choice === undefined || choice === 'auto' || choice === 'none') return;
  if (forced === 'unthinking') {
    if (thinking && isOff(thinking)) return;
    const said = 'cannot think where it has to call a tool; it was told not to think.';
    adapted.tell('thinking_adapted', 'thinking', said);
    settings.thinking = { effort: 'none' };
    return;
  }
  const said = 'cannot be made to call a tool; it chooses whether it calls one.';
  adapted.tell('parameter_adapted', 'tool_choice', said);
  delete settings.toolChoice;
  // One that was named is the only one that it can choose.
  if (typeof choice === 'object')
    settings.tools = tools.filter((tool) => nameOf(tool) === choice.function.name);
}

function fitThinking(
  settings: Settings,
  body: Record<string, unknown>,
  { thinking_off: off, effort: words, tools_while_reasoning: whileReasoning }: Rules,
  adapted: Adaptations,
): void {
  const { thinking } = settings;
  if (thinking && off && isOff(thinking)) {
    Object.assign(body, off);
    delete settings.thinking;
    return;
  }
  const asked = thinking && isOff(thinking) ? 'none' : thinking?.effort;
  if (asked !== undefined && words && !words.includes(asked)) {
    const nearest = nearestOf(asked, words);
    const { effort: _effort, ...rest } = asked === 'none' ? {} : { ...thinking };
    const became = nearest === undefined ? 'was left out' : `became ${JSON.stringify(nearest)}`;
    const said = `has words of its own for effort: ${JSON.stringify(asked)} ${became}.`;
    adapted.tell('thinking_adapted', 'thinking', said);
    settings.thinking = nearest === undefined ? rest : { ...rest, effort: nearest };
  }
  if (whileReasoning == null || !settings.tools || (settings.thinking && isOff(settings.thinking))) return;
  if (whileReasoning === 'unasked' && asked === undefined && !settings.thinking?.budgetTokens) return;
  // Such a model is the vendor's to refuse.
  if (words && !words.includes('none')) return;
  const said = 'takes functions over Chat Completions only where it does not reason; it was told not to.';
  adapted.tell('thinking_adapted', 'thinking', said);
  settings.thinking = { effort: 'none' };
}

function isOff({ effort, budgetTokens }: Thinking): boolean {
  return effort === 'none' || (effort === undefined && budgetTokens === 0);
}

/**
 * The next lower word, else the lowest; undefined for an unknown word, or where there are none. Never `none`, as a model
 * that should think a little must still think.
 */
function nearestOf(word: string, words: readonly string[]): string | undefined {
  const at = efforts.indexOf(word);
  if (at === -1) return undefined;
  const thinking = words.filter((one) => one !== 'none');
  return efforts.slice(0, at).findLast((lower) => thinking.includes(lower)) ?? thinking[0];
}

function fitMaximum(settings: Settings, { min_output_tokens: least }: Rules, adapted: Adaptations): void {
  const { maxTokens } = settings;
  if (least === undefined || maxTokens === undefined || maxTokens >= least) return;
  const said = `takes a maximum of at least ${least} tokens; ${maxTokens} was raised to it.`;
  adapted.tell('parameter_adapted', 'max_tokens', said);
  settings.maxTokens = least;
}
