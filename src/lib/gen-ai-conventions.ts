/**
 * The names of OpenTelemetry's semantic conventions for generative AI, in one place. They are in development, so they are pinned to a
 * version (https://github.com/open-telemetry/semantic-conventions-genai); our own names begin with `switchyard.`.
 */
import { type Attributes, activeTracer } from './trace.ts';

/** The version of the conventions that the names are of. */
export const schemaUrl = 'https://opentelemetry.io/schemas/1.38.0';

export const genAi = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  stream: 'gen_ai.request.stream',
  maxTokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheRead: 'gen_ai.usage.cache_read.input_tokens',
  /** Its newer name is sent where that is opted into. */
  cacheCreation: 'gen_ai.usage.cache_creation.input_tokens',
  cacheWrite: 'gen_ai.usage.cache_write.input_tokens',
  reasoning: 'gen_ai.usage.reasoning.output_tokens',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  agentName: 'gen_ai.agent.name',
  toolName: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolCallId: 'gen_ai.tool.call.id',
  tokenType: 'gen_ai.token.type',
} as const;

/** By the operation of the contract; any other that calls a model is a `chat`. */
const operations: Readonly<Record<string, string>> = {
  createEmbedding: 'embeddings',
  embedContent: 'embeddings',
  batchEmbedContents: 'embeddings',
  createCompletion: 'text_completion',
  generateContent: 'generate_content',
  streamGenerateContent: 'generate_content',
};

export function operationName(operation: string | null): string {
  return (operation === null ? undefined : operations[operation]) ?? 'chat';
}

/** The conventions' own names of providers, by those that operators give them here; any other goes by its own. */
const providers: Readonly<Record<string, string>> = {
  gemini: 'gcp.gemini',
  google: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  bedrock: 'aws.bedrock',
  azure: 'azure.ai.openai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

export function providerName(id: string): string {
  return providers[id] ?? id;
}

/** How an answer ended, as far as it is known. */
export interface AnswerEnding {
  readonly usage: UsedTokens | null;
  readonly endReason: string | null;
}

interface UsedTokens {
  readonly inputUncached: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
  readonly reasoning: number;
}

/** The usage of an answer and how it ended. */
export function answerAttributes({ usage, endReason }: AnswerEnding): Attributes {
  const written = activeTracer()?.latestNames ? genAi.cacheWrite : genAi.cacheCreation;
  if (usage === null) return { [genAi.finishReasons]: endReason === null ? undefined : [endReason] };
  const cacheWrite = usage.cacheWrite5m + usage.cacheWrite1h;
  return {
    [genAi.finishReasons]: endReason === null ? undefined : [endReason],
    [genAi.inputTokens]: usage.inputUncached + usage.cacheRead + cacheWrite,
    [genAi.outputTokens]: usage.output,
    [genAi.cacheRead]: usage.cacheRead || undefined,
    [written]: cacheWrite || undefined,
    [genAi.reasoning]: usage.reasoning || undefined,
  };
}
