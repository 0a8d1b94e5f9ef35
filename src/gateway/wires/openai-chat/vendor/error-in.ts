import { isObject } from '../../../../lib/is-object.ts';
import { errorIn } from '../../../upstream/vendor-errors.ts';

/**
 * The error in a reply or a chunk that began with 200, or undefined. Beside `error`: vLLM and SGLang send the error itself, as an
 * `object` of that name; Groq says in `x_groq` why it stopped early
 * (https://github.com/groq/groq-python/blob/main/src/groq/types/chat/chat_completion_chunk.py); MiniMax has a status in `base_resp`
 * (https://platform.minimax.io/docs/api-reference/text-openai-api).
 */
export function errorToldIn(reply: unknown): unknown {
  const error = errorIn(reply);
  if (error !== undefined || !isObject(reply)) return error;
  const { object, x_groq: groq, base_resp: status } = reply;
  if (object === 'error') return reply;
  if (isObject(groq) && typeof groq['error'] === 'string' && groq['error'] !== '') return groq['error'];
  if (!isObject(status) || typeof status['status_code'] !== 'number' || status['status_code'] === 0)
    return undefined;
  const { status_code: code, status_msg: message } = status;
  return { message, code: miniMaxCodes.get(code as number) ?? null };
}

/** MiniMax's numbers for what is not its own failure, by OpenAI's names (https://platform.minimax.io/docs/api-reference/errorcode). */
const miniMaxCodes: ReadonlyMap<number, string> = new Map([
  [1002, 'rate_limit_exceeded'],
  [1004, 'invalid_api_key'],
  [1008, 'insufficient_quota'],
  [1039, 'rate_limit_exceeded'],
  [2013, 'invalid_request_error'],
]);
