import type { Content, GenerationConfig, MediaResolution } from '@google/genai';
import type { Warning } from '../../../../../generated/types.gen.ts';
import type { ModelAdapter, ModelCall } from '../../../../model/port.ts';
import type { StreamDecoder } from '../../../upstream/completion-stream.ts';
import { errorIn } from '../../../upstream/endings.ts';
import {
  Adaptations,
  byMessage,
  endpointOf,
  fitTemperature,
  type ProviderSettings,
} from '../../../upstream/settings.ts';
import { customNames } from '../../../upstream/tool-calls.ts';
import { parseJson, type Vendor } from '../../../upstream/vendor.ts';
import { type Connection, createVendorClient } from '../../../upstream/vendor-client.ts';
import { errorOfObject } from '../../../upstream/vendor-errors.ts';
import { AnswerReader, readReply } from './answer-reader.ts';
import { type Asked, contentsOf } from './contents.ts';
import { type GeminiThinking, thinkingOf } from './thinking.ts';
import { type GeminiTools, geminiSchema, toolsOf } from './tools.ts';

/** The body of `generateContent`, as far as we use it. */
interface GeminiRequest extends GeminiTools {
  contents: readonly Content[];
  systemInstruction?: Content;
  generationConfig?: GeminiConfig;
  serviceTier?: string;
}

type GeminiConfig = Omit<GenerationConfig, 'thinkingConfig' | 'mediaResolution'> & {
  thinkingConfig?: GeminiThinking;
  mediaResolution?: `${MediaResolution}`;
};

/**
 * The call as the Gemini wire says it (https://ai.google.dev/api/generate-content). Throws `invalid_request` for what it
 * has no place for.
 * @param asked the provider, and its address without a slash at the end
 */
export function geminiCall(
  call: ModelCall,
  asked: Pick<Asked, 'provider' | 'baseUrl'>,
): { readonly request: GeminiRequest; readonly warnings: readonly Warning[] } {
  const notes = new Adaptations(call.model, byMessage);
  const contents = contentsOf(call.messages, { ...asked, model: call.model }, notes);
  const config = configOf(call, notes);
  const tier = tierOf(call, notes);
  ignore(call, notes);
  const request: GeminiRequest = {
    ...contents,
    ...toolsOf(call, notes),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
    ...(tier !== undefined && { serviceTier: tier }),
    ...call.extraBody,
  };
  return { request, warnings: notes.warnings };
}

function configOf(call: ModelCall, notes: Adaptations): GeminiConfig {
  const { topP, topK, maxTokens, stop, seed, frequencyPenalty, presencePenalty } = call;
  const temperature = fitTemperature(call, call.temperatureRange ?? { max: 2 }, notes);
  const thinkingConfig = thinkingOf(call, notes);
  const mediaResolution = resolutionOf(call, notes);
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(stop && stop.length > 0 && { stopSequences: [...stop] }),
    ...(seed !== undefined && { seed }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...formOf(call),
    ...(thinkingConfig && { thinkingConfig }),
    ...(mediaResolution && { mediaResolution }),
  };
}

function formOf({
  responseFormat,
}: ModelCall): Pick<GeminiConfig, 'responseMimeType' | 'responseJsonSchema'> {
  if (!responseFormat || responseFormat.type === 'text') return {};
  const json = { responseMimeType: 'application/json' };
  if (responseFormat.type === 'json_object') return json;
  const { schema, description } = responseFormat.json_schema;
  const described = description !== undefined && !('description' in schema);
  return { ...json, responseJsonSchema: geminiSchema(described ? { description, ...schema } : schema) };
}

