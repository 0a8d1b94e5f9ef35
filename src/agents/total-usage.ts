import type { Usage } from '../../generated/types.gen.ts';

/** The sum of what several calls used; it is estimated if one of them was. */
export function addUsage(sum: Usage | null, more: Usage): Usage {
  if (!sum) return more;
  return {
    prompt_tokens: sum.prompt_tokens + more.prompt_tokens,
    completion_tokens: sum.completion_tokens + more.completion_tokens,
    total_tokens: sum.total_tokens + more.total_tokens,
    prompt_tokens_details: {
      cached_tokens: sum.prompt_tokens_details.cached_tokens + more.prompt_tokens_details.cached_tokens,
    },
    completion_tokens_details: {
      reasoning_tokens:
        sum.completion_tokens_details.reasoning_tokens + more.completion_tokens_details.reasoning_tokens,
    },
    source: sum.source === 'estimated' ? 'estimated' : more.source,
  };
}
