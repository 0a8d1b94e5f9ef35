import { dropComponents, referredTo } from './components.ts';
import type { Document, Schema } from './document.ts';

/**
 * The contract for programs that are made from it: there the content of a message of `/v1/chat` is a text, and never a list of
 * parts. In most languages a union is a type of its own, and callers who pass a text would not compile any more (seen with the
 * generators of Python, Go and Java, ogen, progenitor and typescript-fetch). The server takes both, as the documentation says.
 */
export function withTextAlone(contract: Document): Document {
  const document = structuredClone(contract);
  const message = document.components.schemas['ChatMessage'];
  const content = message?.properties?.['content'];
  const [text, parts] = content?.oneOf ?? [];
  if (!message?.properties || !text || !parts)
    throw new Error('The content of a message is no text or parts.');
  const { title: _, ...plain }: Schema = text;
  message.properties['content'] = { ...plain, description: content?.['description'] };
  dropComponents(document, referredTo(contract, parts));
  return document;
}

/** Whether a request of `/v1/chat` has a message whose content is parts, for which that contract has no place. */
export function passesParts(body: unknown): boolean {
  const { messages } = (body ?? {}) as { messages?: unknown };
  return Array.isArray(messages) && messages.some((message) => Array.isArray(message?.content));
}
