/** Maximum size of a reply, in bytes. */
export const maxReplyBytes = 4 * 1024 * 1024;

/** A reply whose body ends with an error when it grows too large. */
export function bounded(response: Response): Response {
  if (!response.body) return response;
  let size = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > maxReplyBytes) controller.error(new Error('The reply is larger than 4 MiB.'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bound), {
    status,
    statusText,
    headers: Object.fromEntries(headers),
  });
}
