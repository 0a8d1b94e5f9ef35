import { operations } from '../../generated/operations.gen.ts';
import type { Scope } from '../contract/registry.ts';
import type {
  Handlers,
  WireCall,
  WireConventions,
  WireHandler,
  WireReply,
} from '../contract/wire-operations.ts';
import { cancelBatch, createBatch, getBatch, listBatches } from '../gateway/lanes/batches.ts';
import { countingWires, countTokens } from '../gateway/lanes/counting-wires.ts';
import { embeddingWires } from '../gateway/lanes/embeddings.ts';
import {
  createFile,
  deleteFile,
  type FilesParts,
  getFile,
  getFileContent,
  listFiles,
} from '../gateway/lanes/files.ts';
import { forward } from '../gateway/lanes/forward.ts';
import { generate } from '../gateway/lanes/generation.ts';
import { generationWire } from '../gateway/lanes/generation-wires.ts';
import { makeMedia } from '../gateway/lanes/media.ts';
import { mediaWires } from '../gateway/lanes/media-wires.ts';
import { moderationWire } from '../gateway/lanes/moderations.ts';
import { type StoredOperation, storedResponse } from '../gateway/lanes/stored-responses.ts';
import { keepingOf } from '../gateway/lanes/vendor-responses.ts';
import type { WireContext } from '../gateway/lanes/wire-context.ts';
import { conventionsOf } from '../gateway/lanes/wire-conventions.ts';
import { geminiModel, geminiModels } from '../gateway/wires/gemini/client/models.ts';
import type { Attempt } from '../model/port.ts';
import { mcpConventions } from '../services/mcp/conventions.ts';
import { callerOf } from '../tenants/accounts/caller.ts';
import { tagsHeader } from '../tenants/metering/demand.ts';

/** How each operation that is not on our own interface says what goes wrong. */
export function conventionsFor(
  publicUrl: string,
): (call: Pick<WireCall, 'operation' | 'query'>) => WireConventions {
  const ofMcp = mcpConventions(publicUrl);
  return (call) => (operations[call.operation].wire === 'mcp' ? ofMcp : conventionsOf(call));
}

/** The operations of vendors' interfaces. */
export function wireHandlers(parts: FilesParts) {
  const { models, timeLimits } = parts;
  const generation: WireHandler = async (call, scope) => {
    const wire = generationWire(call);
    if (wire === null) throw new Error(`${call.operation} asks for no answer of a model.`);
    return generate(parts, wire, call, contextOf(call, scope));
  };
  const counting =
    (operation: keyof typeof countingWires): WireHandler =>
    (call, scope) =>
      countTokens(models, timeLimits, countingWires[operation], call, contextOf(call, scope));
  const embedding =
    (operation: keyof typeof embeddingWires): WireHandler =>
    (call, scope) =>
      forward(parts, embeddingWires[operation], call, contextOf(call, scope));
  const stored =
    (operation: StoredOperation): WireHandler =>
    (call, scope) =>
      storedResponse(parts, operation, call, contextOf(call, scope));
  const media =
    (operation: keyof typeof mediaWires): WireHandler =>
    (call, scope) =>
      makeMedia(parts, mediaWires[operation], call, contextOf(call, scope));
  const files =
    (answer: (parts: FilesParts, call: WireCall, context: WireContext) => Promise<WireReply>): WireHandler =>
    (call, scope) =>
      answer(parts, call, contextOf(call, scope));
  return {
    createChatCompletion: generation,
    createCompletion: generation,
    createResponse: generation,
    compactResponse: generation,
    createMessage: generation,
    generateContent: generation,
    streamGenerateContent: generation,
    createFile: files(createFile),
    listFiles: files(listFiles),
    getFile: files(getFile),
    deleteFile: files(deleteFile),
    getFileContent: files(getFileContent),
    createBatch: files(createBatch),
    listBatches: files(listBatches),
    getBatch: files(getBatch),
    cancelBatch: files(cancelBatch),
    getResponse: stored('getResponse'),
    deleteResponse: stored('deleteResponse'),
    cancelResponse: stored('cancelResponse'),
    listResponseInputItems: stored('listResponseInputItems'),
    countMessageTokens: counting('countMessageTokens'),
    countResponseTokens: async (call, scope) => {
      const context = contextOf(call, scope);
      const keeping = await keepingOf(parts.objects, 'openai-responses', call, context);
      keeping.check();
      const { countResponseTokens } = countingWires;
      const { pinned } = keeping;
      return countTokens(models, timeLimits, countResponseTokens, call, { ...context, pinned }, keeping);
    },
    countGeminiTokens: counting('countGeminiTokens'),
    createEmbedding: embedding('createEmbedding'),
    embedContent: embedding('embedContent'),
    batchEmbedContents: embedding('batchEmbedContents'),
    createModeration: (call, scope) => forward(parts, moderationWire, call, contextOf(call, scope)),
    createImage: media('createImage'),
    editImage: media('editImage'),
    createTranscription: media('createTranscription'),
    createTranslation: media('createTranslation'),
    createSpeech: media('createSpeech'),
    getModel: async ({ path }) => {
      const model = models.find(path['model'] ?? '');
      return json({ ...geminiModel(model), ...model });
    },
    getGeminiModel: async ({ path }) => json(geminiModel(models.find(path['model'] ?? ''))),
    async listGeminiModels() {
      await models.refresh();
      return json(geminiModels(models.list()));
    },
  } satisfies Partial<Handlers>;
}

function json(body: object): WireReply {
  return { status: 200, mediaType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

/** Whose request it is, for the ledger under the name of its operation. */
export function contextOf({ operation, headers }: WireCall, scope: Scope): WireContext {
  const attempts: Attempt[] = [];
  scope.note('attempts', attempts);
  return {
    caller: callerOf(scope.principal),
    requestId: scope.requestId,
    tagsHeader: scope.header(tagsHeader),
    operation,
    signal: scope.signal,
    memory: scope.memory,
    tellLimits: scope.tellLimits,
    ...(scope.dryRun && { dryRun: scope.dryRun }),
    onAttempt: (attempt) => attempts.push(attempt),
    headers,
  };
}
