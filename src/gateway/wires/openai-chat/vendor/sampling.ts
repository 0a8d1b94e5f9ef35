import type { ChatCompletionCreateParamsBase } from 'openai/resources/chat/completions/completions';
import type { Warning } from '../../../../../generated/types.gen.ts';
import type { ModelCall } from '../../../../model/port.ts';
import { reasoningModel } from './thinking.ts';

type Settings = Partial<
  Pick<
    ChatCompletionCreateParamsBase,
    'top_p' | 'stop' | 'seed' | 'frequency_penalty' | 'presence_penalty' | 'service_tier'
  >
>;

/** OpenAI's words for how fast, and how dear, an answer is. */
const serviceTiers: ReadonlySet<string> = new Set(['auto', 'default', 'flex', 'scale', 'priority']);

/** What beside the temperature decides how an answer is made, as far as the model takes it. */
export function samplingOf(call: ModelCall): {
  readonly settings: Settings;
  readonly warnings: readonly Warning[];
} {
  const { model, topK, topP, stop, seed, frequencyPenalty, presencePenalty, serviceTier } = call;
  const settings: Settings = { ...(stop && { stop: [...stop] }), ...(seed !== undefined && { seed }) };
  const warnings: Warning[] = [];
  const take = (name: keyof Settings | 'top_k', value: number | string | undefined, taken: boolean) => {
    if (value === undefined) return;
    if (taken) Object.assign(settings, { [name]: value });
    else
      warnings.push({
        code: 'parameter_ignored',
        message: `${model} takes no ${name} of ${JSON.stringify(value)}; it was left out.`,
        param: name,
      });
  };
  // Reasoning models refuse these like the temperature (https://platform.openai.com/docs/guides/reasoning).
  const samples = !reasoningModel.test(model);
  take('top_p', topP, samples);
  take('frequency_penalty', frequencyPenalty, samples);
  take('presence_penalty', presencePenalty, samples);
  take('top_k', topK, false);
  take('service_tier', serviceTier, serviceTiers.has(serviceTier ?? ''));
  return { settings, warnings };
}
