/**
 * Starts the processes of one server and keeps them running. It takes no requests and holds no data, and loads nothing of the
 * server, so that it stays small and has little to fail by. The first process starts alone: a wrong setting is reported
 * once, and the database is made by one. Where the system does not spread connections itself (`http/doors.ts`),
 * `node:cluster` does.
 */
import cluster, { type Worker } from 'node:cluster';
import { getHeapStatistics } from 'node:v8';
import { memoryLimit, withHeapBound } from '../../lib/capacity.ts';
import type { Figures } from '../../observe/joint-metrics.ts';
import { argumentOf, type FromWorker, type StopSignal, type ToWorker } from './place.ts';

/** Pause before a process that has ended is restarted, in milliseconds. It doubles with each end before it was ready. */
const minPauseMs = 500;
const maxPauseMs = 30_000;
/** After so many ends in a row, none of them ready, all are stopped. */
const patience = 5;
/** Who has been ready for so long ended by something else than its start, in milliseconds. */
const settledMs = 60_000;

/** One place among the processes, which restarts fill again. */
interface Seat {
  readonly number: number;
  worker: Worker | null;
  readyAt: number | null;
  /** Ends in a row, each soon after its start, and how many of them were before it was ready. */
  ends: number;
  unready: number;
  /** Whether SIGHUP came before it was ready. */
  hangUp: boolean;
  pause: NodeJS.Timeout | undefined;
}

export class Supervisor {
  readonly #script: string;
  readonly #execArgv: string[];
  readonly #seats: readonly Seat[];
  readonly #scrapes = new Scrapes();
  #port: number | null = null;
  #stopping: StopSignal | null = null;
  #exitCode = 0;

