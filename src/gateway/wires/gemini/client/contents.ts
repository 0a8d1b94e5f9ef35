import type {
  ModelMessage,
  Part,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from '../../../../model/parts.ts';
import { withPath } from '../../source-paths.ts';

import { type Fields, wrong } from './fields.ts';
import { filePart, inlinePart } from './media.ts';
import { sealedIn } from './other-vendor-signatures.ts';

/**
 * The calls of tools in a conversation and which result belongs to which. Clients may leave ids out or use one twice; then
 * results go by name and order. Ids that are made up depend on nothing but the place of the call, so that the same
 * conversation is read into the same parts each time and vendors' caches find its beginning again.
 */
class Calls {
  readonly #ids = new Set<string>();
  #open: Call[] = [];

  /** The id of a call. */
  add(call: Fields, place: string): string {
    const given = call.text('id') || undefined;
    const name = call.text('name') ?? '';
    let id = given ?? `call_${place}`;
    while (this.#ids.has(id)) id += '_';
    this.#ids.add(id);
    this.#open.push({ id, name, given });
    return id;
  }

  /** The id of the call that a result answers. Throws `invalid_request` where there is none. */
  answer(response: Fields): string {
    const given = response.text('id') || undefined;
    const name = response.text('name');
    const byId = given === undefined ? undefined : this.#open.find((call) => call.given === given);
    const call =
      byId ??
      this.#open.find((open) => open.name === name && (open.given === undefined || given === undefined));
    if (!call) {
      const field = given === undefined ? 'name' : 'id';
      throw wrong(response.at(field), 'enum', 'must name a call of the model turn before it, once');
    }
    this.#open = this.#open.filter((open) => open !== call);
    return call.id;
  }

  /** Throws `invalid_request` where a call of the turn before has no result. */
  requireAnswered(path: string): void {
    const [call] = this.#open;
    if (call)
      throw wrong(path, 'tool_result', `must answer the call of ${JSON.stringify(call.name)} before it`);
  }

  get open(): boolean {
    return this.#open.length > 0;
  }
}

/** The conversation of a request. Throws `invalid_request`, which names the path. */
export function messagesOf(body: Fields): ModelMessage[] {
  const messages: ModelMessage[] = [];
  const system = systemOf(body);
  if (system.length > 0) messages.push({ role: 'system', content: system });
  const contents = body.list('contents');
  if (contents.length === 0) throw wrong(body.at('contents'), 'required', 'must hold at least one message');
  const calls = new Calls();
  for (const turn of turnsOf(contents)) addTurn(turn, calls, messages);
  calls.requireAnswered(body.at('contents'));
  return messages;
}

function systemOf(body: Fields): TextPart[] {
  const text = body.value('systemInstruction');
  if (typeof text === 'string') return text === '' ? [] : [{ type: 'text', text }];
  const parts = body.object('systemInstruction')?.list('parts') ?? [];
  return parts.map((part) => {
    const said = part.text('text');
    if (said === undefined) throw wrong(part.path, 'unsupported', 'must be a text');
    return { type: 'text', text: said };
  });
}

interface Turn {
  /** The first of its messages. */
  readonly content: Fields;
  readonly index: number;
  readonly role: 'user' | 'model';
  readonly parts: readonly Fields[];
}

/** Google's own clients keep a streamed answer as one message for each piece: together they are one turn of the model. */
function turnsOf(contents: readonly Fields[]): Turn[] {
  const turns: Turn[] = [];
  for (const [index, content] of contents.entries()) {
    const role = roleOf(content);
    const parts = content.list('parts');
    if (parts.length === 0) throw wrong(content.at('parts'), 'required', 'must hold at least one part');
    const last = turns.at(-1);
    if (role === 'model' && last?.role === 'model')
      turns[turns.length - 1] = { ...last, parts: [...last.parts, ...parts] };
    else turns.push({ content, index, role, parts });
  }
  return turns;
}

function roleOf(content: Fields): Turn['role'] {
  const role = content.text('role') || 'user';
  if (role === 'model') return role;
  if (role === 'user' || role === 'function' || role === 'tool') return 'user';
  throw wrong(content.at('role'), 'enum', 'must be user or model');
}

function addTurn({ content, index, role, parts }: Turn, calls: Calls, messages: ModelMessage[]): void {
  if (role === 'user') {
    addUserParts(content, parts, calls, messages);
    return;
  }
  calls.requireAnswered(content.path);
  messages.push({ role: 'assistant', content: joined(modelParts(parts, index, calls)) });
}

/** Pieces of one text, or of one thought, as one. */
function joined(parts: readonly Part[]): Part[] {
  const content: Part[] = [];
  for (const part of parts) {
    const last = content.at(-1);
    const text = part.type === 'text' && last?.type === 'text';
    const thought = isPlainThought(part) && isPlainThought(last);
    if (text || thought) content[content.length - 1] = { ...part, text: last.text + part.text };
    else content.push(part);
  }
  return content;
}

function isPlainThought(part: Part | undefined): part is ThinkingPart {
  return part?.type === 'thinking' && part.sealed === null;
}

/** The results of a turn come before everything else in it. */
function addUserParts(
  content: Fields,
  parts: readonly Fields[],
  calls: Calls,
  messages: ModelMessage[],
): void {
  const results: ToolResultPart[] = [];
  const others: Part[] = [];
  for (const part of parts) {
    const response = part.object('functionResponse');
    if (response) results.push(resultOf(response, calls));
    else others.push(contentPart(part));
  }
  if (results.length > 0) messages.push({ role: 'tool', content: results });
  if (others.length === 0) return;
  if (calls.open) calls.requireAnswered(content.path);
  messages.push({ role: 'user', content: others });
}

function contentPart(part: Fields): Part {
  const text = part.text('text');
  if (text !== undefined) return { type: 'text', text };
  const inline = part.object('inlineData');
  if (inline) return withPath(inlinePart(inline), inline.path);
  const file = part.object('fileData');
  if (file) return withPath(filePart(file), file.path);
  throw wrong(part.path, 'unsupported', 'must hold text, inlineData or fileData for this model');
}

function modelParts(parts: readonly Fields[], index: number, calls: Calls): Part[] {
  const content: Part[] = [];
  for (const [n, part] of parts.entries()) {
    const signature = part.text('thoughtSignature') || undefined;
    const sealed = signature === undefined ? null : sealedIn(signature);
    if (sealed) {
      // Its text, where it was shown, is in the parts before.
      let shown = part.flag('thought') === true ? (part.text('text') ?? '') : '';
      for (let last = content.at(-1); isPlainThought(last); last = content.at(-1)) {
        shown = last.text + shown;
        content.pop();
      }
      content.push({ type: 'thinking', text: shown, sealed });
      if (part.flag('thought') === true) continue;
    }
    content.push(...modelPart(part, sealed ? undefined : signature, `${index}_${n}`, calls));
  }
  return content;
}

function modelPart(part: Fields, signature: string | undefined, place: string, calls: Calls): Part[] {
  const call = part.object('functionCall');
  if (call) return [callOf(call, signature, place, calls)];
  const text = part.text('text');
  const thought = part.flag('thought') === true;
  if (signature === undefined) {
    if (thought) return [{ type: 'thinking', text: text ?? '', sealed: null }];
    // A part may hold nothing but a signature of another vendor's thinking.
    return text === '' ? [] : [contentPart(part)];
  }
  const value = { text: text ?? '', ...(thought && { thought }), thoughtSignature: signature };
  const sealed = {
    type: 'thinking',
    text: thought ? (text ?? '') : '',
    sealed: { wire: 'gemini', provider: null, model: null, value },
  } as const;
  if (thought || text === undefined || text === '') return [sealed];
  return [{ type: 'text', text }, sealed];
}

function callOf(call: Fields, signature: string | undefined, place: string, calls: Calls): ToolCallPart {
  const name = call.text('name');
  if (!name) throw wrong(call.at('name'), 'required', 'is required');
  const args = call.object('args')?.raw ?? {};
  return {
    type: 'tool_call',
    id: calls.add(call, place),
    name,
    arguments: JSON.stringify(args),
    ...(signature !== undefined && { extraContent: { google: { thought_signature: signature } } }),
  };
}

/** A tool's result: the fields `output` and `error` have a meaning where each stands alone, all else is the result itself. */
function resultOf(response: Fields, calls: Calls): ToolResultPart {
  const callId = calls.answer(response);
  const given = response.object('response')?.raw ?? {};
  const [[key, only] = [], second] = Object.entries(given);
  const alone = second === undefined ? key : undefined;
  const value = alone === 'output' || alone === 'error' ? only : given;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const media = response.list('parts').map((part) => {
    const found = contentPart(part);
    if (found.type === 'image' || found.type === 'document') return found;
    throw wrong(part.path, 'unsupported', 'must hold an image or a document for this model');
  });
  return {
    type: 'tool_result',
    callId,
    content: [{ type: 'text', text }, ...media],
    ...(alone === 'error' && { isError: true }),
  };
}

interface Call {
  readonly id: string;
  readonly name: string;
  /** As the client has it; undefined where it has none. */
  readonly given: string | undefined;
}
