import type { Completion, CompletionEvent } from '../../src/model/port.ts';

/** An answer in pieces, as adapters stream it: texts and arguments in two. */
export function* eventsOf({ parts, ...ending }: Completion): Generator<CompletionEvent> {
  let index = 0;
  for (const part of parts) {
    if (part.type === 'text') {
      for (const content of halves(part.text)) yield { type: 'delta', content };
      for (const citation of part.citations ?? []) yield { type: 'citation', citation };
    } else if (part.type === 'refusal') {
      for (const content of halves(part.text)) yield { type: 'refusal_delta', content };
    } else if (part.type === 'thinking') {
      for (const content of halves(part.text)) yield { type: 'thinking_delta', content };
      yield { type: 'thinking', part };
    } else {
      const { id, name, custom } = part;
      for (const piece of ['', ...halves(part.arguments)])
        yield { type: 'tool_call_delta', index, id, name, arguments: piece, ...(custom && { custom }) };
      yield { type: 'tool_call', index, toolCall: part };
      index += 1;
    }
  }
  yield { type: 'end', ...ending };
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}
