import { EventFrames, fieldsOf } from '../upstream/event-frames.ts';
import { arrayFrames } from './gemini/client/errors.ts';

/**
 * A stream of events whose data is JSON, as the one JSON array that Google sends without `alt=sse`; each value stays as it came.
 */
export class JsonArray {
  readonly #frames = arrayFrames();

  async *from(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
    const frames = new EventFrames();
    for await (const chunk of chunks) {
      let text = '';
      for (const event of frames.push(chunk)) {
        const data = fieldsOf(event.toString()).data.trim();
        if (data !== '') text += this.#frames.element(data);
      }
      if (text !== '') yield text;
    }
    yield this.#frames.end();
  }

  /** A last element after which nothing comes. */
  end(value: object): string {
    return this.#frames.last(value);
  }
}