  /** @param script what each process runs. @param count how many there are, from 2 */
  constructor(script: string, count: number) {
    this.#script = script;
    const heap = getHeapStatistics().heap_size_limit;
    this.#execArgv = [...withHeapBound(process.execArgv, heap, memoryLimit() / count)];
    this.#seats = Array.from({ length: count }, (_, index) => ({
      number: index + 1,
      worker: null,
      readyAt: null,
      ends: 0,
      unready: 0,
      hangUp: false,
      pause: undefined,
    }));
  }

  /** Starts all and returns; the process ends when they have. */
  run(): void {
    process.on('SIGTERM', () => this.#stop('SIGTERM'));
    process.on('SIGINT', () => this.#stop('SIGINT'));
    process.on('SIGHUP', () => this.#hangUp());
    const [first] = this.#seats;
    if (first) this.#start(first);
  }

  #start(seat: Seat): void {
    const { number } = seat;
    const place = argumentOf({ number, of: this.#seats.length, port: this.#port });
    cluster.setupPrimary({ exec: this.#script, args: [place], execArgv: this.#execArgv });
    const worker = cluster.fork();
    seat.worker = worker;
    seat.readyAt = null;
    seat.hangUp = false;
    worker.on('message', (message: FromWorker) => void this.#hear(seat, message));
    worker.on('exit', (code, signal) => this.#ended(seat, worker, code, signal));
    // It could not be started; one that has run ends with `exit`.
    worker.on('error', (error) => {
      console.error(`Process ${number} could not be started: ${error.message}`);
      if (worker.process.pid === undefined) this.#ended(seat, worker, 1, null);
    });
  }

  async #hear(seat: Seat, message: FromWorker): Promise<void> {
    if (message.kind === 'figures') this.#scrapes.answered(seat.number, message.id, message.figures);
    else if (message.kind === 'ready') this.#ready(seat, message.port);
    else if (message.kind === 'reload') this.#hangUp(seat);
    else {
      const { worker } = seat;
      const ready = this.#seats.filter(({ readyAt }) => readyAt !== null);
      const asked = ready.map((one) => ({
        number: one.number,
        ask: (id: number) => say(one.worker, { kind: 'scrape', id }),
      }));
      const all = await this.#scrapes.of(asked);
      say(worker, { kind: 'all-figures', id: message.id, all });
    }
  }

  #ready(seat: Seat, port: number): void {
    const isFirst = this.#port === null;
    this.#port = port;
    seat.readyAt = performance.now();
    seat.unready = 0;
    // Its configuration may be from before.
    if (seat.hangUp) seat.worker?.process.kill('SIGHUP');
    if (isFirst && this.#stopping === null) for (const each of this.#seats.slice(1)) this.#start(each);
  }

  #ended(seat: Seat, worker: Worker, code: number | null, signal: string | null): void {
    if (seat.worker !== worker) return;
    const { readyAt } = seat;
    seat.worker = null;
    seat.readyAt = null;
    this.#scrapes.ended(seat.number);
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
    if (this.#stopping !== null) {
      this.#exitCode = Math.max(this.#exitCode, code ?? 1);
      this.#leaveIfAllHave();
      return;
    }
    if (this.#port === null) {
      // It has said itself what is wrong, unless it had no time to.
      if (signal !== null) console.error(`The first process ended ${how} before it listened.`);
      process.exit(code ?? 1);
    }
    if (readyAt !== null && performance.now() - readyAt >= settledMs) seat.ends = 0;
    if (readyAt === null) seat.unready += 1;
    if (seat.unready === patience) {
      console.error(
        `Process ${seat.number} ended ${how}, for the ${patience}th time in a row before it was ready. All processes are stopped.`,
      );
      this.#exitCode = 1;
      this.#stop('SIGTERM');
      return;
    }
    const pauseMs = Math.min(maxPauseMs, minPauseMs * 2 ** seat.ends);
    seat.ends += 1;
    console.error(`Process ${seat.number} ended ${how}. Restarting in ${pauseMs / 1000} s.`);
    seat.pause = setTimeout(() => this.#start(seat), pauseMs);
  }

  #stop(signal: StopSignal): void {
    if (this.#stopping !== null) {
      // A second signal means: now.
      for (const { worker } of this.#seats) worker?.process.kill('SIGKILL');
      process.exit(1);
    }
    this.#stopping = signal;
    for (const seat of this.#seats) {
      clearTimeout(seat.pause);
      say(seat.worker, { kind: 'stop', signal });
    }
    this.#leaveIfAllHave();
  }

  #leaveIfAllHave(): void {
    if (this.#seats.every(({ worker }) => worker === null)) process.exit(this.#exitCode);
  }

  /** @param but who has read its configuration again already */
  #hangUp(but: Seat | null = null): void {
    for (const seat of this.#seats) {
      if (seat === but) continue;
      if (seat.readyAt === null) seat.hangUp = true;
      else seat.worker?.process.kill('SIGHUP');
    }
  }
}

/** A message to a process that has just ended is lost; its exit event follows. */
function say(worker: Worker | null, message: ToWorker): void {
  if (worker?.isConnected()) worker.send(message, () => undefined);
}

/** How long a process may take to give its figures, in milliseconds: a hanging process does not delay the answer further. */
const patienceMs = 2_000;

/** The request for a process's figures. */
export interface Asked {
  readonly number: number;
  ask(id: number): void;
}

interface Scrape {
  readonly answers: Map<number, Figures>;
  readonly wanted: number;
  readonly done: () => void;
}

/**
 * Collects the figures of all processes. The counts of an ended process stay in the sums, as far as they were collected,
 * since a falling sum would look like a restart.
 */
export class Scrapes {
  readonly #running = new Map<number, Scrape>();
  readonly #latest = new Map<number, Figures>();
  #ended: Promise<Figures> = Promise.resolve([]);
  #count = 0;

  async of(processes: readonly Asked[]): Promise<readonly Figures[]> {
    this.#count += 1;
    const id = this.#count;
    const answers = new Map<number, Figures>();
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, patienceMs);
      const done = () => {
        clearTimeout(late);
        resolve();
      };
      this.#running.set(id, { answers, wanted: processes.length, done });
      for (const one of processes) one.ask(id);
    });
    this.#running.delete(id);
    const ended = await this.#ended;
    return [ended, ...[...this.#latest].map(([number, latest]) => answers.get(number) ?? countsOf(latest))];
  }

  answered(number: number, id: number, figures: Figures): void {
    this.#latest.set(number, figures);
    const scrape = this.#running.get(id);
    if (!scrape) return;
    scrape.answers.set(number, figures);
    if (scrape.answers.size === scrape.wanted) scrape.done();
  }

  /** Keeps what a process has counted that is there no more. */
  ended(number: number): void {
    const latest = this.#latest.get(number);
    if (!latest) return;
    this.#latest.delete(number);
    this.#ended = this.#ended.then(async (before) => {
      const { joined } = await import('../../observe/joint-metrics.ts');
      return joined([before, countsOf(latest)]);
    });
  }
}

/** The figures that only grow and are added up over all processes. */
function countsOf(figures: Figures): Figures {
  return figures.filter(({ type, name }) => type !== 'gauge' && name.startsWith('switchyard_'));
}
