import type { Wire } from '../../wire.ts';
import { answerOf } from './answer.ts';
import { readRequest } from './read.ts';
import { responseStream } from './stream.ts';

/**
 * OpenAI's Responses without its state: nothing is stored, so that conversations come whole with each request.
 * Protocol: https://platform.openai.com/docs/api-reference/responses
 */
export const openAiResponsesWire: Wire = {
  name: 'openai-responses',
  read(body) {
    const { call, names, customTools } = readRequest(body);
    return {
      call,
      answer: (completion, meta) => answerOf(body, completion, meta, names, customTools),
      stream: (meta) => responseStream(body, meta, names, customTools),
    };
  },
};
