import type { ChatMessage, ChatPart } from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import { type ContentPart, readContent } from '../../gateway/wires/openai-chat/client/read-content.ts';
import type { ContractMessage } from '../../model/contract-form.ts';

/** The parts that may stand in a message, by who speaks. */
const taken: Readonly<Record<ChatMessage['role'], readonly ChatPart['type'][]>> = {
  system: ['text'],
  user: ['text', 'image_url', 'file', 'input_audio'],
  assistant: ['text'],
  tool: ['text', 'image_url', 'file'],
};

/** A message whose parts are read. Throws `invalid_request`, which names the part, for one that may not stand there or is broken. */
export function withReadParts(message: ChatMessage, at: string): ContractMessage {
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
