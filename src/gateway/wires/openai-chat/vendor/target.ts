import type { ModelCall } from '../../../../model/port.ts';
import type { ProviderSettings } from '../../../upstream/settings.ts';

/** Whom a request goes to. */
export interface Target {
  readonly provider: string;
  readonly model: string;
  /** OpenAI itself, which knows the role `developer` and custom tools; vendors that speak its wire do not. */
  readonly openAi: boolean;
}

export function targetOf(
  { model }: Pick<ModelCall, 'model'>,
  { id, maxTokensField }: Pick<ProviderSettings, 'id' | 'maxTokensField'>,
): Target {
  // `max_completion_tokens` has been OpenAI's name since its reasoning models; the others have kept `max_tokens`.
  return { provider: id, model, openAi: maxTokensField === 'max_completion_tokens' };
}
