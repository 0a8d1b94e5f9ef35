/** A job that this process carries out. */
export interface Work {
  /** Resolves when nothing more is done for it here; never rejects. */
  readonly done: Promise<unknown>;
  /** Ends it as the reason says. */
  stop(reason: unknown): void;
}

interface LocalJobsParts<Row> {
  /** The unfinished jobs in the database. */
  readonly table: {
    toCancel(instanceId: string): Promise<readonly string[]>;
    heldBy(instanceId: string): Promise<readonly Row[]>;
    lost(instanceId: string): Promise<readonly Row[]>;
  };
  /** This process among those on the database. */
  readonly instanceId: string;
  /** The reason that stops a cancelled job. */
  readonly cancelled: unknown;
  /**
   * Ends a job that no process carries out, or lets it begin again, unless its row has changed meanwhile.
   * @param gone whether its process is dead; if not, it is one of this process
   */
  readonly takeBack: (row: Row, gone: boolean) => Promise<void>;
  /** Called with a job that could not be taken back; the next `recover` tries again. Must not throw. */
  readonly onError: (error: unknown, id: string) => void;
}

/**
 * The jobs that this process carries out, and the recovery of abandoned ones: those of dead processes, and its own that it
 * does not know of, as the database can fail between a write and its answer.
 */
export class LocalJobs<Row extends { readonly id: string }, Local extends Work> {
  readonly #parts: LocalJobsParts<Row>;
  readonly #jobs = new Map<string, Local>();
  /** Jobs whose beginning is being written; they do not run yet. */
  readonly #beginning = new Set<string>();
  #recovering: Promise<void> | null = null;

  constructor(parts: LocalJobsParts<Row>) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#jobs.size;
  }

  /** How many there are with those whose beginning is still being written. */
  get sizeWithBeginning(): number {
    return this.#jobs.size + this.#beginning.size;
  }

  get(id: string): Local | undefined {
    return this.#jobs.get(id);
  }

  all(): Local[] {
    return [...this.#jobs.values()];
  }

  /** To be called before it is written that this process carries a job out; `start` or `abandon` has to follow. */
  expect(id: string): void {
    this.#beginning.add(id);
  }

  /** The job will not be carried out here. `recover` takes back its row, written now or in a moment. */
  abandon(id: string): void {
    this.#beginning.delete(id);
  }

  start(id: string, job: Local): void {
    this.#jobs.set(id, job);
    this.#beginning.delete(id);
  }

  /** Forgets a job that is over, or of which nothing more is done here; unless another of its id has taken its place. */
  end(id: string, job: Local): void {
    if (this.#jobs.get(id) === job) this.#jobs.delete(id);
  }

  /** Cancels what was cancelled through other processes. */
  async stopCancelled(): Promise<void> {
    if (this.#jobs.size === 0) return;
    const { table, instanceId, cancelled } = this.#parts;
    for (const id of await table.toCancel(instanceId)) this.#jobs.get(id)?.stop(cancelled);
  }

  /** Takes back the jobs that no process carries out. */
  recover(): Promise<void> {
    this.#recovering ??= this.#recover().finally(() => {
      this.#recovering = null;
    });
    return this.#recovering;
  }

  /** Stops all jobs and waits until nothing more is done for them. */
  async stop(reason: unknown): Promise<void> {
    for (const job of this.all()) job.stop(reason);
    await Promise.all(this.all().map(({ done }) => done));
  }

  async #recover(): Promise<void> {
    const { table, instanceId } = this.#parts;
    for (const row of await table.lost(instanceId)) await this.#takeBack(row, true);
    for (const row of await table.heldBy(instanceId)) {
      if (!this.#jobs.has(row.id) && !this.#beginning.has(row.id)) await this.#takeBack(row, false);
    }
  }

  /** One job for which this always fails must not keep it from all others. */
  async #takeBack(row: Row, gone: boolean): Promise<void> {
    try {
      await this.#parts.takeBack(row, gone);
    } catch (error) {
      this.#parts.onError(error, row.id);
    }
  }
}
