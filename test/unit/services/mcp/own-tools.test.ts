import { expect, test } from 'vitest';
import type { OfferContext } from '../../../../src/services/mcp/offer.ts';
import { checkedOffer } from '../../../../src/services/mcp/own-tools.ts';

const tool = { name: 'slow', inputSchema: { type: 'object' as const } };
const context = (signal: AbortSignal) => ({ signal }) as OfferContext;

test('a tool of our own is held to its time, and ends at its client’s wish as the client says', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const hangs = checkedOffer({
    tool,
    maxMs: 20,
    call: (_, { signal }) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => {
        if (signal?.aborted) reject(signal.reason);
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    },
  });
  await expect(hangs.call({}, context(new AbortController().signal))).rejects.toThrow(
    'The tool took longer than 0.02 seconds.',
  );
  expect(signals[0]?.aborted).toBe(true);
  const gone = new AbortController();
  const call = checkedOffer({ ...hangs, maxMs: 600_000 }).call({}, context(gone.signal));
  gone.abort(new Error('gone'));
  await expect(call).rejects.toThrow('gone');
});
