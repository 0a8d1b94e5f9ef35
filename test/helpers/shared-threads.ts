import { openThreads, type Threads } from '../../src/factory/factory.ts';
import { LocalThread } from '../../src/services/features/local/thread.ts';

/** A new thread loads for a second of processor time or two, so one stays for the next test, however slow the machine is. */
const idleMs = 120_000;

/** The thread in which the applications of a test process have their builds done, unless a test wants threads of its own. */
export const sharedThreads: Threads = {
  ...openThreads({ threads: 1, idleMs }),
  // Others build in it.
  close: async () => undefined,
};

/** The same for the local engines of the AI features. */
export const sharedLocalThread = new (class extends LocalThread {
  override async close(): Promise<void> {
    // Others have their texts read in it.
  }
})({ idleMs });
