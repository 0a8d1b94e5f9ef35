import type { ChatMessage, ChatPart, ChatRequest, ErrorDetail } from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import { type ContentPart, readContent } from '../../gateway/wires/openai-chat/client/read-content.ts';
import { type ContractMessage, messagesOf } from '../../model/contract-form.ts';
import type { ModelMessage } from '../../model/parts.ts';

/** The parts that may stand in a message, by who speaks. */
const taken: Readonly<Record<ChatMessage['role'], readonly ChatPart['type'][]>> = {
  system: ['text'],
  user: ['text', 'image_url', 'file', 'input_audio'],
  assistant: ['text'],
  tool: ['text', 'image_url', 'file'],
};

/** What the contract's schema of a message cannot say: which fields go with which role, and that calls are answered. */
export function checkedMessages(messages: readonly ChatMessage[]): readonly ModelMessage[] {
  let waiting: ReadonlySet<string> = answered;
  for (const [index, message] of messages.entries()) {
    const { role, content, tool_calls: calls, tool_call_id: id } = message;
    const at = `messages[${index}]`;
    if (waiting.size > 0 && role !== 'tool') throw unanswered(at, waiting);
    if (calls !== undefined && role !== 'assistant') throw misplaced(`${at}.tool_calls`, 'an assistant');
    if (id !== undefined && role !== 'tool') throw misplaced(`${at}.tool_call_id`, 'a tool');
    if (content == null) {
      if (calls === undefined) throw missing(`${at}.content`, content);
    } else if (content === '' && calls === undefined && role !== 'tool') {
      throw invalid(`${at}.content`, 'minLength', 'must not be empty');
    }
    if (role === 'tool') waiting = withoutAnswered(waiting, id, at);
    else if (calls !== undefined) waiting = idsOf(calls, at);
  }
  if (waiting.size > 0) throw unanswered(`messages[${messages.length}]`, waiting);
  return messagesOf(messages.map((message, index) => withReadParts(message, `messages[${index}]`)));
}

/** What the contract's schema cannot say of `tools` and what goes with it. */
export function checkToolOptions(request: Pick<ChatRequest, 'tools' | 'tool_choice'>): void {
  const { tools, tool_choice: choice } = request;
  const names = new Set<string>();
  for (const [index, tool] of (tools ?? []).entries()) {
    const { name } = tool.function;
    if (names.has(name))
      throw invalid(`tools[${index}].function.name`, 'unique', `repeats ${JSON.stringify(name)}`);
    names.add(name);
  }
  if (typeof choice === 'object' && !names.has(choice.function.name))
    throw invalid('tool_choice.function.name', 'enum', `must be one of ${[...names].join(', ')}`);
}

const answered: ReadonlySet<string> = new Set();

function idsOf(calls: NonNullable<ChatMessage['tool_calls']>, at: string): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [index, { id }] of calls.entries()) {
    if (ids.has(id)) throw invalid(`${at}.tool_calls[${index}].id`, 'unique', 'repeats that of another call');
    ids.add(id);
  }
  return ids;
}

function withoutAnswered(
  waiting: ReadonlySet<string>,
  id: string | undefined,
  at: string,
): ReadonlySet<string> {
  if (id === undefined) throw invalid(`${at}.tool_call_id`, 'required', 'is required');
  if (!waiting.has(id))
    throw invalid(`${at}.tool_call_id`, 'enum', 'must name a call of the assistant message before it, once');
  return new Set([...waiting].filter((other) => other !== id));
}

function unanswered(at: string, waiting: ReadonlySet<string>): ServiceError {
  const [first = ''] = waiting;
  return invalid(at, 'required', `must be a tool message that answers the call ${JSON.stringify(first)}`);
}

function misplaced(path: string, role: string): ServiceError {
  return invalid(path, 'unknown_field', `belongs in ${role} message only`);
}

function missing(path: string, content: null | undefined): ServiceError {
  return content === null
    ? invalid(path, 'type', 'must be a string')
    : invalid(path, 'required', 'is required');
}

function invalid(path: string, code: string, message: string): ServiceError {
  const details: ErrorDetail[] = [{ path, code, message }];
  return new ServiceError('invalid_request', `${path} ${message}.`, { details });
}

/** A message whose parts are read. Throws `invalid_request`, which names the part, for one that may not stand there or is broken. */
function withReadParts(message: ChatMessage, at: string): ContractMessage {
  const { role, content } = message;
  if (!Array.isArray(content)) return { ...message, content: content ?? null };
  const may = taken[role];
  for (const [index, { type }] of content.entries()) {
    if (may.includes(type)) continue;
    const path = `${at}.content[${index}].type`;
    throw refused(path, 'enum', `${path} must be ${may.join(', ')} in a message of the role ${role}.`);
  }
  return { ...message, content: read(content, `${at}.content`) };
}

/** What the schema cannot say of them is that the data is base64, and an address one. */
function read(content: readonly ChatPart[], path: string): readonly ContentPart[] {
  try {
    return readContent(content, path);
  } catch (error) {
    if (error instanceof ServiceError && error.param !== null && error.details.length === 0)
      throw refused(error.param, 'format', error.message);
    throw error;
  }
}

function refused(path: string, code: string, message: string): ServiceError {
  return new ServiceError('invalid_request', message, { details: [{ path, code, message }] });
}
