import type {
  ChatCompletionCreateParamsBase,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions/completions';
import type { Warning } from '../../../generated/types.gen.ts';
import type { ModelCall, TemperatureRange } from '../port.ts';
import type { ProviderSettings } from '../settings.ts';
import { fitTemperature } from '../temperature.ts';

/** The body of `POST /chat/completions`, as far as we use it. */
export type OpenAiRequest = Pick<
  ChatCompletionCreateParamsBase,
  | 'model'
  | 'messages'
  | 'temperature'
  | 'max_tokens'
  | 'max_completion_tokens'
  | 'tools'
  | 'tool_choice'
  | 'parallel_tool_calls'
  | 'response_format'
>;

export interface OpenAiCall {
  readonly request: OpenAiRequest;
  readonly warnings: readonly Warning[];
}

/**
 * The call as the OpenAI wire says it, which the contract's messages, tools and formats already do. System messages stay
 * where they are.
 */
export function openAiCall(call: ModelCall, maxTokensField: ProviderSettings['maxTokensField']): OpenAiCall {
  const range = call.temperatureRange ?? temperatureRange(call.model);
  const { temperature, warnings } = fitTemperature(call, range);
  const request: OpenAiRequest = {
    model: call.model,
    messages: call.messages as ChatCompletionMessageParam[],
    ...(temperature !== undefined && { temperature }),
    [maxTokensField]: call.maxTokens,
    ...(call.tools && { tools: [...call.tools] }),
    ...(call.toolChoice !== undefined && { tool_choice: call.toolChoice }),
    ...(call.parallelToolCalls !== undefined && { parallel_tool_calls: call.parallelToolCalls }),
    ...(call.responseFormat && {
      response_format: call.responseFormat as NonNullable<OpenAiRequest['response_format']>,
    }),
  };
  return { request, warnings };
}

/** The same with the answer as a stream. Usage comes only when it is asked for. */
export function streamed(request: OpenAiRequest): OpenAiRequest & ChatCompletionCreateParamsStreaming {
  return { ...request, stream: true, stream_options: { include_usage: true } };
}

/**
 * Reasoning models (o1, o3, o4-mini, gpt-5 and later) refuse the parameter, and so do the search models; all others on
 * this wire take 0 to 2. The name tells it whoever serves the model: `openai/gpt-5` is what OpenRouter calls it.
 * `gpt-oss` is not one of them.
 */
function temperatureRange(model: string): TemperatureRange {
  return /(?:^|\/)(?:o\d|gpt-(?:[5-9]|\d\d))|-search-preview/.test(model) ? 'unsupported' : { max: 2 };
}
