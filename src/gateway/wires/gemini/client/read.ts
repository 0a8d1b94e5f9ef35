import type { UnroutedCall } from '../../../../model/port.ts';
import type { AnswerBound, Body } from '../../wire.ts';
import { messagesOf } from './contents.ts';
import { Fields } from './fields.ts';
import { boundOf, settingsOf, toolsOf } from './settings.ts';

/** A `GenerateContentRequest`. Throws `invalid_request`, which names the path. */
export function readRequest(body: Body): UnroutedCall {
  return readFields(new Fields(body, ''));
}

/** What a `GenerateContentRequest` allows of its answers. Throws `invalid_request`. */
export function readBound(body: Body): AnswerBound {
  return boundOf(new Fields(body, '').object('generationConfig'));
}

/** A `CountTokensRequest`, which has a conversation alone or a whole request. */
export function readCountRequest(body: Body): UnroutedCall {
  const fields = new Fields(body, '');
  return readFields(fields.object('generateContentRequest') ?? fields);
}

function readFields(body: Fields): UnroutedCall {
  const settings = settingsOf(body);
  const tier = body.text('serviceTier')?.toLowerCase();
  return {
    messages: messagesOf(body),
    ...settings,
    temperatureGiven: settings.temperature !== undefined,
    ...toolsOf(body),
    ...(tier !== undefined &&
      tier !== 'unspecified' && { serviceTier: tier === 'standard' ? 'default' : tier }),
  };
}

/** A `CountTokensResponse`; the request is read by `readCountRequest`. */
export function writeTokenCount(totalTokens: number): object {
  return { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] };
}
