/** The text of a reply as far as it comes: a connection may break off after it. */
export async function textUntilItEnds(
  reply: Response,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const piece of reply.body ?? []) text += decoder.decode(piece as Uint8Array, { stream: true });
    return { text, whole: true };
  } catch {
    return { text, whole: false };
  }
}
