import type { ChatStreamEvent } from '../../generated/types.gen.ts';
import { callerOf } from '../accounts/caller.ts';
import type { ChatService } from '../chat/service.ts';
import type { Handlers, RequestOf, Scope } from '../contract/registry.ts';
import type { Attempt } from '../models/port.ts';

export function chatHandlers(chat: ChatService) {
  const createChat = async ({ body }: RequestOf<'createChat'>, scope: Scope) => {
    const attempts: Attempt[] = [];
    scope.note('attempts', attempts);
    const context = {
      caller: callerOf(scope.principal),
      requestId: scope.requestId,
      operation: 'createChat',
      signal: scope.signal,
      memory: scope.memory,
      setHeaders: scope.setHeaders,
      onAttempt: (attempt: Attempt) => attempts.push(attempt),
    };
    if (!body.stream) return { status: 200, body: await chat.answer(body, context) } as const;
    return { status: 200, events: closed(await chat.stream(body, context), scope) } as const;
  };
  return { createChat, createChatAlias: createChat } satisfies Partial<Handlers>;
}

/** Gives a stream that breaks off its terminal event. */
async function* closed(events: AsyncIterable<ChatStreamEvent>, scope: Scope): AsyncIterable<ChatStreamEvent> {
  try {
    yield* events;
  } catch (thrown) {
    yield { type: 'error', error: scope.describe(thrown) };
  }
}
