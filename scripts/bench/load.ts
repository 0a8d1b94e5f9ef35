/**
 * The load generator, in a process of its own. Closed loop: as many workers as connections, each
 * sends its next request once the last one has been answered. Takes one job at a time from the
 * parent and reports what it measured. Every answer is read to its end and judged.
 */

import { createHistogram, performance } from 'node:perf_hooks';
import { Client } from 'undici';
import { type Dialect, type Reader, SCENARIOS } from './scenarios.ts';

/** Whom to ask, and how. */
export interface Target {
  readonly name: string;
  /** What stands before a scenario's path. */
  readonly base: string;
  readonly dialect: Dialect;
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The process to watch for memory and processor time; a peer's is not ours to watch. */
  readonly pid?: number | undefined;
}

export interface Job {
  readonly scenario: string;
  readonly target: Target;
  readonly connections: number;
  readonly seconds: number;
}

/** The rate is in answers per second, `cpuShare` in percent of one core, everything else in milliseconds. */
export type Metric =
  | 'rate'
  | 'p50'
  | 'p99'
  | 'firstByteP50'
  | 'firstByteP99'
  | 'firstDeltaP50'
  | 'firstDeltaP99'
  | 'cpuPerAnswer'
  | 'cpuShare';

export type Figures = Readonly<Partial<Record<Metric, number>>>;

export interface LoadResult {
  readonly answered: number;
  readonly failed: number;
  readonly firstFault?: string | undefined;
  /** Of the answers that were right; empty when none was. */
  readonly figures: Figures;
}

/** A target that fails is not hammered to the end of the round. */
const MAX_FAILURES = 20;
/** A target this silent has failed: nothing on this machine takes so long. */
const SILENCE_MS = 5_000;

/** The course of one request, in ms since it was handed to its connection. */
interface Outcome {
  total: number;
  firstByte?: number;
  firstDelta?: number;
  fault?: string | undefined;
}

type Send = (client: Client) => Promise<Outcome>;

/** Requests of all jobs that differ from each other. */
let sent = 0;

function senderOf(job: Job): Send {
  const { path, body, fresh, reader } = dialogueOf(job);
  const { base, model, headers } = job.target;
  const same = {
    method: 'POST',
    path: new URL(base + path).pathname,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body(model)),
  } as const;
  const next = () => {
    if (!fresh) return same;
    sent += 1;
    const own = fresh(sent);
    return { ...same, headers: { ...same.headers, ...own.headers }, body: JSON.stringify(own.body) };
  };

  return (client) => {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const outcome: Outcome = { total: 0 };
    const pieces: Buffer[] = [];
    let status = 0;
    const start = performance.now();
    const elapsed = () => performance.now() - start;
    client.dispatch(next(), {
      onRequestStart() {}, // undici insists on it
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(_controller, piece) {
        pieces.push(piece);
        outcome.firstByte ??= elapsed();
        if (reader.firstDelta && piece.includes(reader.firstDelta)) outcome.firstDelta ??= elapsed();
      },
      onResponseEnd() {
        outcome.total = elapsed();
        outcome.fault = faultOf(status, Buffer.concat(pieces).toString(), reader);
        resolve(outcome);
      },
      onResponseError(_controller, error) {
        outcome.fault = error.message;
        resolve(outcome);
      },
    });
    return promise;
  };
}

function dialogueOf({ scenario: name, target }: Job) {
  const scenario = SCENARIOS.find((each) => each.name === name);
  const exchange = scenario?.dialects[target.dialect];
  if (!exchange) throw new Error(`No scenario is called ${name}`);
  return exchange;
}

function faultOf(status: number, answer: string, reader: Reader): string | undefined {
  if (status !== 200) return `status ${status}: ${answer.slice(0, 300)}`;
  try {
    return reader.fault(answer);
  } catch (error) {
    return `${String(error)} in ${answer.slice(0, 300)}`;
  }
}

/** Many times in ms, kept as a histogram of whole microseconds. */
class Times {
  readonly #histogram = createHistogram();

  get count(): number {
    return this.#histogram.count;
  }

  add(milliseconds: number | undefined): void {
    if (milliseconds === undefined) return;
    this.#histogram.record(Math.max(1, Math.round(milliseconds * 1000)));
  }

  percentile(rank: number): number {
    return this.#histogram.percentile(rank) / 1000;
  }
}

async function run(job: Job): Promise<LoadResult> {
  const send = senderOf(job);
  const totals = new Times();
  const firstBytes = new Times();
  const firstDeltas = new Times();
  let failed = 0;
  let firstFault: string | undefined;

  const start = performance.now();
  const deadline = start + job.seconds * 1000;
  const work = async () => {
    const timeouts = { headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS };
    const client = new Client(new URL(job.target.base).origin, timeouts);
    while (performance.now() < deadline && failed < MAX_FAILURES) {
      const { total, firstByte, firstDelta, fault } = await send(client);
      if (fault === undefined) {
        totals.add(total);
        firstBytes.add(firstByte);
        firstDeltas.add(firstDelta);
      } else {
        failed += 1;
        firstFault ??= fault;
      }
    }
    await client.destroy();
  };
  await Promise.all(Array.from({ length: job.connections }, work));
  const seconds = (performance.now() - start) / 1000;

  const figures = {
    rate: totals.count / seconds,
    p50: totals.percentile(50),
    p99: totals.percentile(99),
    ...(firstDeltas.count > 0 && {
      firstByteP50: firstBytes.percentile(50),
      firstByteP99: firstBytes.percentile(99),
      firstDeltaP50: firstDeltas.percentile(50),
      firstDeltaP99: firstDeltas.percentile(99),
    }),
  };
  const answered = totals.count;
  return { answered, failed, firstFault, figures: answered > 0 ? figures : {} };
}

process.on('message', async (job: Job) => process.send?.(await run(job)));
process.once('disconnect', () => process.exit());
process.send?.('ready');
