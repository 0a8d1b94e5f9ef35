import type { Wire } from '../../wire.ts';
import { answerOf } from './answer.ts';
import {
  compactedConversation,
  compactingAnswer,
  compactingStream,
  compactionTrigger,
} from './compaction.ts';
import { readRequest } from './read.ts';
import { itemsOf } from './read-input.ts';
import { responseStream } from './stream.ts';

/**
 * OpenAI's Responses without its state: nothing is stored, so that conversations come whole with each request.
 * Protocol: https://platform.openai.com/docs/api-reference/responses
 */
export const openAiResponsesWire: Wire = {
  name: 'openai-responses',
  read(body) {
    const { call, names, customTools, compacts } = readRequest(body);
    if (compacts)
      return {
        call,
        answer: (completion, meta) => compactingAnswer(body, completion, meta),
        stream: (meta) => compactingStream(body, meta),
      };
    return {
      call,
      answer: (completion, meta) => answerOf(body, completion, meta, names, customTools),
      stream: (meta) => responseStream(body, meta, names, customTools),
    };
  },
};

/** `POST /v1/responses/compact`, which has no stream. */
export const openAiCompactionWire: Wire = {
  name: 'openai-responses',
  read(body) {
    const { items } = itemsOf(body['input']);
    const { call } = readRequest({ ...body, input: [...items, compactionTrigger] });
    return {
      call,
      answer: (completion, meta) => compactedConversation(items, completion, meta),
      stream: (meta) => compactingStream(body, meta),
    };
  },
};
