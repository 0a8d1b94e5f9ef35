import type { ResponseFormat } from '../../../../../generated/types.gen.ts';
import { given } from '../../../../lib/json.ts';
import type { Thinking, UnroutedCall } from '../../../../model/port.ts';
import { booleanIn, countIn, invalid, numberIn, objectAt, objectIn, textAt, textIn } from '../../check.ts';
import { schemaFormat } from '../../openai-responses/client/read-content.ts';
import type { AnswerBound, Body, Wire } from '../../wire.ts';
import { answerOnWire } from './answer.ts';
import { readMessages, readToolOptions } from './read-messages.ts';
import { chatStream } from './stream.ts';

/** OpenAI's Chat Completions (https://platform.openai.com/docs/api-reference/chat). */
export const openAiChatWire: Wire = {
  name: 'openai-chat',
  bound: (body) => boundIn(body, 1),
  read(body) {
    const messages = readMessages(body['messages']);
    const call = { messages, ...readOptions(body), ...readToolOptions(body) };
    const withUsage = includeUsage(body);
    return {
      call,
      answer: answerOnWire,
      stream: (meta) => chatStream(meta, withUsage),
    };
  },
};

type Options = Omit<UnroutedCall, 'messages' | 'tools' | 'toolChoice' | 'parallelToolCalls'>;

/** The newer and the older field for the maximum of an answer, and llama.cpp's own. Its `n_predict` and `n_cmpl` override the others. */
const maximums = ['max_completion_tokens', 'max_tokens', 'n_predict'];

/**
 * A request's bounds on its answers. Of several maximums the largest holds, as vendors differ in which they read; -1 is none to
 * llama.cpp and LM Studio. Throws `invalid_request`.
 * @param least the least maximum: with 0, 0 counts as none, as a vendor may take it for that
 */
export function boundIn(body: Body, least: 0 | 1): AnswerBound {
  const given = maximums.flatMap((field) => {
    if (body[field] === -1) return [0];
    return countIn(body, field, field, least) ?? [];
  });
  const limited = given.length > 0 && !given.includes(0);
  const answers = Math.max(
    countIn(body, 'n') ?? 1,
    countIn(body, 'n_cmpl') ?? 1,
    countIn(body, 'best_of', 'best_of', 0) ?? 1,
  );
  return { maxTokens: limited ? Math.max(...given) : undefined, answers };
}

/** A request's options for its answer. Throws `invalid_request`. */
function readOptions(body: Body): Options {
  const options = given({
    maxTokens: countIn(body, 'max_completion_tokens') ?? countIn(body, 'max_tokens'),
    responseFormat: formatIn(body),
    thinking: thinkingIn(body),
    verbosity: textIn(body, 'verbosity'),
    promptCacheKey: textIn(body, 'prompt_cache_key'),
    serviceTier: textIn(body, 'service_tier'),
  });
  return { ...readSampling(body), ...options };
}

/**
 * How much the model is to think: in OpenAI's word, else in the objects of OpenRouter (`reasoning`) and Anthropic (`thinking`), which
 * clients of gateways send on this wire too.
 */
function thinkingIn(body: Body): Thinking | undefined {
  const effort = textIn(body, 'reasoning_effort');
  if (effort !== undefined) return { effort };
  const reasoning = objectIn(body, 'reasoning');
  const thinking = objectIn(body, 'thinking');
  if (reasoning?.['enabled'] === false || thinking?.['type'] === 'disabled') return { effort: 'none' };
  const word = reasoning && textIn(reasoning, 'effort', 'reasoning.effort');
  const budgetTokens =
    (reasoning && countIn(reasoning, 'max_tokens', 'reasoning.max_tokens')) ??
    (thinking && countIn(thinking, 'budget_tokens', 'thinking.budget_tokens'));
  return word === undefined && budgetTokens === undefined ? undefined : given({ effort: word, budgetTokens });
}

/** The sampling fields that Chat Completions and the older Completions have in common. Throws `invalid_request`. */
export function readSampling(body: Body) {
  const temperature = numberIn(body, 'temperature', 0, 2);
  return given({
    temperatureGiven: temperature !== undefined,
    temperature,
    topP: numberIn(body, 'top_p', 0, 1),
    stop: stopIn(body),
    seed: seedIn(body),
    frequencyPenalty: numberIn(body, 'frequency_penalty', -2, 2),
    presencePenalty: numberIn(body, 'presence_penalty', -2, 2),
    user: textIn(body, 'safety_identifier') ?? textIn(body, 'user'),
  });
}

/** Whether the client wants the usage at the end of a stream. */
export function includeUsage(body: Body): boolean {
  const options = objectIn(body, 'stream_options') ?? {};
  return booleanIn(options, 'include_usage', 'stream_options.include_usage') === true;
}

function seedIn({ seed }: Body): number | undefined {
  if (seed == null) return undefined;
  if (typeof seed === 'number' && Number.isSafeInteger(seed)) return seed;
  throw invalid('seed', 'must be a whole number');
}

function stopIn({ stop }: Body): readonly string[] | undefined {
  if (stop == null) return undefined;
  if (typeof stop === 'string') return [stop];
  if (!Array.isArray(stop)) throw invalid('stop', 'must be a text or a list of texts');
  const texts = stop.map((text: unknown, index) => textAt(text, `stop[${index}]`));
  return texts.length > 0 ? texts : undefined;
}

function formatIn(body: Body): ResponseFormat | undefined {
  const format = objectIn(body, 'response_format');
  if (!format) return undefined;
  const { type } = format;
  if (type === 'text') return undefined;
  if (type === 'json_object') return { type };
  if (type !== 'json_schema')
    throw invalid('response_format.type', 'must be text, json_object or json_schema');
  const path = 'response_format.json_schema';
  const asked = objectAt(format['json_schema'], path);
  return schemaFormat(asked, path, asked['schema'] ?? {});
}
