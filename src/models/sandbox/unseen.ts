import type { Warning } from '../../../generated/types.gen.ts';
import type { ModelMessage, Part } from '../parts.ts';

/** What the sandbox is shown and does not look at, as one warning that names the first of it; none where all is text. */
export function unseenIn(messages: readonly ModelMessage[]): readonly Warning[] {
  for (const [index, { content }] of messages.entries()) {
    const at = content.findIndex(isMedia);
    if (at < 0) continue;
    const message = 'The sandbox reads text only: it has not looked at images, documents or audio.';
    return [{ code: 'content_adapted', message, param: `messages[${index}].content[${at}]` }];
  }
  return [];
}

function isMedia(part: Part): boolean {
  if (part.type === 'tool_result') return part.content.some(isMedia);
  return part.type === 'image' || part.type === 'document' || part.type === 'audio';
}
