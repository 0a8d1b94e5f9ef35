import type { ThinkingPart } from '../../../../model/parts.ts';
import type { Output, Place } from './event-writer.ts';
import { reasoningItem } from './items.ts';

/** Writes thinking as items of reasoning, each with one summary of what may be shown. */
export class ReasoningWriter {
  readonly #output: Output;
  #place: Place | null = null;
  #text = '';

  constructor(output: Output) {
    this.#output = output;
  }

  delta(delta: string): string {
    if (delta === '') return '';
    const { events } = this.#output;
    let written = '';
    if (this.#place && this.#text === '') written = this.#summaryAdded(this.#place);
    if (!this.#place) {
      this.#place = this.#output.open('rs');
      written = this.#added(this.#place) + this.#summaryAdded(this.#place);
    }
    this.#text += delta;
    return (
      written +
      events.event('response.reasoning_summary_text.delta', { ...this.#summary(this.#place), delta })
    );
  }

  /** The stretch of thinking is complete. */
  whole(part: ThinkingPart): string {
    const shown = this.#text === '' ? this.delta(part.text) : '';
    if (this.#place) return shown + this.#end(this.#place, part);
    if (!part.sealed) return shown;
    this.#place = this.#output.open('rs');
    return this.#added(this.#place) + this.#end(this.#place, part);
  }

  /** Ends thinking that its vendor has not ended. */
  end(): string {
    return this.#place ? this.#end(this.#place, { sealed: null }) : '';
  }

  #added(place: Place): string {
    return this.#output.added(place, reasoningItem(place.id, { text: '', sealed: null }, 'in_progress'));
  }

  #summaryAdded(place: Place): string {
    const part = { type: 'summary_text', text: '' } as const;
    return this.#output.events.event('response.reasoning_summary_part.added', {
      ...this.#summary(place),
      part,
    });
  }

  #end(place: Place, { sealed }: Pick<ThinkingPart, 'sealed'>): string {
    const { events } = this.#output;
    const text = this.#text;
    const at = this.#summary(place);
    const item = reasoningItem(place.id, { text, sealed }, 'completed');
    this.#place = null;
    this.#text = '';
    const summaryDone =
      text === ''
        ? ''
        : events.event('response.reasoning_summary_text.done', { ...at, text }) +
          events.event('response.reasoning_summary_part.done', {
            ...at,
            part: { type: 'summary_text', text },
          });
    return summaryDone + this.#output.done(place, item);
  }

  #summary({ index, id }: Place) {
    return { item_id: id, output_index: index, summary_index: 0 };
  }
}
