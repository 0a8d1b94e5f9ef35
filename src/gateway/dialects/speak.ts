import type { ResponseFormat, Tool, Warning } from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import { nameOf } from '../../model/contract-form.ts';
import type { ModelMessage, Part } from '../../model/parts.ts';
import type { ModelAdapter, ModelCall, ModelTool } from '../../model/port.ts';
import { Adaptations } from '../upstream/settings.ts';
import { fitConversation, instructed, saysJson } from './conversation.ts';
import type { DialectOf } from './dialect.ts';
import {
  answerWithNames,
  idsFor,
  keepsTo,
  renamed,
  streamWithNames,
  ToolNames,
  withName,
  withResultNames,
} from './names.ts';
import type { NameRule, Rules } from './rules.ts';
import { fittedSchema, hasUnion, isOpen, isStrict, wrongProperty } from './schema.ts';
import { settingsOf } from './settings.ts';

/** A call as the dialect has it. */
interface Spoken {
  readonly call: ModelCall;
  readonly warnings: readonly Warning[];
  /** Gives the names of tools back; null: none was changed. */
  readonly names: ToolNames | null;
}

/**
 * The call in the terms of a dialect, whatever its wire. Throws `invalid_request`, with the path, for what the vendor cannot take and
 * no other words can say.
 */
function speak(given: ModelCall, rules: Rules): Spoken {
  const adapted = new Adaptations(given.model);
  const names = namesOf(given, rules);
  const conversation = fitConversation(given.messages, rules, adapted);
  const id = rules.call_ids && conversation.some(hasCall) ? idsFor(rules.call_ids) : same;
  const name = names ? (own: string) => names.toVendor(own) : same;
  const format = formatOf(given, rules, adapted);
  const own = id === same && name === same ? conversation : renamed(conversation, name, id);
  const fitted = rules.result_names ? withResultNames(own) : own;
  const isContinued = rules.continued && fitted.at(-1)?.role === 'assistant';
  const tools = given.tools?.map((tool, index) => toolOf(tool, index, name, rules, given.model, adapted));
  const choice = given.toolChoice;
  const call: ModelCall = {
    ...given,
    messages: format.instruction === null ? fitted : instructed(fitted, format.instruction),
    ...(tools && { tools }),
    ...(typeof choice === 'object' && {
      toolChoice: { ...choice, function: { ...choice.function, name: name(choice.function.name) } },
    }),
    ...(format.form && { responseFormat: format.form }),
    ...(isContinued && { continued: rules.continued }),
    ...(rules.system === 'after_user' && { systemStays: true }),
  };
  const cached = rules.prompt_cache === 'marked' ? withMarks(call, adapted) : call;
  return { call: settingsOf(cached, rules, adapted), warnings: adapted.warnings, names };
}

const same = (text: string) => text;

const hasCall = ({ content }: ModelMessage) => content.some(isOfCall);
const isOfCall = ({ type }: Part) => type === 'tool_call' || type === 'tool_result';

/**
 * The call with marks for the vendor's cache: at the end of the part that many conversations share, and at the end of this
 * one. A single question gets no costly cache that is never read, and a client's own marks are left alone.
 */
function withMarks(call: ModelCall, adapted: Adaptations): ModelCall {
  const { messages, tools, promptCacheKey } = call;
  const turns = messages.filter(({ role }) => role === 'assistant').length;
  if (promptCacheKey !== undefined || (!tools && turns === 0) || hasMarks(call)) return call;
  const said = 'keeps a prompt only where it is marked; it was marked for the next request.';
  adapted.tell('parameter_adapted', 'cache_control', said);
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const system = (first === -1 ? messages.length : first) - 1;
  const ends = new Set([system, messages.length - 1]);
  const last = tools?.at(-1);
  return {
    ...call,
    messages: messages.map((message, index) => (ends.has(index) ? withLastMarked(message) : message)),
    ...(system === -1 && last && tools && { tools: [...tools.slice(0, -1), { ...last, cache: {} }] }),
  };
}

function hasMarks({ messages, tools }: ModelCall): boolean {
  return (
    tools?.some((tool) => tool.cache !== undefined) === true ||
    messages.some(({ content }) => content.some((part) => 'cache' in part))
  );
}

