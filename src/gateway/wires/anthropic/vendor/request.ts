import type {
  Tool as AnthropicTool,
  CacheControlEphemeral,
  MessageCreateParamsBase,
  MessageParam,
  OutputConfig,
  TextBlockParam,
  Tool,
  ToolChoice,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { ResponseFormat, Warning } from '../../../../../generated/types.gen.ts';
import { ServiceError } from '../../../../contract/errors.ts';
import type { TextPart } from '../../../../model/parts.ts';
import type { ModelAdapter, ModelCall, ModelTool } from '../../../../model/port.ts';
import { ProviderError } from '../../../upstream/provider-error.ts';
import { Adaptations, endpointOf, type ProviderSettings } from '../../../upstream/settings.ts';
import { customNames, wrappedTool } from '../../../upstream/tool-calls.ts';
import { type Connection, createVendorClient } from '../../../upstream/vendor-client.ts';
import { marked } from './content.ts';
import { familyOf, isClaude } from './families.ts';
import { anthropicMessages } from './messages.ts';
import { type Answerer, readReply } from './reply.ts';
import { samplingOf } from './sampling.ts';
import { createAnthropicDecoder } from './stream.ts';
import { fitThinking } from './thinking.ts';

/** The body of `POST /v1/messages`, as far as we use it. */
interface AnthropicRequest extends MessageCreateParamsBase {
  /** No longer in the vendor's types, since its newest models refuse them; the others still take them. */
  temperature?: number;
  top_p?: number;
  top_k?: number;
  tools?: Tool[];
  cache_control?: CacheControlEphemeral;
}

interface AnthropicCall {
  readonly request: AnthropicRequest;
  readonly warnings: readonly Warning[];
  /** The tools whose arguments are a text, wrapped on the way out. */
  readonly customTools: ReadonlySet<string>;
}

/**
 * The call as the Anthropic wire says it: system messages go into `system`, in their order. A call without a maximum of
 * tokens, which this wire requires, gets the model's own.
 * Throws `invalid_request` when nothing else is left, and for what the wire cannot take.
 * @param provider who is asked
 */
export function anthropicCall(call: ModelCall, provider: string): AnthropicCall {
  const { model } = call;
  const adaptations = new Adaptations(model);
  const family = familyOf(model);
  const maxTokens = Math.min(
    call.maxTokens ?? family.maxOutput,
    isClaude(model) ? family.maxOutput : Infinity,
  );
  if (call.maxTokens !== undefined && call.maxTokens > maxTokens) {
    const said = `gives at most ${maxTokens} tokens; the maximum of ${call.maxTokens} was lowered to it.`;
    adaptations.tell('parameter_adapted', 'max_tokens', said);
  }
  const { messages, system, unthoughtTurn } = anthropicMessages(call.messages, {
    model,
    provider,
    adaptations,
    ...(call.systemStays && { systemStays: true }),
  });
  if (messages.length === 0) {
    const text = `${model} needs at least one message of the role user or assistant.`;
    throw new ServiceError('invalid_request', text, { param: 'messages' });
  }
  const { thinking, effort } = fitThinking(call, { family, maxTokens, unthoughtTurn, adaptations });
  const thinks = thinking?.type === 'enabled' || thinking?.type === 'adaptive';
  const { temperature, ...otherSampling } = samplingOf(call, family, thinks, adaptations);
  const form = call.responseFormat ? formOf(model, call.responseFormat, family.schemas) : null;
  if (form?.instruction) system.push({ type: 'text', text: form.instruction });
  const outputConfig = { ...form?.config, ...(effort && { effort }) };
  const request: AnthropicRequest = {
    model,
    max_tokens: maxTokens,
    ...(system.length > 0 && { system: systemOf(system) }),
    messages,
    ...(temperature !== undefined && { temperature }),
    ...(call.tools && { tools: call.tools.map((tool) => toolOf(tool, family.schemas)) }),
    ...toolChoiceOf(call),
    ...(Object.keys(outputConfig).length > 0 && { output_config: outputConfig }),
    ...(thinking && { thinking }),
    ...otherSampling,
    ...(call.stop && call.stop.length > 0 && { stop_sequences: [...call.stop] }),
    ...(call.user !== undefined && { metadata: { user_id: call.user } }),
    ...otherSettings(call, adaptations),
    ...call.extraBody,
  };
  if (form?.warning) adaptations.add(form.warning);
  return { request, warnings: adaptations.warnings, customTools: customNames(call.tools) };
}

/** One text, or blocks where parts of it are marked for the cache. */
function systemOf(parts: readonly TextPart[]): string | TextBlockParam[] {
  if (parts.every(({ cache }) => !cache)) return parts.map(({ text }) => text).join('\n\n');
  return parts.map((part) => ({ type: 'text', text: part.text, ...marked(part) }));
}

/** The settings with names of other vendors. */
function otherSettings(
  { model, promptCacheKey, serviceTier, verbosity }: ModelCall,
  adaptations: Adaptations,
): Pick<AnthropicRequest, 'cache_control' | 'service_tier'> {
  if (verbosity !== undefined) {
    const said = `has no setting for how wordy it is; ${JSON.stringify(verbosity)} was left out.`;
    adaptations.tell('parameter_ignored', 'verbosity', said);
  }
  const tier = serviceTier === undefined ? undefined : serviceTiers.get(serviceTier);
  if (serviceTier !== undefined && tier === undefined) {
    const said = `has no service tier ${JSON.stringify(serviceTier)}; it was left out.`;
    adaptations.tell('parameter_ignored', 'service_tier', said);
  }
  // Elsewhere the key stands for a cache that is filled unasked. Here it is filled where one asks for it.
  const cached = promptCacheKey !== undefined && isClaude(model);
  return {
    ...(tier && { service_tier: tier }),
    ...(cached && { cache_control: { type: 'ephemeral' } }),
  };
}

/** OpenAI's words and this wire's own. */
const serviceTiers: ReadonlyMap<string, 'auto' | 'standard_only'> = new Map([
  ['auto', 'auto'],
  ['priority', 'auto'],
  ['default', 'standard_only'],
  ['standard_only', 'standard_only'],
]);

/** The request for the form of an answer: the wire's own setting, or words where it has none. */
interface Form {
  readonly config?: OutputConfig;
  readonly instruction?: string;
  readonly warning?: Warning;
}

/**
 * There is no mode for JSON of any shape (https://platform.claude.com/docs/en/build-with-claude/structured-outputs).
 * Throws `invalid_request` for a schema where the model cannot be held to one.
 */
function formOf(model: string, format: ResponseFormat, schemas: boolean): Form {
  if (format.type === 'text') return {};
  if (format.type === 'json_object') {
    const message = `${model} has no mode for JSON of any shape; the prompt asks for a JSON object instead.`;
    return {
      instruction: 'Answer with one JSON object and nothing else: no other text, no code fence.',
      warning: { code: 'response_format_adapted', message, param: 'response_format' },
    };
  }
  if (!schemas) {
    const message = `${model} does not support JSON schemas; ask for json_object, or a newer model.`;
    throw new ServiceError('invalid_request', message, { param: 'response_format.type' });
  }
  const { json_schema: asked } = format;
  const described = asked.description !== undefined && !('description' in asked.schema);
  const schema = described ? { description: asked.description, ...asked.schema } : asked.schema;
  return { config: { format: { type: 'json_schema', schema } } };
}

/** @param schemas whether calls can be held to their schemas; older models refuse the field */
function toolOf(tool: ModelTool, schemas: boolean): AnthropicTool {
  const { name, description, parameters, strict } = (tool.type === 'custom' ? wrappedTool(tool) : tool)
    .function;
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: parameters ?? { type: 'object', properties: {} },
    ...(strict !== undefined && schemas && { strict }),
    ...marked(tool),
  };
}

