import type { ContentBlock, Message } from '@anthropic-ai/sdk/resources/messages/messages';
import type { AnswerPart, Completion } from '../../../../model/port.ts';
import type { AnswerMeta } from '../../wire.ts';
import { citationOnWire, inputOf, thinkingBlock } from './blocks.ts';
import { endOnWire } from './endings.ts';
import { clientId } from './tool-ids.ts';
import { usageOnWire } from './usage.ts';

/**
 * A whole answer.
 * @param showsThinking whether thinking is a part of it
 */
export function answerOf(completion: Completion, meta: AnswerMeta, showsThinking: boolean): Message {
  const { parts } = completion;
  let refusal = '';
  for (const part of parts) if (part.type === 'refusal') refusal += part.text;
  return {
    id: `msg_${meta.id}`,
    type: 'message',
    role: 'assistant',
    model: meta.model,
    content: parts.map((part) => blockOf(part, showsThinking)).filter((block) => block !== null),
    container: null,
    diagnostics: null,
    ...endOnWire(completion, refusal),
    usage: usageOnWire(meta.usage()),
  };
}

function blockOf(part: AnswerPart, showsThinking: boolean): ContentBlock | null {
  switch (part.type) {
    case 'text':
    case 'refusal': {
      if (part.text === '') return null;
      const citations = part.type === 'text' ? part.citations : undefined;
      return { type: 'text', text: part.text, citations: citations?.map(citationOnWire) ?? null };
    }
    case 'thinking':
      return showsThinking ? thinkingBlock(part) : null;
    case 'tool_call': {
      const { id, name, arguments: json } = part;
      return { type: 'tool_use', id: clientId(id), name, input: inputOf(json), caller: { type: 'direct' } };
    }
  }
}
