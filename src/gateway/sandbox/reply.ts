import type { ResponseFormat, Tool } from '../../../generated/types.gen.ts';
import { objectIn } from '../../lib/json.ts';
import { shorten } from '../../lib/static-text.ts';
import { type Citation, type ToolCallPart, textOf } from '../../model/parts.ts';
import type { ModelCall } from '../../model/port.ts';
import { sandboxId } from '../../model/usage.ts';
import { customNames, unwrappedInput, wrappedTool } from '../upstream/tool-calls.ts';
import { madeUpArguments, madeUpInstance } from './made-up.ts';
import type { SandboxModel } from './models.ts';

/** The sandbox's texts and calls; empty ones are left out. */
export interface Reply {
  /** Before the answer. */
  readonly thought: string;
  readonly text: string;
  /** In place of an answer. */
  readonly refusal: string;
  /** Of the text. */
  readonly citations: readonly Citation[];
  readonly calls: readonly ToolCallPart[];
}

/** The reply to a call, without regard to the maximum of tokens. */
export async function replyOf(model: SandboxModel, call: ModelCall): Promise<Reply> {
  if (model === 'sandbox/empty') return nothing;
  if (model === 'sandbox/refusal') return { ...nothing, refusal };
  const thought = model === 'sandbox/thinking' ? thinking(call) : '';
  const reply = await answerOf(model, call);
  if (model !== 'sandbox/citations' || reply.text === '') return { ...nothing, ...reply, thought };
  const text = `${reply.text} ${cited}`;
  return { ...nothing, text, citations: [{ ...source, start: reply.text.length + 1, end: text.length }] };
}

async function answerOf(model: SandboxModel, call: ModelCall): Promise<Pick<Reply, 'text' | 'calls'>> {
  const { calls, results } = turnFor(model, call);
  if (calls.length > 0) return { text: '', calls };
  if (call.responseFormat) return { text: JSON.stringify(await inForm(call.responseFormat)), calls };
  if (model === 'sandbox/echo') return { text: question(call), calls };
  return { text: results.length > 0 ? report(results) : introduction(call), calls };
}

function turnFor(model: SandboxModel, call: ModelCall): Turn {
  if (model === 'sandbox/echo' || !call.tools) return { calls: [], results: [] };
  return model === 'sandbox/parallel-tools' ? everyTool(call) : turnOf(call);
}

const nothing: Reply = { thought: '', text: '', refusal: '', citations: [], calls: [] };

const refusal =
  'This is the built-in sandbox of Switchyard: it was asked to refuse, and refuses every request.';

const cited = 'It was asked to cite something, too, and made this up.';
const source: Citation = { url: 'https://example.com/', title: 'Example Domain', citedText: cited };

function thinking(call: ModelCall): string {
  const asked = shorten(question(call), 200);
  return `No language model thinks here: the sandbox was asked to show a thought. ${asked ? `The question is "${asked}".` : 'There is no question.'}`;
}

async function inForm(format: ResponseFormat): Promise<unknown> {
  return format.type === 'json_schema'
    ? madeUpInstance(format.json_schema.schema)
    : { sandbox: 'No language model was called; this is made up.' };
}

function report(results: Turn['results']): string {
  const lines = results.map(
    ({ name, arguments: json, result }) => `${name} ${shorten(json, 200)} gave: ${shorten(result, 2000)}`,
  );
  return `${lines.join('\n')}\n\nThis is the built-in sandbox of Switchyard: it called the tools and repeats what they gave, without a language model.`;
}

function question(call: ModelCall): string {
  const last = call.messages.findLast(({ role }) => role === 'user');
  return last ? textOf(last) : '';
}

function introduction(call: ModelCall): string {
  const asked = shorten(question(call), 200);
  return (
    `This is the built-in sandbox of Switchyard: no language model was called. ` +
    `${asked ? `You asked: "${asked}" ` : ''}` +
    `To get real answers, set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY and start the server again. ` +
    `GET /v1/models lists what it can do until then, such as ${sandboxId}/echo.`
  );
}

/** As much of a message is looked at, in characters, and as many calls come of one. */
const maxLookLength = 20_000;
const maxCalls = 8;

interface Wanted {
  readonly name: string;
  readonly arguments: string;
}

/** The events since the last message of the user. */
export interface Turn {
  /** The calls that the sandbox makes now; empty: nothing is left to call. */
  readonly calls: readonly ToolCallPart[];
  /** The calls that were made and their results. */
  readonly results: readonly { readonly name: string; readonly arguments: string; readonly result: string }[];
}

/**
 * The calls that the last message of the user plainly asks for, by the rules in the contract, without those that were made
 * since. With `parallelToolCalls: false` they come one after the other.
 */
export function turnOf(call: ModelCall): Turn {
  return turnWith(call, wantedCalls);
}

/** One call of each tool that is offered, with made-up arguments; none once they have been answered. */
function everyTool(call: ModelCall): Turn {
  return turnWith(call, ({ tools = [], toolChoice }, asked, answered) => {
    if (answered || toolChoice === 'none') return [];
    return tools.map((tool) => madeUp(tool.type === 'custom' ? wrappedTool(tool) : tool, asked));
  });
}