function withLastMarked(message: ModelMessage): ModelMessage {
  const last = message.content.at(-1);
  if (
    last?.type !== 'text' &&
    last?.type !== 'image' &&
    last?.type !== 'document' &&
    last?.type !== 'tool_result'
  )
    return message;
  return { ...message, content: [...message.content.slice(0, -1), { ...last, cache: {} }] };
}

function namesOf({ tools, messages }: ModelCall, { tool_names: rule }: Rules): ToolNames | null {
  if (!rule) return null;
  const all = tools?.map(nameOf) ?? [];
  for (const { role, content } of messages)
    if (role === 'assistant') for (const part of content) if (part.type === 'tool_call') all.push(part.name);
  if (all.every((name) => keepsTo(rule, name))) return null;
  return new ToolNames(all, rule);
}

function toolOf(
  given: ModelTool,
  index: number,
  name: (own: string) => string,
  rules: Rules,
  model: string,
  adapted: Adaptations,
): ModelTool {
  const own = nameOf(given);
  const tool = name(own) === own ? given : withName(given, name(own));
  if (tool.type === 'custom') return tool;
  const { strict } = tool.function;
  const nothing = rules.tool_schemas?.required && { type: 'object' as const, properties: {} };
  const parameters = tool.function.parameters ?? nothing;
  if (parameters && rules.property_names)
    checkProperties(parameters, rules.property_names, `tools[${index}]`, own, model);
  // The rules for the schema of an answer also apply to strict calls.
  const {
    object: _object,
    closed: _closed,
    ...held
  } = (strict && rules.strict && rules.answer_schemas) || {};
  const schemas = rules.tool_schemas && { ...rules.tool_schemas, ...held };
  const fitted = parameters && schemas ? fittedSchema(parameters, schemas) : parameters;
  const loose = strict === true && rules.strict !== undefined && !isStrict(fitted, rules.strict);
  if (loose) adapted.tell('parameter_adapted', 'tools', notStrict('A tool', rules));
  if (fitted === tool.function.parameters && !loose) return tool;
  if (parameters && rules.tool_schemas?.unions === 'merged' && hasUnion(parameters)) {
    const said = 'takes no union at the top of a schema; its branches became one object.';
    adapted.tell('content_adapted', 'tools', said);
  }
  const changed: Tool['function'] = {
    ...tool.function,
    ...(fitted && { parameters: fitted as NonNullable<Tool['function']['parameters']> }),
    ...(loose && { strict: false }),
  };
  return { ...tool, function: changed };
}

function notStrict(what: string, { strict }: Rules): string {
  if (strict === 'never') return `holds nothing strictly to a schema. ${what} was sent without \`strict\`.`;
  return `holds answers strictly only to schemas that are closed, and of keywords that it knows. ${what} that is not so was sent without \`strict\`.`;
}

function checkProperties(schema: unknown, rule: NameRule, path: string, tool: string, model: string): void {
  const wrong = wrongProperty(schema, (name) => !keepsTo(rule, name));
  if (wrong === null) return;
  const reason = `has the property ${JSON.stringify(wrong)}; ${model} takes names of up to ${rule.max} of the characters ${rule.letters}`;
  throw new ServiceError('invalid_request', `${path} (${JSON.stringify(tool)}) ${reason}.`, {
    details: [{ path, code: 'pattern', message: reason }],
  });
}

interface Form {
  readonly form: ResponseFormat | null;
  /** The request in words. */
  readonly instruction: string | null;
}

