import type {
  CustomTool,
  FunctionTool,
  ResponseCreateParamsBase as ResponsesRequest,
  ResponseTextConfig,
} from 'openai/resources/responses/responses';
import type { Warning } from '../../../../../generated/types.gen.ts';
import { ServiceError } from '../../../../contract/errors.ts';
import { isObject } from '../../../../lib/json.ts';
import type { ModelAdapter, ModelCall, ModelTool } from '../../../../model/port.ts';
import {
  Adaptations,
  byMessage,
  endpointOf,
  fitTemperature,
  type ProviderSettings,
} from '../../../upstream/settings.ts';
import { type Connection, createVendorClient } from '../../../upstream/vendor-client.ts';
import { serviceTiers, temperatureRange } from '../../openai-chat/vendor/request.ts';
import { effortOf, reasoningModel, takesSampling } from '../../openai-chat/vendor/thinking.ts';
import { inputItems } from './input.ts';
import { readReply } from './reply.ts';
import { createResponsesDecoder } from './stream.ts';

/**
 * The call as the Responses wire says it. Nothing is stored at the vendor, so that models that reason send their reasoning
 * along, encrypted. Throws `invalid_request` for what the wire cannot take.
 * @param provider id of the provider that is asked
 */
export function responsesCall(
  call: ModelCall,
  provider: string,
): { readonly request: ResponsesRequest; readonly warnings: readonly Warning[] } {
  refuseUnknown(call);
  const { model, user, promptCacheKey, serviceTier } = call;
  const reasons = reasoningModel.test(model) && !/-chat(?:-|$)/.test(model);
  const notes = new Adaptations(model, byMessage);
  const input = inputItems(call.messages, { provider, model, notes });
  const effort = effortOf(call, notes);
  const temperature = fitTemperature(call, call.temperatureRange ?? temperatureRange(model, effort), notes);
  const samples = !reasons || takesSampling(model, effort);
  const tier = serviceTiers.has(serviceTier ?? '');
  // Reasoning models take it as little as a temperature, or the wire has no field for it.
  if (!samples) notes.ignored('top_p', call.topP);
  notes.ignored('top_k', call.topK);
  notes.ignored('frequency_penalty', call.frequencyPenalty || undefined);
  notes.ignored('presence_penalty', call.presencePenalty || undefined);
  if (!tier) notes.ignored('service_tier', serviceTier);
  const reasoning = {
    ...(effort.reasoning_effort !== undefined && { effort: effort.reasoning_effort }),
    ...(call.thinking?.shown && reasons && { summary: 'auto' as const }),
  };
  const text = textOf(call);
  const toolChoice = responsesToolChoice(call);
  const request: ResponsesRequest = {
    model,
    input,
    store: false,
    ...(reasons && { include: ['reasoning.encrypted_content'] }),
    ...(temperature !== undefined && { temperature }),
    ...(call.topP !== undefined && samples && { top_p: call.topP }),
    ...(call.maxTokens !== undefined && { max_output_tokens: call.maxTokens }),
    ...(call.tools && { tools: call.tools.map(responsesTool) }),
    ...(toolChoice !== undefined && { tool_choice: toolChoice }),
    ...(call.parallelToolCalls !== undefined && { parallel_tool_calls: call.parallelToolCalls }),
    ...(text && { text }),
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
    ...(user !== undefined && { safety_identifier: user }),
    ...(promptCacheKey !== undefined && { prompt_cache_key: promptCacheKey }),
    ...(tier && {
      service_tier: serviceTier as NonNullable<ResponsesRequest['service_tier']>,
    }),
    ...call.extraBody,
  };
  return { request, warnings: notes.warnings };
}

/** Refuses settings without which the answer would not be the one that was asked for. */
function refuseUnknown({ model, stop, seed }: ModelCall): void {
  const param = stop && stop.length > 0 ? 'stop' : seed !== undefined ? 'seed' : null;
  if (param === null) return;
  const text = `${model} is called through the Responses interface, which does not support ${param}.`;
  throw new ServiceError('invalid_request', text, { param });
}

function textOf({ responseFormat, verbosity }: ModelCall): ResponseTextConfig | undefined {
  if (!responseFormat && verbosity === undefined) return undefined;
  return {
    ...(responseFormat && { format: formatOf(responseFormat) }),
    ...(verbosity !== undefined && { verbosity: verbosity as NonNullable<ResponseTextConfig['verbosity']> }),
  };
}

function formatOf(
  format: NonNullable<ModelCall['responseFormat']>,
): NonNullable<ResponseTextConfig['format']> {
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, schema, description, strict } = format.json_schema;
  return {
    type: 'json_schema',
    name,
    schema,
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
  };
}

/** OpenAI's Responses, without state at the vendor. Protocol: https://platform.openai.com/docs/api-reference/responses */
export function createResponsesAdapter(provider: ProviderSettings, connection: Connection): ModelAdapter {
  const endpoint = endpointOf(provider, 'openai-responses');
  const client = createVendorClient(connection, endpoint, () => '/responses');
  const { vendor } = client;

  return {
    read: (model, reply) => readReply(vendor, model, reply),
    prepare(call) {
      const { request, warnings } = responsesCall(call, provider.id);
      const json = call.responseFormat !== undefined && call.responseFormat.type !== 'text';
      return {
        warnings,
        async complete(options) {
          // transformers streams unless `stream` is false.
          const body = JSON.stringify({ ...request, stream: false });
          const reply = await client.json(call.model, body, options);
          return readReply(vendor, call.model, reply, json);
        },
        async stream(options) {
          const body = JSON.stringify({ ...request, stream: true });
          return client.stream(call.model, body, options, {
            decoder: createResponsesDecoder(vendor, call.model, json),
            whole: (reply) => readReply(vendor, call.model, reply, json),
          });
        },
      };
    },
  };
}

/** `strict` is always sent: leaving it out means false elsewhere, and strict here. */
function responsesTool(tool: ModelTool): FunctionTool | CustomTool {
  if (tool.type === 'custom') {
    const { name, description, format } = tool.custom;
    return {
      type: 'custom',
      name,
      ...(description !== undefined && { description }),
      ...(format && { format: customFormatOf(format) }),
    };
  }
  const { name, description, parameters, strict } = tool.function;
  return {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
    strict: strict ?? false,
  };
}

/** Chat has the grammar in an object of its own, Responses beside the type. */
function customFormatOf({
  grammar,
  ...format
}: Readonly<Record<string, unknown>>): NonNullable<CustomTool['format']> {
  return { ...format, ...(isObject(grammar) && grammar) } as unknown as NonNullable<CustomTool['format']>;
}

function responsesToolChoice({
  tools,
  toolChoice,
}: Pick<ModelCall, 'tools' | 'toolChoice'>): ResponsesRequest['tool_choice'] {
  if (typeof toolChoice !== 'object') return toolChoice;
  const { name } = toolChoice.function;
  const custom = tools?.some((tool) => tool.type === 'custom' && tool.custom.name === name);
  return { type: custom ? 'custom' : 'function', name };
}
