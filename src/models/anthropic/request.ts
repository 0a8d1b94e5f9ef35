import type { MessageCreateParamsBase, MessageParam } from '@anthropic-ai/sdk/resources/messages/messages';
import type { Warning } from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ModelCall, TemperatureRange } from '../port.ts';
import { fitTemperature } from '../temperature.ts';

/** The body of `POST /v1/messages`, as far as we use it. */
export interface AnthropicRequest
  extends Pick<MessageCreateParamsBase, 'model' | 'max_tokens' | 'system' | 'messages'> {
  /** No longer in the vendor's types, since its newest models refuse it; the others still take it. */
  temperature?: number;
}

export interface AnthropicCall {
  readonly request: AnthropicRequest;
  readonly warnings: readonly Warning[];
}

/**
 * The call as the Anthropic wire says it: system messages go into `system`, in their order.
 * Throws `invalid_request` when nothing else is left.
 */
export function anthropicCall(call: ModelCall): AnthropicCall {
  const system: string[] = [];
  const messages: MessageParam[] = [];
  let moved = 0;
  for (const { role, content } of call.messages) {
    if (role !== 'system') messages.push({ role, content });
    else {
      system.push(content);
      if (messages.length > 0) moved += 1;
    }
  }
  if (messages.length === 0) {
    const text = `${call.model} needs at least one message of the role user or assistant.`;
    throw new ServiceError('invalid_request', text, { param: 'messages' });
  }
  const { temperature, warnings } = fitTemperature(
    call,
    call.temperatureRange ?? temperatureRange(call.model),
  );
  const request: AnthropicRequest = {
    model: call.model,
    max_tokens: call.maxTokens,
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages,
    ...(temperature !== undefined && { temperature }),
  };
  return { request, warnings: moved > 0 ? [...warnings, merged(call.model, moved)] : warnings };
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