function turnWith(call: ModelCall, wants: typeof wantedCalls): Turn {
  const start = call.messages.findLastIndex(({ role }) => role === 'user');
  const made: ToolCallPart[] = [];
  const results = new Map<string, string>();
  for (const part of call.messages.slice(start + 1).flatMap(({ content }) => content)) {
    if (part.type === 'tool_call') made.push(part);
    if (part.type === 'tool_result') results.set(part.callId, textOf(part));
  }
  const asked = call.messages[start];
  const custom = customNames(call.tools);
  const wanted = wants(call, asked ? textOf(asked) : '', made.length > 0)
    .map((one) => (custom.has(one.name) ? { ...one, arguments: unwrappedInput(one.arguments) } : one))
    .filter((one) => !made.some((done) => done.name === one.name && done.arguments === one.arguments));
  const now = call.parallelToolCalls === false ? wanted.slice(0, 1) : wanted.slice(0, maxCalls);
  const before = call.messages.reduce(
    (sum, { content }) => sum + content.filter(({ type }) => type === 'tool_call').length,
    0,
  );
  return {
    calls: now.map((one, index) => ({
      type: 'tool_call',
      id: `call_sandbox_${before + index + 1}`,
      ...one,
      ...(custom.has(one.name) && { custom: true }),
    })),
    results: made.map(({ id, name, arguments: json }) => ({
      name,
      arguments: json,
      result: results.get(id) ?? '',
    })),
  };
}

function wantedCalls(call: ModelCall, asked: string, answered: boolean): readonly Wanted[] {
  const { toolChoice = 'auto' } = call;
  const tools = (call.tools ?? []).map((tool) => (tool.type === 'custom' ? wrappedTool(tool) : tool));
  if (toolChoice === 'none') return [];
  const text = asked.slice(0, maxLookLength);
  if (typeof toolChoice === 'object') {
    const chosen = tools.filter((tool) => tool.function.name === toolChoice.function.name);
    return answered ? [] : chosen.flatMap((tool) => callsOf(tool, text) ?? [madeUp(tool, text)]);
  }
  const plain = tools.flatMap((tool) => callsOf(tool, text) ?? []);
  const [first] = tools;
  if (plain.length === 0 && toolChoice === 'required' && first && !answered) return [madeUp(first, text)];
  return plain;
}

/** The calls of one tool that the text asks for; null: none. */
function callsOf({ function: tool }: Tool, text: string): readonly Wanted[] | null {
  const { name, parameters } = tool;
  const call = (values: object): Wanted => ({ name, arguments: JSON.stringify(values) });
  const takes = (property: string) => Object.hasOwn((parameters?.['properties'] ?? {}) as object, property);

  const rest = afterName(text, name);
  if (rest !== null) {
    const given = objectAtStart(rest);
    if (given) return [call(given)];
  }
  if (takes('expression')) {
    const found = expressionsIn(text);
    if (found.length > 0) return found.map((expression) => call({ expression }));
  }
  if (takes('url')) {
    const url = /https?:\/\/[^\s<>"']+/i.exec(text)?.[0].replace(/[.,;:!?)]+$/, '');
    if (url) return [call({ url })];
  }
  if (name === 'build_app' && takes('prompt') && /\b(?:build|make|create|generate)\b/i.test(text))
    return [call({ prompt: text })];
  if (name === 'current_time' && asksForTime.test(text)) return [call({})];
  return rest === null ? null : [call(madeUpArguments(parameters, rest.replace(/^[\s:,-]+/, '')))];
}

function madeUp({ function: { name, parameters } }: Tool, text: string): Wanted {
  return { name, arguments: JSON.stringify(madeUpArguments(parameters, text)) };
}

const asksForTime =
  /\bwhat(?:'s| is)? (?:the )?(?:current )?(?:time|date|day)\b|\bcurrent (?:time|date)\b|\btoday'?s date\b/i;

/** The text after the tool's name; null where the name is not there as a word. */
function afterName(text: string, name: string): string | null {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (!/[\w-]/.test(text.charAt(at - 1)) && !/[\w-]/.test(text.charAt(end))) return text.slice(end);
  }
  return null;
}

/** The JSON object that the text begins with, after blanks or a bracket. */
function objectAtStart(text: string): object | null {
  const start = text.search(/[^\s(:`]/);
  if (text[start] !== '{') return null;
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{') depth += 1;
    else if (char === '}' && --depth === 0) return objectIn(text.slice(start, at + 1));
  }
  return null;
}

/** Arithmetic in a text: numbers with at least one operator between them, dates and ranges left out. */
function expressionsIn(text: string): string[] {
  return text
    .split(/[^\d\s.()+\-*/^%×÷]+/)
    .map((part) =>
      part
        .replaceAll('×', '*')
        .replaceAll('÷', '/')
        .trim()
        .replace(/[.\s]+$/, ''),
    )
    .filter(
      (part) => /\d\s*(?:[+*/^%]|\s-\s)\s*\(*[-\d]/.test(part) && /^[\d(-]/.test(part) && balanced(part),
    )
    .filter((part) => !/\d{4}-\d\d-\d\d|\d+\/\d+\/\d+|\d\s+\d/.test(part));
}

function balanced(text: string): boolean {
  let open = 0;
  for (const char of text) {
    if (char === '(') open += 1;
    if (char === ')') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}
