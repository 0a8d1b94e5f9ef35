import type { MessageCreateParamsBase, Tool } from '@anthropic-ai/sdk/resources/messages/messages';
import type { Warning } from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ModelCall, TemperatureRange } from '../port.ts';
import { fitTemperature } from '../temperature.ts';
import { wrappedTool } from '../wire/custom-tools.ts';
import { formOf } from './form.ts';
import { anthropicMessages } from './messages.ts';
import { toolChoiceOf, toolOf } from './tools.ts';

/** The body of `POST /v1/messages`, as far as we use it. */
export interface AnthropicRequest
  extends Pick<
    MessageCreateParamsBase,
    'model' | 'max_tokens' | 'system' | 'messages' | 'tool_choice' | 'output_config'
  > {
  /** No longer in the vendor's types, since its newest models refuse it; the others still take it. */
  temperature?: number;
  tools?: Tool[];
}

/** The wire demands a maximum. */
const defaultMaxTokens = 8192;

export interface AnthropicCall {
  readonly request: AnthropicRequest;
  readonly warnings: readonly Warning[];
}

/**
 * The call as the Anthropic wire says it: system messages go into `system`, in their order.
 * Throws `invalid_request` when nothing else is left, and for what the wire cannot take.
 */
export function anthropicCall(call: ModelCall): AnthropicCall {
  const { messages, system, moved, extraIgnored } = anthropicMessages(call.messages);
  if (messages.length === 0) {
    const text = `${call.model} needs at least one message of the role user or assistant.`;
    throw new ServiceError('invalid_request', text, { param: 'messages' });
  }
  const { temperature, warnings } = fitTemperature(
    call,
    call.temperatureRange ?? temperatureRange(call.model),
  );
  const form = call.responseFormat ? formOf(call.model, call.responseFormat) : null;
  if (form?.instruction) system.push(form.instruction);
  const request: AnthropicRequest = {
    model: call.model,
    max_tokens: call.maxTokens ?? defaultMaxTokens,
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages,
    ...(temperature !== undefined && { temperature }),
    ...(call.tools && {
      tools: call.tools.map((tool) => toolOf(tool.type === 'custom' ? wrappedTool(tool) : tool)),
    }),
    ...toolChoiceOf(call),
    ...(form?.config && { output_config: form.config }),
  };
  if (moved === 0 && !extraIgnored && !form?.warning) return { request, warnings };
  return {
    request,
    warnings: [
      ...warnings,
      ...(moved > 0 ? [merged(call.model, moved)] : []),
      ...(extraIgnored ? [extraContentIgnored(call.model)] : []),
      ...(form?.warning ? [form.warning] : []),
    ],
  };
}

function extraContentIgnored(model: string): Warning {
  const message = `${model} has no use for the extra_content of another provider's tool calls; it was left out.`;
  return { code: 'extra_content_ignored', message, param: 'messages' };
}

function merged(model: string, moved: number): Warning {
  const which = moved === 1 ? '1 message further down was' : `${moved} messages further down were`;
  const message = `${model} takes system messages only before the conversation; ${which} moved there.`;
  return { code: 'system_messages_merged', message, param: 'messages' };
}

/**
 * Models up to 4.6 take 0 to 1. From claude-opus-4-7 on the parameter is refused with 400 "`temperature` is deprecated
 * for this model", and a name that we do not know is a newer one. The figure after the 4 is a minor version only if it
 * has one digit: `claude-sonnet-4-20250514` is 4.0.
 */
function temperatureRange(model: string): TemperatureRange {
  const upTo46 = /^claude-(?:[23]|instant|(?:opus|sonnet|haiku)-4(?:-[0-6])?(?:$|[-@]\d{8}|-latest))/;
  return upTo46.test(model) ? { max: 1 } : 'unsupported';
}
