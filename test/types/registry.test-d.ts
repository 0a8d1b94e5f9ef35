/**
 * What must not compile. Every `@ts-expect-error` is an assertion: if the line below it compiled, the type check would
 * fail for the unused directive.
 */

import type { Handler } from '../../src/contract/registry.ts';
import { defineHandlers, type Handlers } from '../../src/contract/wire-operations.ts';

declare const handlers: Handlers;
const answer = {
  id: 'chat-01K9Z3V7Q4W8X2M6N5B1C0D9EF',
  model: 'm',
  provider: 'p',
  content: '',
  finish_reason: 'stop',
  usage: {
    prompt_tokens: 1,
    completion_tokens: 1,
    total_tokens: 2,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
    source: 'provider',
  },
  warnings: [],
} as const;
const body = { ...answer, warnings: [...answer.warnings] };

export const complete = defineHandlers({ ...handlers });

const { getHealth: _, ...withoutOne } = handlers;
// @ts-expect-error a handler is missing
export const missing = defineHandlers({ ...withoutOne });

// @ts-expect-error a handler that no operation has
export const extra = defineHandlers({ ...handlers, deleteEverything: async () => ({ status: 200 }) });

const spread = { ...handlers, deleteEverything: async () => ({ status: 200, body: {} }) };
// @ts-expect-error the same, arriving by spread
export const extraBySpread = defineHandlers({ ...spread });

export const right: Handler<'createChat'> = async () => ({ status: 200, body });

// @ts-expect-error a status that the contract does not declare
export const wrongStatus: Handler<'createChat'> = async () => ({ status: 201, body });

// @ts-expect-error a body with a field of the wrong type
export const wrongBody: Handler<'createChat'> = async () => ({ status: 200, body: { ...body, content: 5 } });

// @ts-expect-error a body with a value outside the enum
export const wrongEnum: Handler<'createChat'> = async () => ({
  status: 200,
  body: { ...body, finish_reason: 'done' },
});

// @ts-expect-error the body of another status
export const wrongPair: Handler<'getReadiness'> = async () => ({ status: 503, body: { status: 'ok' } });

// @ts-expect-error an operation that has no stream
export const streamOnJson: Handler<'getHealth'> = async () => ({ status: 200, events: noEvents() });

export const rightEvent: Handler<'streamChat'> = async () => ({ status: 200, events: deltas() });

// @ts-expect-error an event that the contract does not know
export const wrongEvent: Handler<'streamChat'> = async () => ({ status: 200, events: unknownEvents() });

// @ts-expect-error an event with a field of the wrong type
export const wrongField: Handler<'streamChat'> = async () => ({ status: 200, events: numericDeltas() });

export const wrongMedia: Handler<'getOpenApiYaml'> = async () =>
  // @ts-expect-error a media type that the operation does not declare
  ({ status: 200, mediaType: 'application/json', text: '', etag: '""' });

export const readsBody: Handler<'createChat'> = async (request) => {
  // @ts-expect-error a field that the contract's request does not have
  void request.body.prompt;
  return { status: 200, body };
};

declare function noEvents(): AsyncIterable<never>;
declare function deltas(): AsyncIterable<{ type: 'delta'; content: string }>;
declare function unknownEvents(): AsyncIterable<{ type: 'token'; content: string }>;
declare function numericDeltas(): AsyncIterable<{ type: 'delta'; content: number }>;
