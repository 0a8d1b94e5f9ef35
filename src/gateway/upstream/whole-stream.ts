import type { Completion, CompletionEvent, CompletionStream } from '../../model/port.ts';

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
