import type { MessageDeltaUsage, Usage } from '@anthropic-ai/sdk/resources/messages/messages';
import type { TokenUsage } from '../../../../model/token-usage.ts';

/** Tokens as this wire counts them: the input leaves out what concerns the cache. */
export function usageOnWire(tokens: TokenUsage): Usage {
  return {
    ...totalsOnWire(tokens),
    input_tokens: tokens.inputUncached,
    cache_creation: {
      ephemeral_5m_input_tokens: tokens.cacheWrite5m,
      ephemeral_1h_input_tokens: tokens.cacheWrite1h,
    },
    inference_geo: null,
    service_tier: null,
    speed: null,
  };
}

/** The same at the end of a stream. */
export function totalsOnWire(tokens: TokenUsage): MessageDeltaUsage {
  return {
    input_tokens: tokens.inputUncached,
    cache_creation_input_tokens: tokens.cacheWrite5m + tokens.cacheWrite1h,
    cache_read_input_tokens: tokens.cacheRead,
    output_tokens: tokens.output,
    output_tokens_details: { thinking_tokens: tokens.reasoning },
    server_tool_use: null,
  };
}
