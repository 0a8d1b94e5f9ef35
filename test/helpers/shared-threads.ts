import { openThreads, type Threads } from '../../src/factory/workshop/threads.ts';

/**
 * The thread in which the applications of a test process have their builds done, unless a test wants threads of its own: a new one
 * loads for a second of processor time. It ends by itself when nothing has been built for a while.
 */
export const sharedThreads: Threads = {
  ...openThreads({ threads: 1, idleMs: 5_000 }),
  // Others build in it.
  close: async () => undefined,
};
