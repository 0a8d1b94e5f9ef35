import type { CompletionEvent, ToolCallEvent } from '../../../../model/port.ts';

/** What waits for the open call: the events of another call, or a stretch of others. */
interface Waiting {
  /** Null: of no call. */
  readonly index: number | null;
  readonly events: CompletionEvent[];
}

/**
 * Brings the pieces of calls that take turns one after the other: what belongs to another call than the open one waits
 * until that is complete, and so does what follows. How much can wait is bounded by the adapters.
 */
export class CallOrder {
  #open: number | null = null;
  #waiting: Waiting[] = [];

  /** The events that are next. */
  take(event: CompletionEvent): CompletionEvent[] {
    const index = callOf(event);
    if (event.type === 'end') {
      const rest = this.#waiting.flatMap(({ events }) => events);
      this.#waiting = [];
      return [...rest, event];
    }
    if (this.#open === null || this.#open === index) return this.#pass(event);
    this.#wait(index, event);
    return [];
  }

  #pass(event: CompletionEvent): CompletionEvent[] {
    this.#open = event.type === 'tool_call_delta' ? event.index : null;
    return event.type === 'tool_call' ? [event, ...this.#release()] : [event];
  }

  /** What waited, up to the first call that is not complete. */
  #release(): CompletionEvent[] {
    const released: CompletionEvent[] = [];
    while (this.#waiting.length > 0 && this.#open === null) {
      const { index, events } = this.#waiting.shift() as Waiting;
      released.push(...events);
      this.#open = events.at(-1)?.type === 'tool_call_delta' ? index : null;
    }
    return released;
  }

  #wait(index: number | null, event: CompletionEvent): void {
    const last = this.#waiting.at(-1);
    const place = index === null ? last : this.#waiting.find((waiting) => waiting.index === index);
    if (place && place.index === index) place.events.push(event);
    else this.#waiting.push({ index, events: [event] });
  }
}

function callOf(event: CompletionEvent): number | null {
  return isCall(event) ? event.index : null;
}

function isCall(event: CompletionEvent): event is ToolCallEvent {
  return event.type === 'tool_call_delta' || event.type === 'tool_call';
}
