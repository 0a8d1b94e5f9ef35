import type { Completion, CompletionEvent, CompletionStream } from '../../model/port.ts';
import type { VendorRequest } from './vendor-request.ts';

const whiteSpace: ReadonlySet<number> = new Set(Buffer.from('\ufeff \t\r\n'));

/** What no line of an event stream begins with: a JSON object or list, and a page of HTML. */
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
 * Whether the reply to a request for a stream is one whole value. What it begins with tells; its label does where there is nothing
 * else yet: some vendors and proxies label streams as JSON, and whole replies as streams.
 */
export async function isWhole(sent: VendorRequest): Promise<boolean> {
  const first = await sent.peek(whiteSpace);
  if (first !== null) return whole.has(first);
  return /^(?:text\/html|application\/json)\b/i.test(String(sent.headers['content-type'] ?? ''));
}