/** Here one setting holds for all pictures of a request. */
function resolutionOf({ messages }: ModelCall, notes: Adaptations): `${MediaResolution}` | undefined {
  let [low, high, other] = [false, false, false];
  for (const { content } of messages) {
    for (const part of content) {
      if (part.type !== 'image') continue;
      if (part.detail === 'low') low = true;
      else if (part.detail === 'high' || part.detail === 'original') high = true;
      else other = true;
    }
  }
  if (low && (high || other)) {
    const said = 'looks at all pictures in the same way; the lower detail of some was left out.';
    notes.tell('parameter_ignored', 'detail', said);
  }
  if (high) return 'MEDIA_RESOLUTION_HIGH';
  return low && !other ? 'MEDIA_RESOLUTION_LOW' : undefined;
}

const tiers: Readonly<Record<string, string>> = {
  default: 'standard',
  standard: 'standard',
  flex: 'flex',
  priority: 'priority',
};

function tierOf({ serviceTier }: ModelCall, notes: Adaptations): string | undefined {
  if (serviceTier === undefined || serviceTier === 'auto') return undefined;
  const tier = tiers[serviceTier];
  if (tier === undefined) {
    const said = `knows no service tier ${JSON.stringify(serviceTier)}; it was left out.`;
    notes.tell('parameter_ignored', 'service_tier', said);
  }
  return tier;
}

function ignore({ verbosity, user, promptCacheKey }: ModelCall, notes: Adaptations): void {
  const left = (what: string, param: string) =>
    notes.tell('parameter_ignored', param, `takes no ${what}; it was left out.`);
  if (verbosity !== undefined) left('verbosity', 'verbosity');
  if (user !== undefined) left('name of a user', 'user');
  if (promptCacheKey !== undefined) left('key of a cache', 'prompt_cache_key');
}

/** Gemini's own wire. Protocol: https://ai.google.dev/api/generate-content */
export function createGeminiAdapter(provider: ProviderSettings, connection: Connection): ModelAdapter {
  const client = createVendorClient(connection, endpointOf(provider, 'gemini'), pathOf);
  const { vendor } = client;
  const baseUrl = nativeBase(provider.baseUrl);
  const asked = { provider: provider.id, baseUrl };

  return {
    read: (model, reply) => readReply(vendor, model, new Set(), reply),
    prepare(call) {
      const { request, warnings } = geminiCall(call, asked);
      const custom = customNames(call.tools);
      return {
        warnings,
        async complete(options) {
          const reply = await client.json(call.model, JSON.stringify(request), options);
          return readReply(vendor, call.model, custom, reply);
        },
        async stream(options) {
          return client.stream(call.model, JSON.stringify(request), options, {
            decoder: createGeminiDecoder(vendor, call.model, custom),
            whole: (reply) => readReply(vendor, call.model, custom, reply),
          });
        },
      };
    },
  };
}

/** The address of Gemini's own wire; its OpenAI-compatible endpoint, which may be set in its place, lies below it. */
export function nativeBase(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/openai$/, '');
}

/** Path of a request. Of a name with a slash only those of the vendor's own kinds of models stay as they are. */
export function pathOf(model: string, streamed: boolean): string {
  const [kind, name = ''] = /^(?:models|tunedModels)\//.test(model)
    ? model.split(/\/(.*)/s)
    : ['models', model];
  return `/${kind}/${encodeURIComponent(name)}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}

/**
 * Decodes the events of `streamGenerateContent?alt=sse`, each of which is a `GenerateContentResponse`. The answer is
 * complete when one has named a `finishReason` or blocked the prompt. There is no end mark, and the signature of the last
 * thought or the usage may still follow: the end is the end of the connection.
 */
export function createGeminiDecoder(
  vendor: Vendor,
  model: string,
  custom: ReadonlySet<string>,
): StreamDecoder {
  const reader = new AnswerReader(vendor, model, custom);
  return {
    completed(emit) {
      const { ending } = reader;
      if (ending) emit({ type: 'end', ...ending });
    },
    take({ data }, emit) {
      const chunk = parseJson(vendor, data, 'an event');
      const error = errorIn(chunk);
      if (error !== undefined) throw errorOfObject(vendor, model, error);
      reader.take(chunk, emit);
    },
  };
}
