import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { ResponseFrame, ResponseState } from './answer.ts';

/** An event's fields without those that every event has. */
export type Fields<Type extends ResponseStreamEvent['type']> = Omit<
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

/** Events about items. */
export type ItemEventType = Exclude<ResponseStreamEvent['type'], ResponseEventType | 'error'>;

/** Writes events in the wire's form and numbers them. */
export class EventWriter {
  readonly #frame: ResponseFrame;
  /** The frame as JSON: it holds instructions and tools, and three events repeat it. */
  #frameJson: string | null = null;
  #next = 0;

  constructor(frame: ResponseFrame) {
    this.#frame = frame;
  }

  event<Type extends ItemEventType>(type: Type, fields: Fields<Type>): string {
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
