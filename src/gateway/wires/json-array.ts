import { EventFrames, fieldsOf } from '../upstream/event-frames.ts';

/**
 * A stream of events whose data is JSON, as the one JSON array that Google sends without `alt=sse`; each value stays as it came.
 */
export class JsonArray {
  #begun = false;

  async *from(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
    const frames = new EventFrames();
    for await (const chunk of chunks) {
      let text = '';
      for (const event of frames.push(chunk)) {
        const data = fieldsOf(event.toString()).data.trim();
        if (data !== '') text += this.#element(data);
      }
      if (text !== '') yield text;
    }
    yield this.#begun ? ']' : '[]';
  }

  /** A last element after which nothing comes. */
  end(value: object): string {
    return `${this.#element(JSON.stringify(value))}]`;
  }

  #element(json: string): string {
    const text = (this.#begun ? ',\r\n' : '[') + json;
    this.#begun = true;
    return text;
  }
}
