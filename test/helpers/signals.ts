import { expect } from 'vitest';
import type { Signals } from '../../src/lib/signals.ts';

/**
 * Sends until it is heard: a signal that is sent while a connection is being made is lost, as any may be. Whoever begins to listen calls
 * all listeners, which says nothing of the one who sends.
 */
export async function heard(from: Signals, to: Signals, topic = 'probe'): Promise<void> {
  let called = 0;
  let begun = 0;
  const stops = [
    to.on(topic, () => {
      called += 1;
    }),
    to.on(`nobody sends this beside ${topic}`, () => {
      begun += 1;
    }),
  ];
  const send = () => {
    from.send(topic);
    return called - begun;
  };
  await expect.poll(send, { interval: 20 }).toBeGreaterThan(0);
  for (const stop of stops) stop();
}

/** The topics that were heard, each as often as it was. */
export function hearing(signals: Signals, topics: readonly string[]): string[] {
  const said: string[] = [];
  for (const topic of topics) signals.on(topic, () => said.push(topic));
  return said;
}
