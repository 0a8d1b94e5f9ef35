import type { WireOperationId } from '../../contract/wire-operations.ts';
import { isObject, objectIn, parseRequest } from '../../lib/json.ts';

/** Maximum number of requests in a batch of the sandbox. */
const maxLines = 100;

/** What a batch can be made of. */
export const batchEndpoints: Readonly<Record<string, WireOperationId>> = {
  '/v1/chat/completions': 'createChatCompletion',
  '/v1/completions': 'createCompletion',
  '/v1/responses': 'createResponse',
  '/v1/embeddings': 'createEmbedding',
};

/** A request of a batch. */
export interface BatchLine {
  readonly customId: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Why a batch has failed, as OpenAI tells it. */
export interface BatchProblem {
  readonly code: string;
  /** From 1; null: it is about none. */
  readonly line: number | null;
  readonly message: string;
  readonly param: string | null;
}

/** The requests of a file, a line each, and what is wrong with it. */
export function linesOf(
  text: string,
  endpoint: string,
): { readonly lines: readonly BatchLine[]; readonly problems: readonly BatchProblem[] } {
  const lines: BatchLine[] = [];
  const problems: BatchProblem[] = [];
  const ids = new Set<string>();
  let count = 0;
  for (const [index, one] of text.split('\n').entries()) {
    if (one.trim() === '') continue;
    count += 1;
    if (count > maxLines) {
      const message = `The sandbox takes at most ${maxLines} requests in a batch.`;
      const problem = { code: 'too_many_requests', line: index + 1, message, param: null };
      return { lines: [], problems: [problem] };
    }
    const wrong = (param: string | null, message: string) =>
      problems.push({ code: 'invalid_request', line: index + 1, message, param });
    const { custom_id: id, url, method, body } = objectIn(one, parseRequest) ?? {};
    if (typeof id !== 'string' || ids.has(id)) wrong('custom_id', 'custom_id must be a text of its own.');
    else if (method !== 'POST') wrong('method', 'method must be POST.');
    else if (url !== endpoint) wrong('url', `url must be ${endpoint}, as the batch has it.`);
    else if (!isObject(body) || typeof body['model'] !== 'string')
      wrong('body', 'body must be a request with a model.');
    else if (body['stream'] === true) wrong('body.stream', 'A batch has no streams.');
    else lines.push({ customId: id, body });
    if (typeof id === 'string') ids.add(id);
  }
  if (count === 0)
    problems.push({ code: 'empty_file', line: 1, message: 'The file has no requests.', param: null });
  return { lines, problems };
}
