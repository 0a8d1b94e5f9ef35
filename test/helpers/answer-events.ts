import { openCompletionStream, type StreamDecoder } from '../../src/gateway/upstream/completion-stream.ts';
import type { Vendor } from '../../src/gateway/upstream/vendor.ts';
import type { VendorRequest } from '../../src/gateway/upstream/vendor-request.ts';
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

/** The events of a vendor's stream that arrives in these pieces. */
export async function decodedStream(
  pieces: readonly Buffer[],
  decoder: StreamDecoder,
  vendor: Vendor,
): Promise<CompletionEvent[]> {
  const left = [...pieces];
  const request = {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    aborted: false,
    read: async () => left.shift() ?? null,
    waiting: () => left.shift() ?? null,
    hold: () => true,
    answering: () => undefined,
    release: () => undefined,
    close: () => undefined,
  } as unknown as VendorRequest;
  const events: CompletionEvent[] = [];
  for await (const event of await openCompletionStream(request, decoder, vendor)) events.push(event);
  return events;
}

/** A text as bytes, cut at these shares of its length. */
export function cutAt(text: string, shares: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const places = [...shares.map((share) => Math.floor(share * bytes.length)), 0, bytes.length].sort(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

/** Events with the pieces of one text put together, as they may come in any number. */
export function joined(events: readonly CompletionEvent[]): CompletionEvent[] {
  const whole: CompletionEvent[] = [];
  for (const event of events) {
    const last = whole.at(-1);
    if (
      (event.type === 'delta' || event.type === 'thinking_delta' || event.type === 'refusal_delta') &&
      last?.type === event.type
    )
      whole[whole.length - 1] = { ...event, content: last.content + event.content };
    else whole.push(event);
  }
  return whole;
}
