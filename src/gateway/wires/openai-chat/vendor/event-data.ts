export interface EventData {
  readonly data: string;
  /** What `event:` says; null where nothing does. */
  readonly type: string | null;
}

/**
 * The data of one event of a stream, its lines joined
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation).
 */
export function eventData(event: string): EventData {
  // Nearly every event is one line.
  if (!/[\r\n]/.test(event)) return { data: fieldOf(event, 'data:') ?? '', type: null };
  let type: string | null = null;
  const lines: string[] = [];
  for (const line of event.split(/\r\n|\n|\r/)) {
    const data = fieldOf(line, 'data:');
    if (data === null) type = fieldOf(line, 'event:') ?? type;
    else lines.push(data);
  }
  return { data: lines.join('\n'), type };
}

/** What follows the name of a field, without one space; null for another field. */
function fieldOf(line: string, name: string): string | null {
  if (!line.startsWith(name)) return null;
  return line.slice(line[name.length] === ' ' ? name.length + 1 : name.length);
}
