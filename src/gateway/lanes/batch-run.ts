import type { BatchOwner, OpenBatches } from '../../background/vendor-objects/open-batches.ts';
import type { WireOperationId } from '../../contract/wire-operations.ts';
import { sleep } from '../../lib/timers.ts';
import type { Caller } from '../../tenants/accounts/caller.ts';
import type { BatchLine, BatchProblem } from './batch-lines.ts';
import { type BatchRequestParts, carryOut } from './batch-request.ts';
import type { VendorObject } from './vendor-files.ts';

/** How many requests of a batch run at once. */
const atOnce = 4;
/** How often a request that waits for a limit looks whether its batch still goes on, in milliseconds. */
const lookMs = 1000;

/** How a batch ends. */
export type BatchEnding =
  | { readonly status: 'completed' | 'cancelled' | 'expired' }
  | { readonly status: 'failed'; readonly problems: readonly BatchProblem[] };

export interface BatchRun {
  readonly key: { readonly tenantId: string; readonly id: string };
  readonly owner: BatchOwner;
  readonly operation: WireOperationId;
  readonly lines: readonly BatchLine[];
  readonly open: OpenBatches;
  /** The batch as it is now, and whose requests it makes; or how it ends, as it was cancelled, say. */
  readonly look: () => Promise<{ readonly caller: Caller } | BatchEnding>;
}

/**
 * Carries out the requests of a batch that are not answered yet, each in the place of the key that made the batch. An answer is kept
 * as soon as it has come, and is not asked for again; a request that was under way when its process ended is, and both are in the
 * ledger. Rejects with the signal's reason, and where the database cannot be used.
 */
export async function runBatch(
  parts: BatchRequestParts,
  { key, owner, operation, lines, open, look }: BatchRun,
  stop: AbortSignal,
): Promise<BatchEnding> {
  const answered = await open.answered(key);
  const left = lines.map((_, index) => index).filter((index) => !answered.has(index));
  const failed = new AbortController();
  const signal = AbortSignal.any([stop, failed.signal]);
  let ending: BatchEnding | null = null;
  const callerNow = async (): Promise<Caller | null> => {
    if (ending !== null) return null;
    signal.throwIfAborted();
    const now = await look();
    if ('caller' in now) return now.caller;
    ending = now;
    return null;
  };
  const answer = async (index: number): Promise<void> => {
    for (let caller = await callerNow(); caller !== null; caller = await callerNow()) {
      const line = lines[index] as BatchLine;
      const { tagsHeader } = owner;
      const outcome = await carryOut(parts, { operation, line, caller, tagsHeader, signal });
      if ('text' in outcome) return open.answer(key, { line: index, ...outcome });
      for (let { waitMs } = outcome; waitMs > 0 && (await callerNow()) !== null; waitMs -= lookMs)
        await sleep(Math.min(waitMs, lookMs), signal);
    }
  };
  const worker = async () => {
    try {
      for (let index = left.shift(); index !== undefined && ending === null; index = left.shift())
        await answer(index);
    } catch (thrown) {
      // What the others are at is asked again with the rest.
      failed.abort(thrown);
      throw thrown;
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  signal.throwIfAborted();
  for (const one of workers) if (one.status === 'rejected') throw one.reason;
  return ending ?? { status: 'completed' };
}

const over = new Set(['completed', 'failed', 'cancelled', 'expired']);

/** Whether a batch has ended. */
export function isOver({ status }: VendorObject): boolean {
  return over.has(String(status));
}
