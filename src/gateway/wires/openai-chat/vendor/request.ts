import type {
  ChatCompletionCreateParamsBase,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions/completions';
import type { Warning } from '../../../../../generated/types.gen.ts';
import type { ModelCall, TemperatureRange } from '../../../../model/port.ts';
import { fitTemperature } from '../../../../model/temperature.ts';
import type { ProviderSettings } from '../../../upstream/settings.ts';
import { chatMessages } from './messages.ts';
import { samplingOf } from './sampling.ts';
import { targetOf } from './target.ts';
import { effortOf, reasoningModel } from './thinking.ts';
import { chatTool, chatToolChoice } from './tools.ts';

/** The body of `POST /chat/completions`, as far as we use it. */
export type OpenAiRequest = Pick<
  ChatCompletionCreateParamsBase,
  | 'model'
  | 'messages'
  | 'temperature'
  | 'top_p'
  | 'stop'
  | 'seed'
  | 'frequency_penalty'
  | 'presence_penalty'
  | 'max_tokens'
  | 'max_completion_tokens'
  | 'tools'
  | 'tool_choice'
  | 'parallel_tool_calls'
  | 'response_format'
  | 'reasoning_effort'
  | 'verbosity'
  | 'user'
  | 'prompt_cache_key'
  | 'service_tier'
>;

export interface OpenAiCall {
  readonly request: OpenAiRequest;
  readonly warnings: readonly Warning[];
}

/** The call as the OpenAI wire says it. System messages stay where they are. Throws `invalid_request`. */
export function openAiCall(
  call: ModelCall,
  provider: Pick<ProviderSettings, 'id' | 'maxTokensField'>,
): OpenAiCall {
  const target = targetOf(call, provider);
  const { messages, warnings: ofMessages } = chatMessages(call.messages, target);
  const range = call.temperatureRange ?? temperatureRange(call.model);
  const { temperature, warnings: ofTemperature } = fitTemperature(call, range);
  const { effort, warnings: ofThinking } = effortOf(call.model, call.thinking ?? {});
  const sampling = samplingOf(call);
  const toolChoice = chatToolChoice(call, target.openAi);
  const request: OpenAiRequest = {
    model: call.model,
    messages,
    ...(temperature !== undefined && { temperature }),
    ...(call.maxTokens !== undefined && { [provider.maxTokensField]: call.maxTokens }),
    ...(call.tools && { tools: call.tools.map((tool) => chatTool(tool, target.openAi)) }),
    ...(toolChoice !== undefined && { tool_choice: toolChoice }),
    ...(call.parallelToolCalls !== undefined && { parallel_tool_calls: call.parallelToolCalls }),
    ...(call.responseFormat && {
      response_format: call.responseFormat as NonNullable<OpenAiRequest['response_format']>,
    }),
    ...effort,
    ...sampling.settings,
    ...(call.verbosity !== undefined && { verbosity: call.verbosity as 'low' | 'medium' | 'high' }),
    ...(call.user !== undefined && { user: call.user }),
    ...(call.promptCacheKey !== undefined && { prompt_cache_key: call.promptCacheKey }),
  };
  return { request, warnings: [...ofTemperature, ...ofMessages, ...ofThinking, ...sampling.warnings] };
}

/** The same with the answer as a stream. Usage comes only when it is asked for. */
export function streamed(request: OpenAiRequest): OpenAiRequest & ChatCompletionCreateParamsStreaming {
  return { ...request, stream: true, stream_options: { include_usage: true } };
}

/**
 * Reasoning models refuse the parameter, and so do the search models; all others on this wire take 0 to 2. `gpt-oss` is
 * not one of them.
 */
function temperatureRange(model: string): TemperatureRange {
  return reasoningModel.test(model) || /-search-preview/.test(model) ? 'unsupported' : { max: 2 };
}
