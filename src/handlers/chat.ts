import type { RequestOf, Scope } from '../contract/registry.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import { geminiModels } from '../gateway/wires/gemini/client/models.ts';
import type { ModelGateway } from '../model/port.ts';
import type { ChatService } from '../services/chat/service.ts';
import { contextOf, ok } from './replies.ts';

/** A chat is one operation in the ledger, under whatever name and in whatever form it is answered. */
const operation = 'createChat';

export function chatHandlers(chat: ChatService, models: ModelGateway) {
  const createChat = async ({ body }: RequestOf<'createChat'>, scope: Scope) =>
    ok(await chat.answer(body, contextOf(scope, operation)));
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
      return ok({ ...list, ...geminiModels(list) });
    },
  } satisfies Partial<Handlers>;
}
