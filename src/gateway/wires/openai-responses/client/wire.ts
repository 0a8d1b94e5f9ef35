import type { ResponseFormat } from '../../../../../generated/types.gen.ts';
import { given } from '../../../../lib/json.ts';
import type { Completion, CompletionEvent, Thinking, UnroutedCall } from '../../../../model/port.ts';
import { customNames } from '../../../upstream/tool-calls.ts';
import { booleanIn, countIn, invalid, listAt, numberIn, objectIn, optional, textIn } from '../../check.ts';
import type { AnswerBound, AnswerMeta, Body, StreamWriter, Wire } from '../../wire.ts';
import {
  frameOf,
  type ResponseOnWire,
  type ResponseState,
  stateOf,
  statusOf,
  usageOnWire,
} from './answer.ts';
import {
  compactedConversation,
  compactingAnswer,
  compactingStream,
  compactionTrigger,
  summaryRequest,
  withoutTrigger,
} from './compaction.ts';
import { failureOf, objectOf } from './errors.ts';
import { EventWriter } from './event-writer.ts';
import { type ClientTools, itemWriter } from './item-writer.ts';
import { schemaFormat } from './read-content.ts';
import { itemsOf, readInput } from './read-input.ts';
import { chooseTools, readTools, ToolNames } from './read-tools.ts';

/**
 * OpenAI's Responses without its state: nothing is stored, so that conversations come whole with each request.
 * Protocol: https://platform.openai.com/docs/api-reference/responses
 */
export const openAiResponsesWire: Wire = {
  name: 'openai-responses',
  bound,
  read(body) {
    const { call, tools, compacts } = readRequest(body);
    if (compacts)
      return {
        call,
        answer: (completion, meta) => compactingAnswer(body, completion, meta),
        stream: (meta) => compactingStream(body, meta),
      };
    return {
      call,
      answer: (completion, meta) => answerOf(body, completion, meta, tools),
      stream: (meta) => responseStream(body, meta, tools),
    };
  },
};

