import type { AgentRun, AgentRunEvent } from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { AgentRunRow } from '../../store/schema.ts';
import { cancelled, type LiveRun } from './live-run.ts';
import { runOnWire } from './on-wire.ts';
import type { RunKey } from './run-store.ts';
import type { Runs } from './runs.ts';

/** A run that has begun, for the client that has asked for it. */
export interface StartedRun {
  readonly key: RunKey;
  /** Its record at its beginning. */
  readonly record: AgentRun;
  /**
   * Its events, for the one who asked for them in place of the record: the run is stopped when nobody takes them any more.
   * @param signal the one that the run was begun with
   */
  events(signal: AbortSignal): AsyncIterable<AgentRunEvent>;
  /** Its record when it is over. Throws `StoreError` where its end could not be written, nor its record be read. */
  ended(): Promise<AgentRun>;
}

/** @param row as it was written when the run began */
export function startedRun(runs: Runs, run: LiveRun, row: AgentRunRow): StartedRun {
  const key = { tenantId: row.tenant_id, agentId: row.agent_id, id: row.id };
  return {
    key,
    record: runOnWire(row, []),
    events: (signal) => stoppedWithItsReader(run, runs.follow(row, 0, afterItsEnd(run, signal))),
    ended: async () => (await run.done) ?? runs.record(key),
  };
}

/** A failure is passed on when the run is settled. */
async function* stoppedWithItsReader(
  run: LiveRun,
  events: AsyncIterable<AgentRunEvent>,
): AsyncGenerator<AgentRunEvent> {
  let reason: unknown = cancelled;
  try {
    yield* events;
  } catch (thrown) {
    reason = thrown;
    throw thrown;
  } finally {
    // After its end this does nothing.
    run.stop(reason);
    await run.done;
  }
}

/**
 * Aborted as the signal is; but where the reader is to be told why, the run ends by it too, and the reader is told that end:
 * then it is aborted only after the run.
 */
function afterItsEnd(run: LiveRun, signal: AbortSignal): AbortSignal {
  const reader = new AbortController();
  const abort = async () => {
    if (signal.reason instanceof ServiceError) await run.done;
    reader.abort(signal.reason);
  };
  if (signal.aborted) void abort();
  else signal.addEventListener('abort', () => void abort(), { once: true });
  return reader.signal;
}
