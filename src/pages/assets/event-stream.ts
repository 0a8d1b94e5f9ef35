/**
 * The data of each Server-Sent Event of a body
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation): lines end with LF, CRLF or
 * CR and may be cut anywhere between two chunks; an event that its blank line does not end was cut on the way and is left out.
 * The end of the body, an aborted signal and a long silence all end it; an error of the connection is thrown.
 * @param options after how much silence the connection counts as lost
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { silenceMs, signal }: { silenceMs: number; signal: AbortSignal },
): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const giveUp = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', giveUp);
  let silence = setTimeout(giveUp, silenceMs);
  const lines = lineReader();
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(giveUp, silenceMs);
      for (const line of lines(value)) {
        if (line === '' && data.length > 0) {
          yield data.join('\n');
          data = [];
        } else if (line === 'data' || line.startsWith('data:')) {
          data.push(line.slice(5).replace(/^ /, ''));
        }
      }
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', giveUp);
    giveUp();
  }
}

/** @returns the lines that a chunk completes */
function lineReader(): (chunk: Uint8Array) => string[] {
  const decoder = new TextDecoder();
  let rest = '';
  let afterCarriageReturn = false;
  return (chunk) => {
    let text = decoder.decode(chunk, { stream: true });
    if (text === '') return [];
    // The second half of a CRLF whose first half ended the line already.
    if (afterCarriageReturn && text.startsWith('\n')) text = text.slice(1);
    afterCarriageReturn = text.endsWith('\r') || (afterCarriageReturn && text === '');
    const lines = (rest + text).split(/\r\n|\r|\n/);
    rest = lines.pop() ?? '';
    return lines;
  };
}
