import type { ResponseOutputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { ResponseFrame, ResponseState } from './answer.ts';

/** An event's fields without those that every event has. */
type Fields<Type extends ResponseStreamEvent['type']> = Omit<
  Extract<ResponseStreamEvent, { type: Type }>,
  'type' | 'sequence_number'
>;

/** Events that carry the whole response. */
type ResponseEventType =
  | 'response.created'
  | 'response.in_progress'
  | 'response.completed'
  | 'response.incomplete'
  | 'response.failed';

/** Writes events in the wire's form and numbers them. */
export class EventWriter {
  readonly #frame: ResponseFrame;
  /** The frame as JSON: it holds instructions and tools, and three events repeat it. */
  #frameJson: string | null = null;
  #next = 0;

  constructor(frame: ResponseFrame) {
    this.#frame = frame;
  }

  event<Type extends Exclude<ResponseStreamEvent['type'], ResponseEventType | 'error'>>(
    type: Type,
    fields: Fields<Type>,
  ): string {
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.#number(), ...fields })}\n\n`;
  }

  response(type: ResponseEventType, state: ResponseState): string {
    this.#frameJson ??= JSON.stringify(this.#frame).slice(0, -1);
    const response = `${this.#frameJson},${JSON.stringify(state).slice(1)}`;
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.#number()},"response":${response}}\n\n`;
  }

  /**
   * OpenAI sends the error in an object of its own, and publishes a form where it stands beside the type: clients read the one
   * or the other.
   */
  error(error: {
    readonly message: string;
    readonly code: string | null;
    readonly param: string | null;
  }): string {
    const { message, code, param } = error;
    const data = { type: 'error', sequence_number: this.#number(), message, code, param, error };
    return `event: error\ndata: ${JSON.stringify(data)}\n\n`;
  }

  #number(): number {
    const number = this.#next;
    this.#next += 1;
    return number;
  }
}

/** The items of an answer, by their `output_index`. */
export class Output {
  readonly events: EventWriter;
  readonly #id: string;
  readonly #items: (ResponseOutputItem | null)[] = [];

  /** @param id of the answer, for those of its items */
  constructor(events: EventWriter, id: string) {
    this.events = events;
    this.#id = id;
  }

  /** Those that are complete. */
  get items(): ResponseOutputItem[] {
    return this.#items.filter((item) => item !== null);
  }

  /** The next item's place and id. */
  open(prefix: string): Place {
    const index = this.#items.push(null) - 1;
    return { index, id: `${prefix}_${this.#id}_${index}` };
  }

  added({ index }: Place, item: ResponseOutputItem): string {
    return this.events.event('response.output_item.added', { output_index: index, item });
  }

  done({ index }: Place, item: ResponseOutputItem): string {
    this.#items[index] = item;
    return this.events.event('response.output_item.done', { output_index: index, item });
  }
}

export interface Place {
  readonly index: number;
  readonly id: string;
}
