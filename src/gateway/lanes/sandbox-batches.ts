import type { Queue } from '../../background/jobs/queue/queue.ts';
import type { Db, Finish, HeldTask, Task } from '../../background/jobs/queue/task.ts';
import type { BatchKey, BatchOwner, OpenBatches } from '../../background/vendor-objects/open-batches.ts';
import type { KeptObject } from '../../background/vendor-objects/vendor-objects.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { WireCall } from '../../contract/wire-operations.ts';
import { type Repeated, repeat } from '../../lib/timers.ts';
import { sandboxId } from '../../model/usage.ts';
import type { Caller } from '../../tenants/accounts/caller.ts';
import {
  type BatchEnding,
  type BatchLine,
  type BatchProblem,
  type BatchRequestParts,
  batchEndpoints,
  isOver,
  linesOf,
  notCarriedOut,
  runBatch,
} from './batch-run.ts';
import { hasRoom, putFile } from './sandbox-files.ts';
import { batchKeepMs, newBatchId, newFileId, type VendorObject } from './vendor-files.ts';
import type { WireContext } from './wire-context.ts';

export interface BatchesParts extends BatchRequestParts {
  readonly open: OpenBatches;
  readonly queue: Pick<Queue, 'handle' | 'add' | 'kick'>;
  /** The present rights of an earlier caller; null: its key is no longer valid. */
  readonly callerAgain: (was: BatchOwner & { readonly tenantId: string }) => Promise<Caller | null>;
  /** Called with the errors of background work. */
  readonly onError: (error: unknown) => void;
}

const batchTask = 'batch';
/** How many batches a process carries out at a time, and how many of one tenant are carried out at a time anywhere. */
const concurrency = 4;
const perTenant = 2;
/** A batch that cannot be carried out at the moment is tried again until it expires. */
const maxAttempts = 1000;
/** The time within which a batch is carried out, in seconds. */
const windowS = 86_400;
/** How often those are sought that should have ended for so long, as their task was lost, both in milliseconds. */
const sweepMs = 600_000;
const overdueMs = 600_000;

/**
 * Batches of files that the sandbox keeps. Each is a task in the queue: the process that takes it carries it out, and if
 * that one ends, another continues.
 */
export class SandboxBatches {
  readonly #parts: BatchesParts;
  readonly #sweeping: Repeated;

  constructor(parts: BatchesParts) {
    this.#parts = parts;
    const run = (task: HeldTask, signal: AbortSignal) =>
      this.#run(task.payload as unknown as BatchKey, signal);
    parts.queue.handle({ name: batchTask, concurrency, perGroup: perTenant, maxAttempts, run });
    this.#sweeping = repeat(sweepMs, () => this.sweep(), parts.onError);
  }

  /** The queue ends what is carried out. */
  async close(): Promise<void> {
    await this.#sweeping.stop();
  }

  /**
   * Has those end whose time is long over: their task may lie in a queue that no server has any more. They ask nothing then, so
   * nothing happens twice.
   */
  async sweep(): Promise<void> {
    const { objects, open, queue } = this.#parts;
    const overdue = await open.olderThan(objects.now - windowS * 1000 - overdueMs);
    if (overdue.length > 0) await queue.add(overdue.map(taskOf));
  }