function formatOf(
  { responseFormat: given, tools, messages }: ModelCall,
  rules: Rules,
  adapted: Adaptations,
): Form {
  const inWords = (form: ResponseFormat['type'], lacks: string): Form => {
    const said = `does not support ${lacks}; the prompt asks for JSON instead.`;
    adapted.tell('response_format_adapted', 'response_format', said);
    const fits = given?.type === 'json_schema' ? ' that fits this JSON Schema, and nothing else:\n' : '.';
    const schema = given?.type === 'json_schema' ? JSON.stringify(given.json_schema.schema) : '';
    return {
      form: { type: form } as ResponseFormat,
      instruction: `Answer with one JSON object${fits}${schema}`,
    };
  };
  const asksForJson = given !== undefined && given.type !== 'text';
  if (asksForJson && tools && rules.form_beside_tools === false)
    return inWords('text', 'JSON answers beside tools');
  if (given?.type === 'json_object' && rules.json_word && !messages.some(saysJson)) {
    const said = 'gives JSON only where the prompt asks for it too; the prompt now does.';
    adapted.tell('response_format_adapted', 'response_format', said);
    return { form: null, instruction: 'Answer with one JSON object.' };
  }
  if (given?.type !== 'json_schema') return { form: null, instruction: null };
  const { schema, strict } = given.json_schema;
  if (rules.answer_form === 'json_object') return inWords('json_object', 'JSON schemas');
  if (rules.answer_schemas?.closed && isOpen(schema))
    return inWords('text', 'JSON schemas of objects with any members, or that contain themselves');
  const fitted = rules.answer_schemas ? fittedSchema(schema, rules.answer_schemas) : schema;
  const loose = strict === true && rules.strict !== undefined && !isStrict(fitted, rules.strict);
  if (loose) adapted.tell('parameter_adapted', 'response_format', notStrict('A schema', rules));
  if (fitted === schema && !loose) return { form: null, instruction: null };
  if (fitted !== schema) {
    const said = 'has a JSON Schema of its own: the schema was adapted to it.';
    adapted.tell('response_format_adapted', 'response_format', said);
  }
  const json_schema = {
    ...given.json_schema,
    schema: fitted as (typeof given)['json_schema']['schema'],
    ...(loose && { strict: false }),
  };
  return { form: { ...given, json_schema }, instruction: null };
}

/** An adapter that is spoken to in the dialect of each model: changes on the way out are undone on the way in. */
export function inDialect(adapter: ModelAdapter, dialectOf: DialectOf): ModelAdapter {
  return {
    read: (model, reply) => adapter.read(model, reply),
    prepare(given) {
      const { call, warnings, names } = speak(given, dialectOf(given.model));
      const prepared = inTermsOf(given.messages, call.messages, () => adapter.prepare(call));
      const all = warnings.length === 0 ? prepared.warnings : [...warnings, ...prepared.warnings];
      if (!names) return { ...prepared, warnings: all };
      return {
        warnings: all,
        complete: async (options) => answerWithNames(await prepared.complete(options), names),
        stream: async (options) => streamWithNames(await prepared.stream(options), names),
      };
    },
  };
}

const place = /^messages\[(\d+)\](?:\.content\[(\d+)\])?/;

/** Does work on an adapted conversation; errors name the places of the one that was given. */
function inTermsOf<T>(given: readonly ModelMessage[], fitted: readonly ModelMessage[], work: () => T): T {
  if (given === fitted) return work();
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.param === null) throw error;
    const [start = '', message, part] = place.exec(error.param) ?? [];
    const changed = fitted[Number(message)];
    if (!changed) throw error;
    const found = placeIn(given, changed, changed.content[Number(part)]);
    if (found === null || found === start) throw error;
    const moved = (path: string) => (path.startsWith(start) ? found + path.slice(start.length) : path);
    throw new ServiceError(error.code, moved(error.message), {
      param: moved(error.param),
      details: error.details.map((detail) => ({ ...detail, path: moved(detail.path) })),
      cause: error,
    });
  }
}

function placeIn(
  given: readonly ModelMessage[],
  message: ModelMessage,
  part: Part | undefined,
): string | null {
  for (const [index, { content }] of given.entries()) {
    const at = part === undefined ? -1 : content.findIndex((one) => one === part || isSame(one, part));
    if (at !== -1) return `messages[${index}].content[${at}]`;
    if (part === undefined && content === message.content) return `messages[${index}]`;
  }
  return null;
}

/** A part whose ids, names or media type were changed. */
function isSame(one: Part, other: Part): boolean {
  if (one.type === 'image' && other.type === 'image')
    return (
      one.source.type === 'base64' && other.source.type === 'base64' && one.source.data === other.source.data
    );
  if (one.type === 'tool_result' && other.type === 'tool_result') return one.content === other.content;
  return false;
}
