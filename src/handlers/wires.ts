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
import { forward, moderationWire } from '../gateway/lanes/forward.ts';
import { generate } from '../gateway/lanes/generation.ts';
import { generationWire } from '../gateway/lanes/generation-wires.ts';
import { makeMedia } from '../gateway/lanes/media.ts';
import { mediaWires } from '../gateway/lanes/media-wires.ts';
import { storedResponse } from '../gateway/lanes/stored-responses.ts';
import { keepingOf } from '../gateway/lanes/vendor-responses.ts';
import type { WireContext } from '../gateway/lanes/wire-context.ts';
import { conventionsOf } from '../gateway/lanes/wire-conventions.ts';
import { geminiModel, geminiModels } from '../gateway/wires/gemini/client/models.ts';
import { mcpConventions } from '../services/mcp/conventions.ts';
import { contextOf } from './chat.ts';

/** How each operation that is not on our own interface says what goes wrong. */
export function conventionsFor(
  publicUrl: string,
): (call: Pick<WireCall, 'operation' | 'query'>) => WireConventions {
  const ofMcp = mcpConventions(publicUrl);
  return (call) => (operations[call.operation].wire === 'mcp' ? ofMcp : conventionsOf(call));
}

/** A handler for each of some operations. */
function each<Operation extends string>(
  operations: readonly Operation[],
  answer: (operation: Operation, call: WireCall, context: WireContext) => Promise<WireReply>,
) {
  const handlers = operations.map((operation): [Operation, WireHandler] => [
    operation,
    (call, scope) => answer(operation, call, wireContext(call, scope)),
  ]);
  return Object.fromEntries(handlers) as Record<Operation, WireHandler>;
}

const keysOf = <Wires extends object>(wires: Wires) => Object.keys(wires) as (keyof Wires & string)[];

const generations = [
  ...(['createChatCompletion', 'createCompletion', 'createResponse', 'compactResponse'] as const),
  ...(['createMessage', 'generateContent', 'streamGenerateContent'] as const),
];
const stored = ['getResponse', 'deleteResponse', 'cancelResponse', 'listResponseInputItems'] as const;
const files = {
  ...{ createFile, listFiles, getFile, deleteFile, getFileContent },
  ...{ createBatch, listBatches, getBatch, cancelBatch },
};

/** The operations of vendors' interfaces. */
export function wireHandlers(parts: FilesParts) {
  const { models, timeLimits } = parts;
  return {
    ...each(generations, (operation, call, context) => {
      const wire = generationWire(call);
      if (wire === null) throw new Error(`${operation} asks for no answer of a model.`);
      return generate(parts, wire, call, context);
    }),
    ...each(keysOf(files), (operation, call, context) => files[operation](parts, call, context)),
    ...each(stored, (operation, call, context) => storedResponse(parts, operation, call, context)),
    ...each(keysOf(countingWires), (operation, call, context) =>
      countTokens(models, timeLimits, countingWires[operation], call, context),
    ),
    countResponseTokens: async (call, scope) => {
      const context = wireContext(call, scope);
      const keeping = await keepingOf(parts.objects, 'openai-responses', call, context);
      keeping.check();
      const { countResponseTokens } = countingWires;
      const { pinned } = keeping;
      return countTokens(models, timeLimits, countResponseTokens, call, { ...context, pinned }, keeping);
    },
    ...each(keysOf(embeddingWires), (operation, call, context) =>
      forward(parts, embeddingWires[operation], call, context),
    ),
    createModeration: (call, scope) => forward(parts, moderationWire, call, wireContext(call, scope)),
    ...each(keysOf(mediaWires), (operation, call, context) =>
      makeMedia(parts, mediaWires[operation], call, context),
    ),
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

/** The context of a request, for the ledger under the name of its operation. */
export function wireContext({ operation, headers }: WireCall, scope: Scope): WireContext {
  return contextOf(scope, operation, headers);
}
