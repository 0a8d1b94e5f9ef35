import type { Validator } from './built.ts';
import { built } from './built.ts';
import type { OperationId } from './registry.ts';

/** Holds replies and events against the contract; for tests and development, where a broken promise must be loud. */
export interface ReplyCheck {
  /** Throws when the status or media type is not declared, or the body does not fit. */
  reply(id: OperationId, status: number, mediaType: string | null, body: unknown): void;
  /** Throws when the event does not fit the operation's stream. */
  event(id: OperationId, event: unknown): void;
  /**
   * Throws when the operation declares no answer of this status and media type. For what passes as it came: a vendor's error, and
   * streams whose events are not described one by one.
   */
  passed(id: OperationId, status: number, mediaType: string): void;
}

const replies = await built('replies');

export const replyCheck: ReplyCheck = {
  reply(id, status, mediaType, body) {
    const validate = declared(id, mediaType ? `${status} ${mediaType}` : `${status}`);
    if (mediaType === 'application/json') requireFit(validate, body, `${id} answered ${status}`);
  },
  event(id, event) {
    requireFit(declared(id, '200 text/event-stream'), event, `${id} sent an event`);
  },
  passed(id, status, mediaType) {
    declared(id, `${status} ${mediaType}`);
  },
};

function declared(id: OperationId, reply: string): Validator {
  const validate = replies[id]?.[reply];
  if (!validate) throw new Error(`${id} answered ${reply}, which the contract does not declare`);
  return validate;
}

function requireFit(validate: Validator, value: unknown, what: string): void {
  if (validate(value)) return;
  const problems = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  throw new Error(`${what} against the contract: ${problems.join('; ')}`);
}
