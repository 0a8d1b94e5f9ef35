import type { ServiceError } from '../../../../contract/errors.ts';
import { EventFrames, fieldsOf } from '../../../upstream/event-frames.ts';
import type { WireErrors } from '../../wire.ts';

/** Names of statuses (google.rpc.Code, https://cloud.google.com/apis/design/errors) by HTTP's. */
const names: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  410: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** The errors of both forms of this wire; in a stream that is an array, see `geminiArrayErrors`. */
export const geminiErrors: WireErrors = {
  reply: (error, requestId) => ({
    status: statusOf(error),
    body: errorBody(error, requestId),
    headers: {},
  }),
  event: (error, requestId) => eventFrames().error(errorBody(error, requestId)),
  breaksOff: true,
  // A blank line is no event. Google's clients in Python and Go take a comment for a broken event.
  ping: '\r\n\r\n',
};

/** For a stream that is one JSON array and of which nothing has been written yet; later its writer's `fail` closes it. */
export const geminiArrayErrors: WireErrors = {
  ...geminiErrors,
  event: (error, requestId) => arrayFrames().error(errorBody(error, requestId)),
  ping: '\r\n',
};

/** `{error: {code, message, status, details}}`; details as `google.rpc` has them. */
export function errorBody(error: ServiceError, requestId: string): object {
  const status = statusOf(error);
  return {
    error: {
      code: status,
      message: messageOf(error),
      status: names[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL'),
      details: detailsOf(error, requestId),
    },
  };
}

/** Gemini's own words for a prompt that is too long (https://ai.google.dev/gemini-api/docs/tokens), by which clients know it. */
const tooManyTokens = 'The input token count exceeds the maximum number of tokens allowed';

function messageOf({ tooLong, message }: ServiceError): string {
  return tooLong && !/input token count/i.test(message) ? `${tooManyTokens}: ${message}` : message;
}

/** On this wire an unknown model is "not found"; on ours it is a wrong field. */
function statusOf({ code, info }: ServiceError): number {
  return code === 'model_not_found' ? 404 : info.status;
}

function detailsOf(error: ServiceError, requestId: string): object[] {
  const details: object[] = [
    detail('ErrorInfo', {
      reason: error.code.toUpperCase(),
      domain: 'switchyard',
      metadata: { retryable: String(error.retryable) },
    }),
    detail('RequestInfo', { requestId }),
  ];
  const violations = error.details.map(({ path, message }) => ({ field: path, description: message }));
  if (violations.length === 0 && error.param !== null)
    violations.push({ field: error.param, description: error.message });
  if (violations.length > 0) details.push(detail('BadRequest', { fieldViolations: violations }));
  if (error.retryAfter !== undefined)
    details.push(detail('RetryInfo', { retryDelay: `${error.retryAfter}s` }));
  return details;
}

function detail(type: string, fields: object): object {
  return { '@type': `type.googleapis.com/google.rpc.${type}`, ...fields };
}

/**
 * The two forms of a stream: events with `alt=sse`, else one JSON array whose elements come one by one
 * (https://ai.google.dev/api/generate-content, `streamGenerateContent`).
 */
export interface Frames {
  /** One `GenerateContentResponse` of the stream. */
  chunk(value: object): string;
  /** The last one. */
  last(value: object): string;
  /** The chunks that end a stream that broke off, as in `StreamWriter`. */
  error(value: object): readonly string[];
}

export function eventFrames(): Frames {
  const event = (value: object) => `data: ${JSON.stringify(value)}\r\n\r\n`;
  // Google sends an error as bare JSON. Its SDK for Go and that in Gemini CLI know it by a chunk that is nothing else; others read events.
  const error = (value: object) => [event(value), `${JSON.stringify(value)}\r\n\r\n`];
  return { chunk: event, last: event, error };
}

export function arrayFrames() {
  let begun = false;
  const element = (json: string) => {
    const text = `${begun ? ',\r\n' : '['}${json}`;
    begun = true;
    return text;
  };
  const chunk = (value: object) => element(JSON.stringify(value));
  const last = (value: object) => `${chunk(value)}]`;
  return { element, chunk, last, error: (value: object) => [last(value)], end: () => (begun ? ']' : '[]') };
}

/**
 * A stream of events whose data is JSON, as the one JSON array that Google sends without `alt=sse`; each value stays as it came.
 */
export class JsonArray {
  readonly #frames = arrayFrames();

  async *from(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
    const frames = new EventFrames();
    for await (const chunk of chunks) {
      let text = '';
      for (const event of frames.push(chunk)) {
        const data = fieldsOf(event.toString()).data.trim();
        if (data !== '') text += this.#frames.element(data);
      }
      if (text !== '') yield text;
    }
    yield this.#frames.end();
  }

  /** A last element after which nothing comes. */
  end(value: object): string {
    return this.#frames.last(value);
  }
}
