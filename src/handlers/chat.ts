import type { RequestOf, Scope } from '../contract/registry.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import { geminiModels } from '../gateway/wires/gemini/client/models.ts';
import type { Attempt, ModelGateway } from '../model/port.ts';
import type { ChatService } from '../services/chat/service.ts';
import { callerOf } from '../tenants/accounts/caller.ts';
import { tagsHeader } from '../tenants/metering/demand.ts';

/** A chat is one operation in the ledger, under whatever name and in whatever form it is answered. */
const operation = 'createChat';

export function chatHandlers(chat: ChatService, models: ModelGateway) {
  const createChat = async ({ body }: RequestOf<'createChat'>, scope: Scope) =>
    ({ status: 200, body: await chat.answer(body, contextOf(scope, operation)) }) as const;
  return {
    createChat,
    createChatAlias: createChat,
    // It is always a dry run, which ends in what it has found out.
    createEstimate: async ({ body }, scope) => {
      await chat.answer(body, contextOf(scope, operation));
      throw new Error('A dry run was carried out.');
    },
    streamChat: async ({ body }, scope) => ({
      status: 200,
      events: await chat.stream(body, contextOf(scope, operation)),
    }),
    listModels: async () => {
      await models.refresh();
      const list = models.list();
      return { status: 200, body: { ...list, ...geminiModels(list) } };
    },
  } satisfies Partial<Handlers>;
}

/**
 * The context of a call of a model, from its request.
 * @param operation the name in the ledger, whatever the form of the answer
 * @param headers of a request to a foreign interface
 */
export function contextOf<Headers = undefined>(scope: Scope, operation: string, headers?: Headers) {
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
    dryRun: scope.dryRun ?? undefined,
    onAttempt: (attempt: Attempt) => attempts.push(attempt),
    headers: headers as Headers,
  };
}
