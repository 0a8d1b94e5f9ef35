import { EventFrames } from '../models/wire/event-frames.ts';

/** A stream of events whose data is JSON, as the one JSON array that Google sends without `alt=sse`; each value stays as it came. */
export async function* asJsonArray(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
  const frames = new EventFrames();
  let begun = false;
  for await (const chunk of chunks) {
    let text = '';
    for (const event of frames.push(chunk)) {
      const data = dataOf(event.toString());
      if (data === '') continue;
      text += (begun ? ',\r\n' : '[') + data;
      begun = true;
    }
    if (text !== '') yield text;
  }
  yield begun ? ']' : '[]';
}

function dataOf(event: string): string {
  const lines = event.split(/\r\n|\r|\n/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length).trim()).join('\n');
}
