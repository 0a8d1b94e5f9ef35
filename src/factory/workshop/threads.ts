import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import type { FactoryDiff } from '../../../generated/types.gen.ts';
import { threadHeap } from '../../lib/capacity.ts';
import { moduleUrl } from '../../lib/module-url.ts';
import type { Workshop } from '../builder.ts';
import type { Revised } from '../revise/revise.ts';
import type { AppSpec } from '../spec.ts';
import type { Compared } from './steps.ts';

export interface WorkshopSettings {
  /** Maximum number of threads at a time. */
  readonly threads: number;
  /** How long a thread without work is kept, in milliseconds. */
  readonly idleMs: number;
  /** The module that runs in the threads, in place of the default one; for tests. */
  readonly steps?: string;
}

/** What is done in the threads for requests rather than for builds. */
export interface Tools extends Pick<Workshop, 'plan'> {
  revise(spec: AppSpec, instruction: string): Promise<Revised>;
  unpack(zip: Uint8Array): Promise<ReadonlyMap<string, string>>;
  compare(before: Compared | null, after: Compared): Promise<Pick<FactoryDiff, 'spec' | 'files'>>;
}

/** A workshop in threads beside the event loop. They are started by the first step and end when there is nothing to do. */
export interface Threads {
  /**
   * A workshop for one build.
   * @param runaway aborted when its steps take too long: a thread that is still at work then is terminated
   */
  workshop(runaway: AbortSignal): Workshop;
  /** The tools for one request, with a signal as for a workshop. */
  tools(runaway: AbortSignal): Tools;
  /**
   * Whether threads can be started, as far as is known: none is started to find out unless the last one failed. Resolves
   * with a sentence, rejects with what is wrong.
   */
  check(): Promise<string>;
  close(): Promise<void>;
}

/** Memory of a thread, in MB. */
const resourceLimits = { maxOldGenerationSizeMb: threadHeap(), maxYoungGenerationSizeMb: 16 };

export function openThreads({
  threads,
  idleMs,
  steps = fileURLToPath(moduleUrl('steps', import.meta.url)),
}: WorkshopSettings): Threads {
  let pool: Promise<Piscina> | null = null;
  /** Why the last thread could not begin, or was lost; null once one has worked since. */
  let lost: unknown = null;
  const replaced = new WeakSet<Piscina>();
  const open = async () => {
    const { Piscina } = await import('piscina');
    const cache = getCompileCacheDir();
    const opened = new Piscina({
      filename: path.resolve(import.meta.dirname, steps),
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      // Waiting for work must not block a thread: the bundler's process talks to it.
      atomics: 'disabled',
      resourceLimits,
      // Nothing of the server's own environment; compiled sources are kept as the server keeps its own.
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
    });
    // Unheard, this event would end the process.
    opened.on('error', (error: unknown) => replace(opened, error));
    return opened;
  };
  /**
   * After a thread that could not begin, the pool starts no other and lets its tasks wait for ever. So what waits fails,
   * what runs in other threads is finished, and the next step gets a new pool.
   */
  const replace = (broken: Piscina, error: unknown) => {
    lost = error;
    if (replaced.has(broken)) return;
    replaced.add(broken);
    pool = null;
    void broken.close({ force: true });
  };
  const run = async (name: string, task: unknown, signal?: AbortSignal) => {
    pool ??= open();
    const opened = await pool.catch((error: unknown) => {
      pool = null;
      lost = error;
      throw error;
    });
    signal?.throwIfAborted();
    const result = await opened.run(task, { name, ...(signal && { signal }) });
    lost = null;
    return result;
  };
  return {
    workshop(runaway) {
      return {
        plan: (prompt, options) => run('plan', { prompt, options }, runaway),
        render: (spec, family) => run('render', { spec, family }, runaway),
        verify: (files, spec) => run('verify', { files, spec }, runaway),
        sources: (zip) => run('sources', zip, runaway),
        pack: (files, html, spec) => run('pack', { files, html, spec }, runaway),
      };
    },
    tools(runaway) {
      return {
        plan: (prompt, options) => run('plan', { prompt, options }, runaway),
        revise: (spec, instruction) => run('revise', { spec, instruction }, runaway),
        unpack: (zip) => run('unpack', zip, runaway),
        compare: (before, after) => run('compare', { before, after }, runaway),
      };
    },
    async check() {
      if (lost !== null) {
        await run('begin', null).catch((error: unknown) => {
          throw lost ?? error;
        });
      }
      const running = pool === null ? 0 : (await pool).threads.length;
      return `${running} of at most ${threads} threads run; more are started when there is work.`;
    },
    async close() {
      await (await pool)?.destroy();
    },
  };
}
