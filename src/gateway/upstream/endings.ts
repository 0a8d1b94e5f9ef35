import type { FinishReason } from '../../../generated/types.gen.ts';
import { isObject } from '../../lib/json.ts';
import type { Ending, EndReason } from '../../model/port.ts';

/** The meaning of a vendor's word for the end: why the answer ended, or that its content is no answer. */
type Meaning = EndReason | 'failed';

/**
 * Words for the end of an answer beyond OpenAI's and Anthropic's own, by what they mean. Vendors that speak like the one also use
 * words of the other. Any other word counts as the model being done.
 */
const words: Readonly<Partial<Record<Meaning, readonly string[]>>> = {
  // Together: https://docs.together.ai/reference/chat-completions-1
  stop: ['stop', 'end_turn', 'eos', 'eos_token', 'complete', 'completed'],
  length: [
    'length',
    'max_tokens',
    'max_output_tokens',
    'max_completion_tokens',
    // Mistral: https://docs.mistral.ai/api
    'model_length',
    // watsonx: https://ibm.github.io/watsonx-ai-node-sdk/enums/1_4_x.WatsonXAI.TextChatResultChoice.Constants.FinishReason.html
    'token_limit',
    'time_limit',
    // vLLM, where a model repeats itself: https://docs.vllm.ai/en/latest/api/vllm/v1/engine
    'repetition',
  ],
  // Also GLM: https://docs.z.ai/api-reference/llm/chat-completion
  context_window: ['model_context_window_exceeded', 'context_length_exceeded'],
  tool_calls: ['tool_calls', 'tool_use', 'function_call'],
  content_filter: [
    'content_filter',
    'content_filtered',
    'safety',
    // GLM: https://docs.z.ai/api-reference/llm/chat-completion
    'sensitive',
    // Bedrock: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
    'guardrail_intervened',
  ],
  refusal: ['refusal'],
  failed: [
    // OpenRouter: https://openrouter.ai/docs/api/reference/errors-and-debugging
    'error',
    // GLM
    'network_error',
    // DeepSeek: https://api-docs.deepseek.com/api/create-chat-completion
    'insufficient_system_resource',
    // watsonx, and vLLM where the server gives up on a request
    'cancelled',
    'not_finished',
    'abort',
    'aborted',
    'timeout',
    // Gemini where it speaks like OpenAI: "function_call_filter: MALFORMED_FUNCTION_CALL"
    'function_call_filter',
    'malformed_function_call',
  ],
};

const meanings: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(words).flatMap(([meaning, list]) => list.map((word) => [word, meaning as Meaning])),
);

/** The meaning of a reason, in any letter case and without a part after a colon; null for a word that is unknown to us. */
export function meaningOf(reason: string): Meaning | null {
  const known = meanings.get(reason);
  if (known !== undefined) return known;
  const [word = ''] = reason.split(':', 1);
  return meanings.get(word.trim().toLowerCase()) ?? null;
}

const finishReasons = new Map<EndReason, FinishReason>([
  ['refusal', 'content_filter'],
  ['content_filter', 'content_filter'],
  ['length', 'length'],
  ['context_window', 'length'],
]);

/** How an answer ended, also in the words of the contract. */
export function endedBy(
  endReason: EndReason,
  callsTools: boolean,
): Pick<Ending, 'finishReason' | 'endReason'> {
  return { finishReason: finishReasons.get(endReason) ?? (callsTools ? 'tool_calls' : 'stop'), endReason };
}

/**
 * The error object in a parsed reply or event, or undefined. Gemini wraps its error replies in an array; servers in Python and
 * proxies send the error itself.
 */
export function errorIn(reply: unknown): unknown {
  const inner: unknown = Array.isArray(reply) ? reply[0] : reply;
  if (!isObject(inner)) return undefined;
  return inner['error'] ?? (isErrorItself(inner) ? inner : undefined);
}

/** A message alone is none: it may be a sign of life. */
function isErrorItself(reply: { readonly [field: string]: unknown }): boolean {
  const { choices, usage, detail, message, status, code, type } = reply;
  if (choices != null || usage != null) return false;
  if (typeof detail === 'string' ? detail !== '' : Array.isArray(detail) || isObject(detail)) return true;
  if (typeof message !== 'string' || message === '') return false;
  return [status, code, type].some((value) =>
    typeof value === 'number' ? value >= 400 : typeof value === 'string' && errorName.test(value),
  );
}

const errorName =
  /^[45]\d\d$|error|exception|fail|invalid|exceed|denied|unauth|forbidden|not.?found|unavailable|limit|overload|time.?out/i;
