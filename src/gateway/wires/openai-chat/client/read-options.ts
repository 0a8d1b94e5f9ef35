import type { ResponseFormat } from '../../../../../generated/types.gen.ts';
import type { Thinking, UnroutedCall } from '../../../../model/port.ts';
import {
  booleanIn,
  countIn,
  invalid,
  nameAt,
  numberIn,
  objectAt,
  objectIn,
  optional,
  textAt,
  textIn,
  wholeAt,
} from '../../check.ts';
import type { AnswerBound, Body } from '../../wire.ts';

type Options = Omit<UnroutedCall, 'messages' | 'tools' | 'toolChoice' | 'parallelToolCalls'>;

/** The newer and the older field for the maximum of an answer, and llama.cpp's own. Its `n_predict` and `n_cmpl` override the others. */
const maximums = ['max_completion_tokens', 'max_tokens', 'n_predict'];

/**
 * What a request allows of its answers. Of several maximums the largest holds, as vendors differ in which they read; -1 is none to
 * llama.cpp and LM Studio. Throws `invalid_request`.
 * @param least the least maximum: with 0, 0 counts as none, as a vendor may take it for that
 */
export function boundIn(body: Body, least: 0 | 1): AnswerBound {
  const given = maximums.flatMap((field) => {
    if (body[field] === -1) return [0];
    return optional(body[field], field, (value, path) => wholeAt(value, path, least)) ?? [];
  });
  const limited = given.length > 0 && !given.includes(0);
  const answers = Math.max(
    countIn(body, 'n') ?? 1,
    countIn(body, 'n_cmpl') ?? 1,
    optional(body['best_of'], 'best_of', (value, path) => wholeAt(value, path, 0)) ?? 1,
  );
  return { maxTokens: limited ? Math.max(...given) : undefined, answers };
}

/** What of a request says how its answer is to be made. Throws `invalid_request`. */
export function readOptions(body: Body): Options {
  const maxTokens = countIn(body, 'max_completion_tokens') ?? countIn(body, 'max_tokens');
  const responseFormat = formatIn(body);
  const thinking = thinkingIn(body);
  const verbosity = textIn(body, 'verbosity');
  const promptCacheKey = textIn(body, 'prompt_cache_key');
  const serviceTier = textIn(body, 'service_tier');
  return {
    ...readSampling(body),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(responseFormat && { responseFormat }),
    ...(thinking && { thinking }),
    ...(verbosity !== undefined && { verbosity }),
    ...(promptCacheKey !== undefined && { promptCacheKey }),
    ...(serviceTier !== undefined && { serviceTier }),
  };
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
  if (word === undefined && budgetTokens === undefined) return undefined;
  return { ...(word !== undefined && { effort: word }), ...(budgetTokens !== undefined && { budgetTokens }) };
}

type Sampling = Pick<
  UnroutedCall,
  | 'temperature'
  | 'temperatureGiven'
  | 'topP'
  | 'stop'
  | 'seed'
  | 'frequencyPenalty'
  | 'presencePenalty'
  | 'user'
>;

/** What Chat Completions and the older Completions have in common. Throws `invalid_request`. */
export function readSampling(body: Body): Sampling {
  const temperature = numberIn(body, 'temperature', 0, 2);
  const topP = numberIn(body, 'top_p', 0, 1);
  const stop = stopIn(body);
  const seed = seedIn(body);
  const frequencyPenalty = numberIn(body, 'frequency_penalty', -2, 2);
  const presencePenalty = numberIn(body, 'presence_penalty', -2, 2);
  const user = textIn(body, 'safety_identifier') ?? textIn(body, 'user');
  return {
    temperatureGiven: temperature !== undefined,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stop && { stop }),
    ...(seed !== undefined && { seed }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(user !== undefined && { user }),
  };
}

/** Whether the client wants to be told, at the end of a stream, how many tokens were used. */
export function includeUsage(body: Body): boolean {
  const options = objectIn(body, 'stream_options');
  return (
    options !== undefined && booleanIn(options, 'include_usage', 'stream_options.include_usage') === true
  );
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
  const asked = objectAt(format['json_schema'], 'response_format.json_schema');
  const path = 'response_format.json_schema';
  const description = textIn(asked, 'description', `${path}.description`);
  const strict = booleanIn(asked, 'strict', `${path}.strict`);
  return {
    type,
    json_schema: {
      name: nameAt(asked['name'], `${path}.name`),
      schema: objectAt(asked['schema'] ?? {}, `${path}.schema`) as { [key: string]: unknown },
      ...(description !== undefined && { description }),
      ...(strict !== undefined && { strict }),
    },
  };
}
