import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import type { Piscina } from 'piscina';
import type { Workshop } from '../builder.ts';

export interface WorkshopSettings {
  /** Most threads at a time. */
  readonly threads: number;
  /** How long a thread without work is kept, in milliseconds. */
  readonly idleMs: number;
}

/** A workshop in threads beside the event loop. They are started by the first step and end when there is nothing to do. */
export interface Threads {
  /**
   * A workshop for one build.
   * @param runaway aborted when its steps take too long: a thread that is still at work then is terminated
   */
  workshop(runaway: AbortSignal): Workshop;
  close(): Promise<void>;
}

/** Memory of a thread; a step that needs more fails, and its thread with it. In MB. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

export function openThreads({ threads, idleMs }: WorkshopSettings): Threads {
  let opening: Promise<Piscina> | null = null;
  const open = async () => {
    const { Piscina } = await import('piscina');
    const cache = getCompileCacheDir();
    return new Piscina({
      filename: path.join(import.meta.dirname, 'steps.ts'),
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      // Waiting for work must not block a thread: the bundler's process talks to it.
      atomics: 'disabled',
      resourceLimits,
      // Nothing of the server's own environment; compiled sources are kept as the server keeps its own.
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
    });
  };
  return {
    workshop(runaway) {
      const run = async (name: string, task: unknown) => {
        opening ??= open();
        const pool = await opening;
        runaway.throwIfAborted();
        return pool.run(task, { name, signal: runaway });
      };
      return {
        plan: (prompt, options) => run('plan', { prompt, options }),
        render: (spec) => run('render', spec),
        verify: (files, spec) => run('verify', { files, spec }),
        pack: (files, html, spec) => run('pack', { files, html, spec }),
      };
    },
    async close() {
      await (await opening)?.destroy();
    },
  };
}
