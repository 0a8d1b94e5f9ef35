import type { ChatMessage, ChatRequest, ErrorDetail } from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import { messagesOf } from '../../model/contract-form.ts';
import type { ModelMessage } from '../../model/parts.ts';
import { withReadParts } from './parts.ts';

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
