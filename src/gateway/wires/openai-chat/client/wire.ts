import type { UnroutedCall } from '../../../../model/port.ts';
import type { Body, Wire } from '../../wire.ts';
import { answerOnWire } from './answer.ts';
import { readMessages, readToolOptions } from './read-messages.ts';
import { boundIn, includeUsage, readOptions } from './read-options.ts';
import { ChatStreamWriter } from './stream.ts';

/** OpenAI's Chat Completions (https://platform.openai.com/docs/api-reference/chat). */
export const openAiChatWire: Wire = {
  name: 'openai-chat',
  bound: (body) => boundIn(body, 1),
  read(body) {
    const call = callOf(body);
    const withUsage = includeUsage(body);
    return {
      call,
      answer: answerOnWire,
      stream: (meta) => new ChatStreamWriter(meta, withUsage),
    };
  },
};

function callOf(body: Body): UnroutedCall {
  return { messages: readMessages(body['messages']), ...readOptions(body), ...readToolOptions(body) };
}
