import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionCustomTool,
  ChatCompletionTool,
  ChatCompletionToolChoiceOption,
  ChatCompletionCreateParamsBase as OpenAiRequest,
} from 'openai/resources/chat/completions/completions';
import type { Warning } from '../../../../../generated/types.gen.ts';
import type { ModelAdapter, ModelCall, ModelTool, TemperatureRange } from '../../../../model/port.ts';
import { askingForUsage } from '../../../upstream/completion-stream.ts';
import {
  Adaptations,
  byMessage,
  endpointOf,
  fitTemperature,
  type ProviderSettings,
} from '../../../upstream/settings.ts';
import { customNames, wrappedTool } from '../../../upstream/tool-calls.ts';
import { type Connection, createVendorClient } from '../../../upstream/vendor-client.ts';
import { chatMessages } from './messages.ts';
import { readReply } from './reply.ts';
import { createOpenAiDecoder } from './stream.ts';
import { type Effort, effortOf, reasoningModel, takesSampling } from './thinking.ts';

/** OpenAI's words for how fast, and how dear, an answer is. */
export const serviceTiers: ReadonlySet<string> = new Set([
  'auto',
  'default',
  'flex',
  'scale',
  'priority',
  'fast',
]);

/** The call as the OpenAI wire says it. System messages stay where they are. Throws `invalid_request`. */
export function openAiCall(
  call: ModelCall,
  provider: Pick<ProviderSettings, 'id' | 'maxTokensField'>,
): { readonly request: OpenAiRequest; readonly warnings: readonly Warning[] } {
  const { model } = call;
  const notes = new Adaptations(model, byMessage);
  // `max_completion_tokens` has been OpenAI's name since its reasoning models; the others have kept `max_tokens`.
  const openAi = provider.maxTokensField === 'max_completion_tokens';
  const messages = chatMessages(call.messages, { provider: provider.id, model, openAi, notes });
  const last = messages.at(-1);
  if (call.continued && last?.role === 'assistant') Object.assign(last, { [call.continued.member]: true });
  const effort = effortOf(call, notes);
  const temperature = fitTemperature(call, call.temperatureRange ?? temperatureRange(model, effort), notes);
  const toolChoice = chatToolChoice(call, openAi);
  const request: OpenAiRequest = {
    model,
    messages,
    ...(temperature !== undefined && { temperature }),
    ...(call.maxTokens !== undefined && { [provider.maxTokensField]: call.maxTokens }),
    ...(call.tools && { tools: call.tools.map((tool) => chatTool(tool, openAi)) }),
    ...(toolChoice !== undefined && { tool_choice: toolChoice }),
    ...(call.parallelToolCalls !== undefined && { parallel_tool_calls: call.parallelToolCalls }),
    ...(call.responseFormat && {
      response_format: call.responseFormat as NonNullable<OpenAiRequest['response_format']>,
    }),
    ...effort,
    ...samplingOf(call, effort, notes),
    ...(call.verbosity !== undefined && { verbosity: call.verbosity as 'low' | 'medium' | 'high' }),
    ...(call.user !== undefined && { user: call.user }),
    ...(call.promptCacheKey !== undefined && { prompt_cache_key: call.promptCacheKey }),
    ...call.extraBody,
  };
  return { request, warnings: notes.warnings };
}

/** The same with the answer as a stream. Usage comes only when it is asked for, which not every server knows. */
export function streamed(
  request: OpenAiRequest,
  askForUsage = true,
): OpenAiRequest & ChatCompletionCreateParamsStreaming {
  return { ...request, stream: true, ...(askForUsage && { stream_options: { include_usage: true } }) };
}

/**
 * Reasoning models refuse the parameter, and so do the search models; all others on this wire take 0 to 2. `gpt-oss` is
 * not one of them.
 */
export function temperatureRange(model: string, effort: Effort): TemperatureRange {
  return !takesSampling(model, effort) || /-search-preview/.test(model) ? 'unsupported' : { max: 2 };
}

/** The sampling settings beside the temperature, as far as the model takes them. */
function samplingOf(call: ModelCall, effort: Effort, notes: Adaptations): Partial<OpenAiRequest> {
  const { model, topK, topP, stop, seed, frequencyPenalty, presencePenalty, serviceTier } = call;
  const settings: Partial<OpenAiRequest> = {
    ...(stop && { stop: [...stop] }),
    ...(seed !== undefined && { seed }),
  };
  const take = (name: keyof OpenAiRequest | 'top_k', value: number | string | undefined, taken: boolean) => {
    if (value !== undefined && taken) Object.assign(settings, { [name]: value });
    else notes.ignored(name, value);
  };
  // Reasoning models refuse these like the temperature (https://platform.openai.com/docs/guides/reasoning).
  const samples = !reasoningModel.test(model);
  take('top_p', topP, takesSampling(model, effort));
  take('frequency_penalty', frequencyPenalty, samples);
  take('presence_penalty', presencePenalty, samples);
  take('top_k', topK, false);
  take('service_tier', serviceTier, serviceTiers.has(serviceTier ?? ''));
  return settings;
}

type Format = NonNullable<ChatCompletionCustomTool['custom']['format']>;

/** @param custom whether the vendor knows custom tools; else they become functions */
function chatTool(tool: ModelTool, custom: boolean): ChatCompletionTool {
  if (tool.type === 'function') return { type: 'function', function: tool.function };
  if (!custom) return wrappedTool(tool);
  const { format, ...named } = tool.custom;
  return { type: 'custom', custom: { ...named, ...(format && { format: format as unknown as Format }) } };
}

function chatToolChoice(
  { tools, toolChoice }: Pick<ModelCall, 'tools' | 'toolChoice'>,
  custom: boolean,
): ChatCompletionToolChoiceOption | undefined {
  if (typeof toolChoice !== 'object' || !custom) return toolChoice;
  const { name } = toolChoice.function;
  const isCustom = tools?.some((tool) => tool.type === 'custom' && tool.custom.name === name);
  return isCustom ? { type: 'custom', custom: { name } } : toolChoice;
}

/** The OpenAI wire, which many vendors speak. Protocol: https://platform.openai.com/docs/api-reference/chat */
export function createOpenAiAdapter(provider: ProviderSettings, connection: Connection): ModelAdapter {
  const endpoint = endpointOf(provider, 'openai-chat');
  const client = createVendorClient(connection, endpoint, () => '/chat/completions');
  const { vendor } = client;

  return {
    read: (model, reply) => readReply(vendor, model, reply),
    prepare(call) {
      const { request, warnings } = openAiCall(call, provider);
      const wrapped = call.tools && customNames(call.tools);
      const last = request.messages.at(-1);
      const begun = last?.role === 'assistant' && typeof last.content === 'string' ? last.content : '';
      const repeated = call.continued?.repeated === true;
      const read = (reply: unknown) => readReply(vendor, call.model, reply, wrapped, begun, repeated);
      return {
        warnings,
        complete: async (options) => read(await client.json(call.model, JSON.stringify(request), options)),
        async stream(options) {
          return askingForUsage(connection, call.model, (asking) =>
            client.stream(call.model, JSON.stringify(streamed(request, asking)), options, {
              decoder: createOpenAiDecoder(vendor, call.model, wrapped, repeated ? begun : ''),
              whole: read,
            }),
          );
        },
      };
    },
  };
}