/** `tool_choice`, which here also says whether calls may be parallel. Without tools there is none. */
function toolChoiceOf(call: Pick<ModelCall, 'tools' | 'toolChoice' | 'parallelToolCalls'>): {
  readonly tool_choice?: ToolChoice;
} {
  const { tools, toolChoice, parallelToolCalls } = call;
  if (!tools) return {};
  if (toolChoice === 'none') return { tool_choice: { type: 'none' } };
  const single = parallelToolCalls === false && { disable_parallel_tool_use: true };
  if (toolChoice === undefined) return single ? { tool_choice: { type: 'auto', ...single } } : {};
  if (toolChoice === 'auto') return { tool_choice: { type: 'auto', ...single } };
  if (toolChoice === 'required') return { tool_choice: { type: 'any', ...single } };
  return { tool_choice: { type: 'tool', name: toolChoice.function.name, ...single } };
}

/**
 * Sends a request, and once more without earlier thinking where the vendor refuses that: newer models take it only after the very same
 * instructions, tools and messages, of which clients of other wires change some
 * (https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting).
 */
async function withCurrentThinking<T>(
  request: AnthropicRequest,
  send: (request: AnthropicRequest) => Promise<T>,
): Promise<T> {
  try {
    return await send(request);
  } catch (error) {
    const refused = error instanceof ProviderError && error.code === 'provider_rejected';
    if (!refused || !/bound to a different conversation/i.test(error.message)) throw error;
    const messages = request.messages.flatMap((message): MessageParam[] => {
      if (message.role !== 'assistant' || typeof message.content === 'string') return [message];
      const content = message.content.filter(({ type }) => !/^(?:redacted_)?thinking$/.test(type));
      return content.length === 0 ? [] : [{ ...message, content }];
    });
    return send({ ...request, messages });
  }
}

/** The Anthropic wire. Protocol: https://docs.anthropic.com/en/api/messages */
export function createAnthropicAdapter(provider: ProviderSettings, connection: Connection): ModelAdapter {
  const endpoint = endpointOf(provider, 'anthropic');
  const client = createVendorClient(connection, endpoint, () => '/messages');
  const { vendor } = client;

  return {
    read: (model, reply) => readReply({ vendor, model, customTools: new Set() }, reply),
    prepare(call) {
      const { model } = call;
      const { request, warnings, customTools } = anthropicCall(call, provider.id);
      const answerer: Answerer = { vendor, model, customTools };
      return {
        warnings,
        complete: (options) =>
          withCurrentThinking(request, async (sent) =>
            readReply(answerer, await client.json(model, JSON.stringify(sent), options)),
          ),
        stream: (options) =>
          withCurrentThinking(request, (sent) =>
            client.stream(model, JSON.stringify({ ...sent, stream: true }), options, {
              decoder: createAnthropicDecoder(answerer),
              whole: (reply) => readReply(answerer, reply),
            }),
          ),
      };
    },
  };
}
