import { expect } from 'vitest';
import type { Signals } from '../../src/lib/signals.ts';

/** Sends until it is heard: a signal that is sent while a connection is being made is lost, as any may be. */
export async function heard(from: Signals, to: Signals, topic = 'probe'): Promise<void> {
  let count = 0;
  const stop = to.on(topic, () => {
    count += 1;
  });
  const send = () => {
    from.send(topic);
    return count;
  };
  await expect.poll(send, { interval: 20 }).toBeGreaterThan(0);
  stop();
}

/** The topics that were heard, each as often as it was. */
export function hearing(signals: Signals, topics: readonly string[]): string[] {
  const said: string[] = [];
  for (const topic of topics) signals.on(topic, () => said.push(topic));
  return said;
}
