import type {
  CacheControlEphemeral,
  MessageCreateParamsBase,
  Tool,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { Warning } from '../../../../../generated/types.gen.ts';
import { ServiceError } from '../../../../contract/errors.ts';
import type { ModelCall } from '../../../../model/port.ts';
import { customNames } from '../../../upstream/custom-tools.ts';
import { Adaptations } from './adaptations.ts';
import { familyOf, isClaude } from './families.ts';
import { formOf } from './form.ts';
import { anthropicMessages } from './messages.ts';
import { samplingOf } from './sampling.ts';
import { fitThinking } from './thinking.ts';
import { toolChoiceOf, toolOf } from './tools.ts';

/** The body of `POST /v1/messages`, as far as we use it. */
export interface AnthropicRequest
  extends Pick<
    MessageCreateParamsBase,
    | 'model'
    | 'max_tokens'
    | 'system'
    | 'messages'
    | 'tool_choice'
    | 'output_config'
    | 'thinking'
    | 'stop_sequences'
    | 'metadata'
    | 'service_tier'
  > {
  /** No longer in the vendor's types, since its newest models refuse them; the others still take them. */
  temperature?: number;
  top_p?: number;
  top_k?: number;
  tools?: Tool[];
  cache_control?: CacheControlEphemeral;
}

export interface AnthropicCall {
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
  const adaptations = new Adaptations();
  const family = familyOf(model);
  const maxTokens = call.maxTokens ?? family.maxOutput;
  const { messages, system, unthoughtTurn } = anthropicMessages(call.messages, {
    model,
    provider,
    adaptations,
  });
  if (messages.length === 0) {
    const text = `${model} needs at least one message of the role user or assistant.`;
    throw new ServiceError('invalid_request', text, { param: 'messages' });
  }
  const { thinking, effort } = fitThinking(call, { family, maxTokens, unthoughtTurn, adaptations });
  const thinks = thinking?.type === 'enabled' || thinking?.type === 'adaptive';
  const { temperature, ...otherSampling } = samplingOf(call, family, thinks, adaptations);
  const form = call.responseFormat ? formOf(model, call.responseFormat, family.schemas) : null;
  if (form?.instruction) system.push(form.instruction);
  const outputConfig = { ...form?.config, ...(effort && { effort }) };
  const request: AnthropicRequest = {
    model,
    max_tokens: maxTokens,
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages,
    ...(temperature !== undefined && { temperature }),
    ...(call.tools && { tools: call.tools.map(toolOf) }),
    ...toolChoiceOf(call),
    ...(Object.keys(outputConfig).length > 0 && { output_config: outputConfig }),
    ...(thinking && { thinking }),
    ...otherSampling,
    ...(call.stop && call.stop.length > 0 && { stop_sequences: [...call.stop] }),
    ...(call.user !== undefined && { metadata: { user_id: call.user } }),
    ...otherSettings(call, adaptations),
  };
  if (form?.warning) adaptations.tell(form.warning.code, form.warning.param, form.warning.message);
  return { request, warnings: adaptations.warnings, customTools: customNames(call.tools) };
}

/** What is asked for in words of other vendors. */
function otherSettings(
  { model, promptCacheKey, serviceTier, verbosity }: ModelCall,
  adaptations: Adaptations,
): Pick<AnthropicRequest, 'cache_control' | 'service_tier'> {
  if (verbosity !== undefined) {
    const message = `${model} has no setting for how wordy it is; ${JSON.stringify(verbosity)} was left out.`;
    adaptations.tell('parameter_ignored', 'verbosity', message);
  }
  const tier = serviceTier === undefined ? undefined : serviceTiers.get(serviceTier);
  if (serviceTier !== undefined && tier === undefined) {
    const message = `${model} has no service tier ${JSON.stringify(serviceTier)}; it was left out.`;
    adaptations.tell('parameter_ignored', 'service_tier', message);
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
