/** An event as OpenAI writes those of pictures, with its name in front. */
export function namedEvent<Event extends { readonly type: string }>(event: Event): string {
  return `event: ${event.type}\n${dataEvent(event)}`;
}

/** An event as OpenAI writes those of sound and of transcripts. */
export function dataEvent<Event extends { readonly type: string }>(event: Event): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
