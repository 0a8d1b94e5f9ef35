import type {
  ContentBlock,
  Message,
  RawContentBlockDelta,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { ServiceError } from '../../../../contract/errors.ts';
import type { ThinkingPart } from '../../../../model/parts.ts';
import type { CompletionEvent } from '../../../../model/port.ts';
import { noTokens } from '../../../../model/usage.ts';
import type { AnswerMeta, StreamWriter } from '../../wire.ts';
import { citationOnWire, clientId, thinkingBlock, totalsOnWire, usageOnWire } from './blocks.ts';
import { endOnWire } from './endings.ts';
import { anthropicErrors } from './errors.ts';
import { CallOrder } from './read-messages.ts';

/** What a block is open for: one at a time. */
type Kind = 'text' | 'refusal' | 'thinking' | 'call';

const emptyText: ContentBlock = { type: 'text', text: '', citations: null };
const emptyThinking: ContentBlock = { type: 'thinking', thinking: '', signature: '' };

/**
 * Writes an answer as the events of this wire: blocks with dense indices, one open at a time
 * (https://platform.claude.com/docs/en/build-with-claude/streaming).
 */
export class AnthropicStreamWriter implements StreamWriter {
  readonly #meta: AnswerMeta;
  readonly #showsThinking: boolean;
  readonly #order = new CallOrder();
  #written = '';
  #open: Kind | null = null;
  #blocks = 0;
  #refusal = '';
  #callId = '';
  /** Whether the open call has got arguments. */
  #hasArguments = false;

  constructor(meta: AnswerMeta, showsThinking: boolean) {
    this.#meta = meta;
    this.#showsThinking = showsThinking;
  }

  start(): string {
    const message: Message = {
      id: `msg_${this.#meta.id}`,
      type: 'message',
      role: 'assistant',
      model: this.#meta.model,
      content: [],
      container: null,
      diagnostics: null,
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: usageOnWire({ ...noTokens, inputUncached: this.#meta.inputTokens }),
    };
    return eventOf('message_start', { message });
  }

  take(event: CompletionEvent): string {
    for (const next of this.#order.take(event)) this.#write(next);
    const written = this.#written;
    this.#written = '';
    return written;
  }

  fail(error: ServiceError, requestId: string): ReturnType<StreamWriter['fail']> {
    return anthropicErrors.event(error, requestId);
  }

  #write(event: CompletionEvent): void {
    switch (event.type) {
      case 'delta':
        this.#text('text', event.content);
        break;
      case 'refusal_delta':
        this.#refusal += event.content;
        this.#text('refusal', event.content);
        break;
      case 'citation':
        this.#need('text', emptyText);
        this.#delta({ type: 'citations_delta', citation: citationOnWire(event.citation) });
        break;
      case 'thinking_delta':
        if (!this.#showsThinking) break;
        this.#need('thinking', emptyThinking);
        this.#delta({ type: 'thinking_delta', thinking: event.content });
        break;
      case 'thinking':
        if (this.#showsThinking) this.#endThinking(event.part);
        break;
      case 'tool_call_delta':
        this.#needCall(event.id, event.name);
        this.#arguments(event.arguments);
        break;
      case 'tool_call':
        this.#needCall(event.toolCall.id, event.toolCall.name);
        if (!this.#hasArguments) this.#arguments(event.toolCall.arguments);
        this.#close();
        break;
      case 'end':
        this.#close();
        this.#emit('message_delta', {
          delta: { ...endOnWire(event, this.#refusal), container: null },
          usage: totalsOnWire(this.#meta.usage()),
        });
        this.#emit('message_stop', {});
    }
  }

  #text(kind: 'text' | 'refusal', text: string): void {
    this.#need(kind, emptyText);
    this.#delta({ type: 'text_delta', text });
  }

  #needCall(id: string, name: string): void {
    if (this.#open === 'call' && this.#callId === id) return;
    this.#close();
    this.#callId = id;
    this.#hasArguments = false;
    this.#need('call', { type: 'tool_use', id: clientId(id), name, input: {}, caller: { type: 'direct' } });
  }

  #arguments(json: string): void {
    if (json !== '') this.#hasArguments = true;
    this.#delta({ type: 'input_json_delta', partial_json: json });
  }

  /** The whole of a stretch of thinking, whose text may have been written. */
  #endThinking(part: ThinkingPart): void {
    const block = thinkingBlock(part);
    if (block?.type === 'redacted_thinking') {
      this.#close();
      this.#need('thinking', block);
    }
    if (block?.type === 'thinking') {
      const { thinking, signature } = block;
      if (this.#open !== 'thinking') {
        this.#need('thinking', emptyThinking);
        if (thinking !== '') this.#delta({ type: 'thinking_delta', thinking });
      }
      if (signature !== '') this.#delta({ type: 'signature_delta', signature });
    }
    if (this.#open === 'thinking') this.#close();
  }

  /** Makes sure that a block of the kind is open. */
  #need(kind: Kind, block: ContentBlock): void {
    if (this.#open === kind) return;
    this.#close();
    this.#open = kind;
    this.#emit('content_block_start', { index: this.#blocks, content_block: block });
  }

  #delta(delta: RawContentBlockDelta): void {
    this.#emit('content_block_delta', { index: this.#blocks, delta });
  }

  #close(): void {
    if (this.#open === null) return;
    this.#emit('content_block_stop', { index: this.#blocks });
    this.#open = null;
    this.#blocks += 1;
  }

  #emit(type: string, fields: object): void {
    this.#written += eventOf(type, fields);
  }
}

function eventOf(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