  /** Begins a batch. Throws `ServiceError` for an endpoint that batches are not made of. */
  async begin(input: KeptObject, { body }: WireCall, context: WireContext): Promise<VendorObject> {
    const { objects, open, queue } = this.#parts;
    const { tenantId, keyId, scopes } = context.caller;
    const endpoint = String(body['endpoint']);
    if (!Object.hasOwn(batchEndpoints, endpoint)) {
      const message = `endpoint must be one of ${Object.keys(batchEndpoints).join(', ')}.`;
      throw new ServiceError('invalid_request', message, { param: 'endpoint' });
    }
    const id = newBatchId();
    const createdAt = seconds(objects.now);
    const data = {
      id,
      object: 'batch',
      endpoint,
      errors: null,
      input_file_id: input.id,
      completion_window: body['completion_window'],
      status: 'validating',
      output_file_id: null,
      error_file_id: null,
      created_at: createdAt,
      expires_at: createdAt + windowS,
      request_counts: { total: 0, completed: 0, failed: 0 },
      metadata: body['metadata'] ?? null,
    };
    const object = { provider: sandboxId, model: null, vendorId: id, data, counted: true };
    const owner = { keyId, scopes, tagsHeader: context.tagsHeader || null };
    const task = taskOf({ tenantId, id });
    await open.begin({ tenantId, kind: 'batch', id, ...object, keepMs: batchKeepMs }, owner, (db) =>
      queue.add([task], db),
    );
    queue.kick(batchTask);
    return data;
  }

  /** Batches as they are now: of those that are carried out, with what is answered so far. */
  async now(tenantId: string, batches: readonly VendorObject[]): Promise<readonly VendorObject[]> {
    const running = batches.filter((batch) => !isOver(batch)).map(({ id }) => id);
    const counts = await this.#parts.open.counts(tenantId, running);
    return batches.map((batch) => {
      const done = isOver(batch) ? undefined : counts.get(batch.id);
      return done ? { ...batch, request_counts: { ...totalOf(batch), ...done } } : batch;
    });
  }

