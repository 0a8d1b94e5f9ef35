import type { Citation } from '../../../../model/parts.ts';
import type { Output, Place } from './event-writer.ts';
import {
  type Annotation,
  annotationOf,
  type MessageContent,
  messageItem,
  refusalContent,
  textContent,
} from './items.ts';

interface OpenPart {
  readonly type: 'output_text' | 'refusal';
  text: string;
  readonly annotations: Annotation[];
}

/** Writes the texts and refusals of an answer as messages: those that follow each other are one. */
export class MessageWriter {
  readonly #output: Output;
  #place: Place | null = null;
  #content: MessageContent[] = [];
  #part: OpenPart | null = null;
  #refused = false;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Whether the model has refused in words. */
  get refused(): boolean {
    return this.#refused;
  }

  text(delta: string): string {
    if (delta === '') return '';
    const before = this.#open('output_text');
    const { part, at } = this.#current();
    part.text += delta;
    return before + this.#output.events.event('response.output_text.delta', { ...at, delta, logprobs: [] });
  }

  refusal(delta: string): string {
    if (delta === '') return '';
    this.#refused = true;
    const before = this.#open('refusal');
    const { part, at } = this.#current();
    part.text += delta;
    return before + this.#output.events.event('response.refusal.delta', { ...at, delta });
  }

  citation(citation: Citation): string {
    if (citation.url === undefined) return '';
    let events = this.#open('output_text');
    const { part, at } = this.#current();
    for (const annotation of annotationOf(citation, part.text.length)) {
      const annotation_index = part.annotations.push(annotation) - 1;
      const fields = { ...at, annotation_index, annotation };
      events += this.#output.events.event('response.output_text.annotation.added', fields);
    }
    return events;
  }

  /** Ends the message that is being written, if there is one. */
  end(complete: boolean): string {
    const place = this.#place;
    if (!place) return '';
    const events = this.#endPart();
    const item = messageItem(place.id, this.#content, complete ? 'completed' : 'incomplete');
    this.#place = null;
    this.#content = [];
    return events + this.#output.done(place, item);
  }

  #open(type: OpenPart['type']): string {
    if (this.#part?.type === type) return '';
    const { events } = this.#output;
    let written = this.#endPart();
    if (!this.#place) {
      this.#place = this.#output.open('msg');
      written += this.#output.added(this.#place, messageItem(this.#place.id, [], 'in_progress'));
    }
    this.#part = { type, text: '', annotations: [] };
    const part = contentOf(this.#part);
    return written + events.event('response.content_part.added', { ...this.#current().at, part });
  }

  #endPart(): string {
    const open = this.#part;
    if (!open) return '';
    const { events } = this.#output;
    const { at } = this.#current();
    const part = contentOf(open);
    const done =
      part.type === 'output_text'
        ? events.event('response.output_text.done', { ...at, text: part.text, logprobs: [] })
        : events.event('response.refusal.done', { ...at, refusal: part.refusal });
    this.#content.push(part);
    this.#part = null;
    return done + events.event('response.content_part.done', { ...at, part });
  }

  #current() {
    const [place, part] = [this.#place, this.#part];
    if (!place || !part) throw new Error('No part of a message is open.');
    const at = { item_id: place.id, output_index: place.index, content_index: this.#content.length };
    return { part, at };
  }
}

function contentOf({ type, text, annotations }: OpenPart): MessageContent {
  return type === 'refusal' ? refusalContent(text) : textContent(text, annotations);
}
