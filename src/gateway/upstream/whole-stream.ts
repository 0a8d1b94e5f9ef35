import type { Citation } from '../../model/parts.ts';
import type { AnswerPart, Completion, CompletionEvent, CompletionStream } from '../../model/port.ts';
import type { VendorRequest } from './vendor-request.ts';

const whiteSpace: ReadonlySet<number> = new Set(Buffer.from('\ufeff \t\r\n'));

/** The first bytes of a JSON object or list, or a page of HTML: no line of an event stream begins so. */
const whole: ReadonlySet<number> = new Set(Buffer.from('{[<'));

const done = { value: undefined, done: true } as const;

/** A whole answer as a stream whose events are all there already. */
export function wholeStream(completion: Completion): CompletionStream {
  let events = eventsOf(completion);
  const take = () => events.shift() ?? null;
  const stream: CompletionStream = {
    [Symbol.asyncIterator]: () => stream,
    take,
    async next() {
      const value = take();
      return value === null ? done : { value, done: false };
    },
    async return() {
      events = [];
      return done;
    },
  };
  return stream;
}

/** Puts the parts of an answer together from its events. */
export class AnswerParts {
  readonly parts: AnswerPart[] = [];
  /** Characters of text before the last text, and of all text: places of citations count from the beginning. */
  #before = 0;
  #length = 0;

  take(event: CompletionEvent): void {
    switch (event.type) {
      case 'delta':
        if (this.parts.at(-1)?.type !== 'text') this.#before = this.#length;
        this.#length += event.content.length;
        this.#add('text', event.content);
        break;
      case 'refusal_delta':
        this.#add('refusal', event.content);
        break;
      case 'thinking':
        this.parts.push(event.part);
        break;
      case 'tool_call':
        this.parts.push(event.toolCall);
        break;
      case 'citation':
        this.#cite(event.citation);
        break;
      default:
      // It comes once more as a whole.
    }
  }

  #add(type: 'text' | 'refusal', text: string): void {
    const last = this.parts.at(-1);
    if (last?.type === type) this.parts[this.parts.length - 1] = { ...last, text: last.text + text };
    else this.parts.push({ type, text });
  }

  #cite({ start, end, ...citation }: Citation): void {
    const index = this.parts.findLastIndex(({ type }) => type === 'text');
    const text = this.parts[index];
    if (text?.type !== 'text') return;
    const placed = start !== undefined && end !== undefined;
    const place = placed && { start: start - this.#before, end: end - this.#before };
    this.parts[index] = { ...text, citations: [...(text.citations ?? []), { ...citation, ...place }] };
  }
}

function eventsOf({ parts, ...ending }: Completion): CompletionEvent[] {
  const events: CompletionEvent[] = [];
  let calls = 0;
  for (const part of parts) {
    switch (part.type) {
      case 'text':
        events.push({ type: 'delta', content: part.text });
        for (const citation of part.citations ?? []) events.push({ type: 'citation', citation });
        break;
      case 'refusal':
        events.push({ type: 'refusal_delta', content: part.text });
        break;
      case 'thinking':
        if (part.text !== '') events.push({ type: 'thinking_delta', content: part.text });
        events.push({ type: 'thinking', part });
        break;
      case 'tool_call': {
        const { id, name, arguments: json, custom } = part;
        const index = calls;
        calls += 1;
        events.push(
          { type: 'tool_call_delta', index, id, name, arguments: json, ...(custom && { custom }) },
          { type: 'tool_call', index, toolCall: part },
        );
      }
    }
  }
  events.push({ type: 'end', ...ending });
  return events;
}

/**
 * Whether the reply to a request for a stream is one whole value. The first byte decides, or the label if no byte has come
 * yet: some vendors and proxies label streams as JSON, and whole replies as streams.
 */
export async function isWhole(sent: VendorRequest): Promise<boolean> {
  const first = await sent.peek(whiteSpace);
  if (first !== null) return whole.has(first);
  return /^(?:text\/html|application\/json)\b/i.test(String(sent.headers['content-type'] ?? ''));
}