  /** Cancels a batch: at once where it has not begun, else when the requests that are under way have ended. */
  async cancel(kept: KeptObject): Promise<VendorObject> {
    const { objects } = this.#parts;
    const at = seconds(objects.now);
    const changed = await this.#change(kept, (batch) => {
      if (batch['status'] === 'validating')
        return { ...batch, status: 'cancelled', cancelling_at: at, cancelled_at: at };
      return batch['status'] === 'in_progress' ? { ...batch, status: 'cancelling', cancelling_at: at } : null;
    });
    const [now] = await this.now(kept.tenantId, [changed]);
    return now ?? changed;
  }

  async #run(key: BatchKey, signal: AbortSignal): Promise<Finish> {
    const { open, objects } = this.#parts;
    const owner = await open.owner(key);
    const kept = await objects.find({ ...key, kind: 'batch' });
    if (owner === null || kept === null || isOver(kept.data as VendorObject))
      return (db) => open.end(key, db);
    const { lines, ending } = await this.#carryOut(kept, owner, signal);
    return (db) => this.#end(key, lines, ending, db);
  }

  async #carryOut(
    kept: KeptObject,
    owner: BatchOwner,
    signal: AbortSignal,
  ): Promise<{ readonly lines: readonly BatchLine[]; readonly ending: BatchEnding }> {
    const { open, objects } = this.#parts;
    const { tenantId, id } = kept;
    const { endpoint, input_file_id: inputId } = kept.data as VendorObject;
    const bytes = await objects.content(tenantId, String(inputId));
    if (bytes === null)
      return { lines: [], ending: failed('file_not_found', 'The file of the batch is there no more.') };
    const { lines, problems } = linesOf(Buffer.from(bytes).toString(), String(endpoint));
    if (problems.length > 0) return { lines: [], ending: { status: 'failed', problems } };
    const look = async () => this.#look(kept, owner);
    const first = await look();
    if (!('caller' in first)) return { lines, ending: first };
    // Before anything is spent: answers are kept in any case.
    if (!(await hasRoom(objects, tenantId))) {
      const message = 'The sandbox keeps at most 64 MiB for a tenant, which are full; delete files first.';
      return { lines, ending: failed('no_room', message) };
    }
    await this.#change(kept, (batch) =>
      batch['status'] === 'validating'
        ? {
            ...batch,
            status: 'in_progress',
            in_progress_at: seconds(objects.now),
            request_counts: { total: lines.length, completed: 0, failed: 0 },
          }
        : null,
    );
    const operation = batchEndpoints[String(endpoint)];
    if (operation === undefined) throw new Error(`There is no endpoint ${String(endpoint)}.`);
    const run = { key: { tenantId, id }, owner, operation, lines, open, look };
    return { lines, ending: await runBatch(this.#parts, run, signal) };
  }

  async #look(kept: KeptObject, owner: BatchOwner): Promise<{ readonly caller: Caller } | BatchEnding> {
    const { objects, callerAgain } = this.#parts;
    const now = await objects.find(kept);
    const { status, expires_at: expiresAt } = (now?.data ?? {}) as VendorObject;
    if (status !== 'validating' && status !== 'in_progress') return { status: 'cancelled' };
    if (seconds(objects.now) >= Number(expiresAt)) return { status: 'expired' };
    const caller = await callerAgain({ tenantId: kept.tenantId, ...owner });
    return caller === null
      ? failed(
          'invalid_api_key',
          'The key that made the batch, or its tenant, may make no requests any more.',
        )
      : { caller };
  }

  /** Makes files of the answers, and writes down how the batch has ended: in one transaction with the end of its task. */
  async #end(key: BatchKey, lines: readonly BatchLine[], ending: BatchEnding, db: Db): Promise<void> {
    const { open, objects } = this.#parts;
    const { tenantId, id } = key;
    const kept = await objects.find({ ...key, kind: 'batch' }, db);
    if (kept === null || isOver(kept.data as VendorObject)) return open.end(key, db);
    const answers = await open.answers(key, db);
    const texts = (ok: boolean) => answers.filter((answer) => answer.ok === ok).map(({ text }) => text);
    const [good, bad] = [texts(true), texts(false)];
    if (ending.status === 'expired') {
      const answered = new Set(answers.map(({ line }) => line));
      const message = 'This request could not be carried out before the completion window had passed.';
      for (const [index, line] of lines.entries())
        if (!answered.has(index)) bad.push(notCarriedOut(line, 'batch_expired', message));
    }
    const keep = async (texts: readonly string[], kind: 'output' | 'error') => {
      if (texts.length === 0) return null;
      const file = { id: newFileId(), filename: `${id}_${kind}.jsonl`, purpose: 'batch_output' };
      const bytes = Buffer.from(`${texts.join('\n')}\n`);
      return (await putFile(objects, tenantId, { ...file, keepMs: batchKeepMs, bytes }, db)).id;
    };
    const files = {
      output_file_id: await keep(good, 'output'),
      error_file_id: await keep(bad, 'error'),
      request_counts: { total: lines.length, completed: good.length, failed: bad.length },
    };
    await this.#change(
      kept,
      (batch) => {
        // It was cancelled when its last requests were under way.
        const status = batch['status'] === 'cancelling' ? 'cancelled' : ending.status;
        const errors = ending.status === 'failed' ? { object: 'list', data: ending.problems } : null;
        return isOver(batch)
          ? null
          : { ...batch, ...files, errors, status, [`${status}_at`]: seconds(objects.now) };
      },
      db,
    );
    await open.end(key, db);
  }

  /** Changes a batch as it is now, whoever else does so. @param next null: it stays */
  async #change(
    kept: KeptObject,
    next: (batch: VendorObject) => VendorObject | null,
    db?: Db,
  ): Promise<VendorObject> {
    const { objects } = this.#parts;
    for (let now: KeptObject | null = kept; now !== null; now = await objects.find(kept, db)) {
      const batch = now.data as VendorObject;
      const changed = next(batch);
      if (changed === null) return batch;
      if (await objects.replace(now, changed, db)) return changed;
    }
    throw new ServiceError('not_found', `No batch found with id '${kept.id}'.`, { param: 'id' });
  }
}

function taskOf({ tenantId, id }: BatchKey): Task {
  return { name: batchTask, payload: { tenantId, id }, key: id, group: tenantId };
}

function totalOf({ request_counts: counts }: VendorObject): object {
  return (counts ?? {}) as object;
}

function failed(code: string, message: string): BatchEnding {
  const problem: BatchProblem = { code, line: null, message, param: null };
  return { status: 'failed', problems: [problem] };
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
