export interface ReadBody {
  readonly text: string;
  /** Whether the connection ended it in good order. */
  readonly whole: boolean;
}

/** The text of a body as far as it comes: its connection may break off. */
export async function textUntilItEnds(body: AsyncIterable<unknown>): Promise<ReadBody> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const piece of body) text += decoder.decode(piece as Uint8Array, { stream: true });
    return { text, whole: true };
  } catch {
    return { text, whole: false };
  }
}
