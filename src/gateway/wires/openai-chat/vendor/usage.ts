import { isObject } from '../../../../lib/json.ts';
import type { VendorUsage } from '../../../../model/port.ts';
import { count, inputTokens, tokenUsage, wholeInput } from '../../../../model/usage.ts';

type UsageFields = Readonly<Record<string, unknown>>;

/**
 * Where vendors that speak this wire put a count, by its path in the usage; the first that is there holds. OpenAI's own
 * names come first.
 */
const places = {
  prompt: ['prompt_tokens', 'input_tokens'],
  completion: ['completion_tokens', 'output_tokens'],
  total: ['total_tokens'],
  cacheRead: [
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    // Mistral: https://github.com/vercel/ai/blob/main/packages/mistral/src/convert-mistral-usage.ts
    'prompt_token_details.cached_tokens',
    'num_cached_tokens',
    // DeepSeek: https://api-docs.deepseek.com/api/create-chat-completion
    'prompt_cache_hit_tokens',
    // Moonshot and Together: https://platform.moonshot.ai/docs/api/chat
    'cached_tokens',
    // LiteLLM as the provider: https://docs.litellm.ai/docs/completion/prompt_caching
    'cache_read_input_tokens',
  ],
  cacheWrite: [
    'prompt_tokens_details.cache_write_tokens',
    'input_tokens_details.cache_write_tokens',
    // Qwen at Model Studio: https://www.alibabacloud.com/help/en/model-studio/context-cache
    'prompt_tokens_details.cache_creation_input_tokens',
    'prompt_tokens_details.cache_creation_tokens',
    'cache_creation_input_tokens',
  ],
  cacheWrite1h: [
    'prompt_tokens_details.cache_creation.ephemeral_1h_input_tokens',
    'prompt_tokens_details.cache_creation_token_details.ephemeral_1h_input_tokens',
    'cache_creation.ephemeral_1h_input_tokens',
  ],
  reasoning: [
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    // Perplexity, Together
    'reasoning_tokens',
  ],
  audioIn: ['prompt_tokens_details.audio_tokens'],
  imageIn: ['prompt_tokens_details.image_tokens'],
  audioOut: ['completion_tokens_details.audio_tokens'],
} as const satisfies Record<string, readonly string[]>;

type Count = keyof typeof places;

const paths = Object.fromEntries(
  Object.entries(places).map(([name, list]) => [name, list.map((path) => path.split('.'))]),
) as unknown as Readonly<Record<Count, readonly (readonly string[])[]>>;

/** A vendor may report a class under two names and leave one of them at zero. Null if none is reported. */
function counted(usage: UsageFields, name: Count): number | null {
  let first: number | null = null;
  for (const path of paths[name]) {
    let value: unknown = usage;
    for (const step of path) value = isObject(value) ? value[step] : null;
    const found = count(value);
    if (found !== null && found > 0) return found;
    first ??= found;
  }
  return first;
}

/**
 * The tokens that a reply or a chunk reports, null if it reports none: at its top, with Groq in `x_groq`
 * (https://console.groq.com/docs/api-reference), with Moonshot in the last choice
 * (https://platform.moonshot.ai/docs/api/chat).
 */
export function usageIn({ usage, x_groq: groq, choices }: UsageFields): VendorUsage {
  const atTop = readUsage(usage) ?? (isObject(groq) ? readUsage(groq['usage']) : null);
  if (atTop !== null) return atTop;
  const last: unknown = Array.isArray(choices) ? choices.at(-1) : null;
  return isObject(last) ? readUsage(last['usage']) : null;
}

/** The valid usage of two chunks: the later, except zeros, which undo nothing. */
export function laterUsage(before: VendorUsage, after: VendorUsage): VendorUsage {
  if (after === null) return before;
  return before !== null && after.output === 0 && inputTokens(after) === 0 ? before : after;
}

/**
 * Tokens, null when the vendor gave none. On this wire the prompt includes the cache's tokens, and the completion the
 * reasoning; Gemini and xAI leave the reasoning out of the completion but not of the total, which reveals it.
 */
export function readUsage(usage: unknown): VendorUsage {
  if (!isObject(usage)) return null;
  const total = counted(usage, 'total');
  const given = counted(usage, 'completion');
  const said = counted(usage, 'prompt') ?? rest(total, given);
  if (said === null || (given === null && total === null)) return null;
  const prompt = wholeInput(said, counted(usage, 'cacheRead') ?? 0, given ?? 0, total);
  const hidden = Math.max(0, (total ?? 0) - prompt - (given ?? 0));
  const reasoning = counted(usage, 'reasoning') ?? 0;
  const cacheRead = Math.min(counted(usage, 'cacheRead') ?? 0, prompt);
  const written = Math.min(counted(usage, 'cacheWrite') ?? 0, prompt - cacheRead);
  const cacheWrite1h = Math.min(counted(usage, 'cacheWrite1h') ?? 0, written);
  return tokenUsage({
    inputUncached: prompt - cacheRead - written,
    cacheRead,
    cacheWrite5m: written - cacheWrite1h,
    cacheWrite1h,
    // Where the vendor gave no completion at all, what is missing from the total is the answer.
    output: (given ?? 0) + hidden,
    reasoning: given === null ? reasoning : Math.max(reasoning, hidden),
    audioIn: counted(usage, 'audioIn') ?? 0,
    imageIn: counted(usage, 'imageIn') ?? 0,
    audioOut: counted(usage, 'audioOut') ?? 0,
  });
}

/** The prompt where only the answer and the total are reported. */
function rest(total: number | null, given: number | null): number | null {
  return total === null || given === null || total < given ? null : total - given;
}
