import type { VendorRequest } from './vendor-request.ts';

const whiteSpace: ReadonlySet<number> = new Set(Buffer.from('\ufeff \t\r\n'));

/** What no line of an event stream begins with: a JSON object or list, and a page of HTML. */
const whole: ReadonlySet<number> = new Set(Buffer.from('{[<'));

/**
 * Whether the reply to a request for a stream is one whole value. What it begins with tells; its label does where there is nothing
 * else yet: some vendors and proxies label streams as JSON, and whole replies as streams.
 */
export async function isWhole(sent: VendorRequest): Promise<boolean> {
  const first = await sent.peek(whiteSpace);
  if (first !== null) return whole.has(first);
  return /^(?:text\/html|application\/json)\b/i.test(String(sent.headers['content-type'] ?? ''));
}
