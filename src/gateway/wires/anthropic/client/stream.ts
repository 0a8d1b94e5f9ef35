import type { ContentBlock, RawContentBlockDelta } from '@anthropic-ai/sdk/resources/messages/messages';
import type { ThinkingPart } from '../../../../model/parts.ts';
import type { CompletionEvent } from '../../../../model/port.ts';
import { noTokens } from '../../../../model/usage.ts';
import type { AnswerMeta, StreamWriter } from '../../wire.ts';
import { citationOnWire, clientId, endOnWire, messageOf, thinkingBlock, totalsOnWire } from './blocks.ts';
import { anthropicErrors } from './errors.ts';
import { CallOrder } from './read-messages.ts';

/** The kind of the open block: one at a time. */
type Kind = 'text' | 'refusal' | 'thinking' | 'call';

const emptyText: ContentBlock = { type: 'text', text: '', citations: null };
const emptyThinking: ContentBlock = { type: 'thinking', thinking: '', signature: '' };

/**
 * Writes an answer as the events of this wire: blocks with dense indices, one open at a time
 * (https://platform.claude.com/docs/en/build-with-claude/streaming).
 */
export function anthropicStream(meta: AnswerMeta, showsThinking: boolean): StreamWriter {
  const order = new CallOrder();
  let written = '';
  let open: Kind | null = null;
  let index = 0;
  let refusal = '';
  let callId = '';
  /** Whether the open call has got arguments. */
  let hasArguments = false;

  const emit = (type: string, fields: object) => {
    written += eventOf(type, fields);
  };
  const delta = (delta: RawContentBlockDelta) => emit('content_block_delta', { index, delta });

  const close = () => {
    if (open === null) return;
    emit('content_block_stop', { index });
    open = null;
    index += 1;
  };

  /** Makes sure that a block of the kind is open. */
  const need = (kind: Kind, block: ContentBlock) => {
    if (open === kind) return;
    close();
    open = kind;
    emit('content_block_start', { index, content_block: block });
  };

  const say = (kind: 'text' | 'refusal', text: string) => {
    need(kind, emptyText);
    delta({ type: 'text_delta', text });
  };

  const needCall = (id: string, name: string) => {
    if (open === 'call' && callId === id) return;
    close();
    callId = id;
    hasArguments = false;
    need('call', { type: 'tool_use', id: clientId(id), name, input: {}, caller: { type: 'direct' } });
  };

  const passArguments = (json: string) => {
    if (json !== '') hasArguments = true;
    delta({ type: 'input_json_delta', partial_json: json });
  };

  /** The whole of a stretch of thinking, whose text may have been written. */
  const endThinking = (part: ThinkingPart) => {
    const block = thinkingBlock(part);
    if (block?.type === 'redacted_thinking') {
      close();
      need('thinking', block);
    }
    if (block?.type === 'thinking') {
      const { thinking, signature } = block;
      if (open !== 'thinking') {
        need('thinking', emptyThinking);
        if (thinking !== '') delta({ type: 'thinking_delta', thinking });
      }
      if (signature !== '') delta({ type: 'signature_delta', signature });
    }
    if (open === 'thinking') close();
  };

  const write = (event: CompletionEvent) => {
    switch (event.type) {
      case 'delta':
        return say('text', event.content);
      case 'refusal_delta':
        refusal += event.content;
        return say('refusal', event.content);
      case 'citation':
        need('text', emptyText);
        return delta({ type: 'citations_delta', citation: citationOnWire(event.citation) });
      case 'thinking_delta':
        if (!showsThinking) return;
        need('thinking', emptyThinking);
        return delta({ type: 'thinking_delta', thinking: event.content });
      case 'thinking':
        return showsThinking ? endThinking(event.part) : undefined;
      case 'tool_call_delta':
        needCall(event.id, event.name);
        return passArguments(event.arguments);
      case 'tool_call':
        needCall(event.toolCall.id, event.toolCall.name);
        if (!hasArguments) passArguments(event.toolCall.arguments);
        return close();
      case 'end': {
        close();
        const end = { ...endOnWire(event, refusal), container: null };
        emit('message_delta', { delta: end, usage: totalsOnWire(meta.usage()) });
        return emit('message_stop', {});
      }
    }
  };

  return {
    start() {
      const notEnded = { stop_reason: null, stop_sequence: null, stop_details: null };
      const tokens = { ...noTokens, inputUncached: meta.inputTokens };
      return eventOf('message_start', { message: messageOf(meta, [], notEnded, tokens) });
    },
    take(event) {
      for (const next of order.take(event)) write(next);
      const taken = written;
      written = '';
      return taken;
    },
    fail: anthropicErrors.event,
  };
}

function eventOf(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
