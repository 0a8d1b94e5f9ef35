import type { ResponseOutputItem } from 'openai/resources/responses/responses';
import type { EventWriter } from './event-writer.ts';

/** The items of an answer, by their `output_index`. */
export interface Output {
  readonly events: EventWriter;
  /** The next item's place and id. */
  open(prefix: string): Place;
  close(place: Place, item: ResponseOutputItem): void;
}

export interface Place {
  readonly index: number;
  readonly id: string;
}