/** `POST /v1/responses/compact`, which has no stream. */
export const openAiCompactionWire: Wire = {
  name: 'openai-responses',
  bound,
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

function bound(body: Body): AnswerBound {
  return { maxTokens: countIn(body, 'max_output_tokens'), answers: 1 };
}

interface ReadRequest {
  readonly call: UnroutedCall;
  readonly tools: ClientTools;
  /** Whether the client wants the conversation compacted rather than continued. */
  readonly compacts: boolean;
}

/** Reads a request of `POST /v1/responses` without its hosted tools and stored state. Throws `invalid_request`. */
function readRequest(body: Body): ReadRequest {
  const names = new ToolNames();
  const { items, tools: inserted } = itemsOf(body['input']);
  const declared = readTools([{ tools: body['tools'], path: 'tools' }, ...inserted], names);
  const { tools, toolChoice } = chooseTools(body['tool_choice'], declared, names);
  const instructions = textIn(body, 'instructions');
  const compacted = withoutTrigger(items);
  const conversation = readInput(compacted ?? items, names);
  if (conversation.length === 0 && instructions === undefined) throw invalid('input', 'must hold a message');
  if (compacted) conversation.push(summaryRequest);
  const parallelToolCalls = booleanIn(body, 'parallel_tool_calls');
  const temperature = numberIn(body, 'temperature', 0, 2);
  const topP = numberIn(body, 'top_p', 0, 1);
  const maxTokens = countIn(body, 'max_output_tokens');
  const thinking = thinkingOf(body);
  const text = objectIn(body, 'text') ?? {};
  const responseFormat = formatOf(text);
  const settings = given({
    ...{ temperature, topP, maxTokens, thinking },
    responseFormat: compacted ? undefined : responseFormat,
    verbosity: textIn(text, 'verbosity', 'text.verbosity'),
    user: textIn(body, 'safety_identifier') ?? textIn(body, 'user'),
    promptCacheKey: textIn(body, 'prompt_cache_key'),
    serviceTier: textIn(body, 'service_tier'),
  });
  // The table of fields says what becomes of what is in these.
  optional(body['include'], 'include', listAt);
  objectIn(body, 'stream_options');
  const call: UnroutedCall = {
    messages:
      instructions === undefined
        ? conversation
        : [{ role: 'system', content: [{ type: 'text', text: instructions }] }, ...conversation],
    temperatureGiven: temperature !== undefined,
    ...settings,
    // The tools stay, as the calls in the conversation are of them.
    ...(tools.length > 0 &&
      given({ tools, toolChoice: compacted ? ('none' as const) : toolChoice, parallelToolCalls })),
  };
  const customTools = customNames(declared);
  return { call, tools: { names, customTools }, compacts: compacted !== null };
}

function thinkingOf(body: Body): Thinking | undefined {
  const reasoning = objectIn(body, 'reasoning');
  if (!reasoning) return undefined;
  const effort = textIn(reasoning, 'effort', 'reasoning.effort');
  const summary =
    textIn(reasoning, 'summary', 'reasoning.summary') ??
    textIn(reasoning, 'generate_summary', 'reasoning.generate_summary');
  if (effort === undefined && summary === undefined) return undefined;
  return given({ effort, shown: summary === undefined ? undefined : summary !== 'none' });
}

function formatOf(text: Body): ResponseFormat | undefined {
  const format = objectIn(text, 'format', 'text.format');
  if (!format) return undefined;
  const { type } = format;
  if (type === 'text' || type === 'json_object') return { type };
  if (type !== 'json_schema') throw invalid('text.format.type', 'must be text, json_object or json_schema');
  return schemaFormat(format, 'text.format');
}

/** A whole answer, as the body of a reply. */
function answerOf(body: Body, completion: Completion, meta: AnswerMeta, tools: ClientTools): ResponseOnWire {
  const refused = completion.parts.some(({ type }) => type === 'refusal');
  const ending = statusOf(completion, refused);
  const writer = itemWriter(meta.id, tools, null);
  writer.takeAll(completion.parts);
  writer.end(ending.status === 'completed');
  const usage = usageOnWire(meta.usage());
  const state: ResponseState = { ...ending, error: null, output: writer.items, usage };
  return { ...frameOf(body, meta), ...state } as ResponseOnWire;
}

/**
 * A streamed answer as the events of this wire, with all that OpenAI sends: clients differ in which of them they read
 * (Codex takes whole items at their end, the SDKs put them together from pieces).
 */
function responseStream(body: Body, meta: AnswerMeta, tools: ClientTools): StreamWriter {
  const events = new EventWriter(frameOf(body, meta));
  const writer = itemWriter(meta.id, tools, events);
  const state = (changes: Partial<ResponseState> = {}) => stateOf({ output: writer.items, ...changes });
  let begun = false;

  return {
    start() {
      begun = true;
      return events.response('response.created', state()) + events.response('response.in_progress', state());
    },
    take(event: CompletionEvent) {
      if (event.type !== 'end') {
        writer.take(event);
        return writer.flush();
      }
      const status = statusOf(event, writer.refused);
      const complete = status.status === 'completed';
      writer.end(complete);
      const type = complete ? 'response.completed' : 'response.incomplete';
      const ended = { ...status, usage: usageOnWire(meta.usage()) };
      return writer.flush() + events.response(type, state(ended));
    },
    // Codex counts events and no comments (https://github.com/Menci/Floway/issues/498, seen 2026-11-27).
    ping: () => (begun ? events.response('response.in_progress', state()) : ''),
    fail(error, requestId) {
      writer.endWaiting(false);
      const failed = state({ status: 'failed', error: failureOf(error) });
      return (
        writer.flush() + events.error(objectOf(error, requestId)) + events.response('response.failed', failed)
      );
    },
  };
}
