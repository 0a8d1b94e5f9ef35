/**
 * The two forms of a stream: events with `alt=sse`, else one JSON array whose elements come one by one
 * (https://ai.google.dev/api/generate-content, `streamGenerateContent`).
 */
export interface Frames {
  /** One `GenerateContentResponse` of the stream. */
  chunk(value: object): string;
  /** The last one. */
  last(value: object): string;
}

export function eventFrames(): Frames {
  const event = (value: object) => `data: ${JSON.stringify(value)}\r\n\r\n`;
  return { chunk: event, last: event };
}

export function arrayFrames(): Frames {
  let begun = false;
  const element = (value: object) => {
    const text = `${begun ? ',\r\n' : '['}${JSON.stringify(value)}`;
    begun = true;
    return text;
  };
  return { chunk: element, last: (value) => `${element(value)}]` };
}
