/**
 * Latencies at a fixed rate (open loop): requests go out when their time has come, whether earlier ones are answered or
 * not, and each is measured from when it was due. So an answer that keeps others waiting counts for all of them
 * (https://www.scylladb.com/2021/04/22/on-coordinated-omission/).
 */

import { createHistogram } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Pool } from 'undici';

export interface Paced {
  readonly answered: number;
  readonly failed: number;
  /** In milliseconds, from when a request was due. */
  readonly firstByteP50: number;
  readonly firstByteP99: number;
  readonly p50: number;
  readonly p99: number;
}

export interface PacedRequest {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const CONNECTIONS = 256;
const NAP_MS = 0.05;
/** Never changed: who waits for that sleeps. */
const nap = new Int32Array(new SharedArrayBuffer(4));

export async function pace(asked: PacedRequest, perSecond: number, seconds: number): Promise<Paced> {
  const pool = new Pool(asked.origin, {
    connections: CONNECTIONS,
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
  });
  const firstBytes = createHistogram();
  const totals = createHistogram();
  let failed = 0;
  const micros = (since: number) => Math.max(1, Math.round((performance.now() - since) * 1000));

  const send = (dueAt: number) =>
    new Promise<void>((resolve) => {
      let status = 0;
      let begun = false;
      const { path, body } = asked;
      const headers = { 'content-type': 'application/json', ...asked.headers };
      pool.dispatch(
        { method: 'POST', path, headers, body },
        {
          onRequestStart() {}, // undici insists on it
          onResponseStart(_controller, statusCode) {
            status = statusCode;
          },
          onResponseData() {
            if (begun) return;
            begun = true;
            firstBytes.record(micros(dueAt));
          },
          onResponseEnd() {
            totals.record(micros(dueAt));
            if (status !== 200) failed += 1;
            resolve();
          },
          onResponseError() {
            failed += 1;
            resolve();
          },
        },
      );
    });

  const begunAt = performance.now();
  const under: Promise<void>[] = [];
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const dueAt = begunAt + (number * 1000) / perSecond;
    const early = dueAt - performance.now();
    if (early > 1) await pause(early - 0.5);
    // A timer is late by up to a millisecond. Short naps are not, and leave the core to a vendor that shares it.
    for (let left = dueAt - performance.now(); left > 0; left = dueAt - performance.now()) {
      Atomics.wait(nap, 0, 0, Math.min(left, NAP_MS));
      await new Promise((resolve) => setImmediate(resolve));
    }
    under.push(send(dueAt));
  }
  await Promise.all(under);
  await pool.destroy();
  const ms = (histogram: typeof totals, rank: number) => histogram.percentile(rank) / 1000;
  return {
    answered: totals.count - failed,
    failed,
    firstByteP50: ms(firstBytes, 50),
    firstByteP99: ms(firstBytes, 99),
    p50: ms(totals, 50),
    p99: ms(totals, 99),
  };
}

type Share = readonly [asked: PacedRequest, perSecond: number, seconds: number];

/** The same from several threads, which share the rate; of their times the longest count. */
export async function paceFrom(
  threads: number,
  asked: PacedRequest,
  perSecond: number,
  seconds: number,
): Promise<Paced> {
  const share: Share = [asked, perSecond / threads, seconds];
  const shares = await Promise.all(Array.from({ length: threads }, () => onThread(share)));
  const sum = (field: 'answered' | 'failed') => shares.reduce((total, each) => total + each[field], 0);
  const longest = (field: keyof Paced) => Math.max(...shares.map((each) => each[field]));
  return {
    answered: sum('answered'),
    failed: sum('failed'),
    firstByteP50: longest('firstByteP50'),
    firstByteP99: longest('firstByteP99'),
    p50: longest('p50'),
    p99: longest('p99'),
  };
}

function onThread(share: Share): Promise<Paced> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: share, execArgv: [] });
    thread.once('message', resolve).once('error', reject);
  });
}

if (!isMainThread) parentPort?.postMessage(await pace(...(workerData as Share)));
