import type { RequestOf, Scope } from '../contract/registry.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import type { Attempt } from '../model/port.ts';
import type { ChatService } from '../services/chat/service.ts';
import { callerOf } from '../tenants/accounts/caller.ts';
import { tagsHeader } from '../tenants/metering/demand.ts';

export function chatHandlers(chat: ChatService) {
  const createChat = async ({ body }: RequestOf<'createChat'>, scope: Scope) =>
    ({ status: 200, body: await chat.answer(body, contextOf(scope)) }) as const;
  return {
    createChat,
    createChatAlias: createChat,
    // It is always a dry run, which ends in what it has found out.
    createEstimate: async ({ body }, scope) => {
      await chat.answer(body, contextOf(scope));
      throw new Error('A dry run was carried out.');
    },
    streamChat: async ({ body }, scope) => ({
      status: 200,
      events: await chat.stream(body, contextOf(scope)),
    }),
  } satisfies Partial<Handlers>;
}

/** A chat is one operation in the ledger, under whatever name and in whatever form it is answered. */
function contextOf(scope: Scope) {
  const attempts: Attempt[] = [];
  scope.note('attempts', attempts);
  return {
    caller: callerOf(scope.principal),
    requestId: scope.requestId,
    tagsHeader: scope.header(tagsHeader),
    operation: 'createChat',
    signal: scope.signal,
    memory: scope.memory,
    tellLimits: scope.tellLimits,
    ...(scope.dryRun && { dryRun: scope.dryRun }),
    onAttempt: (attempt: Attempt) => attempts.push(attempt),
  };
}
