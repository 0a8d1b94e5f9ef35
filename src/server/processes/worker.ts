/** A process's knowledge of the others of its start, and its messages to them through the supervisor. */
import { EventEmitter } from 'node:events';
import type { Figures } from '../../observe/joint-metrics.ts';
import type { FromWorker, ToWorker } from './place.ts';
import { type Place, placeIn } from './place.ts';

/** This process among those of its start. */
export const place: Place = process.send ? placeIn(process.argv) : placeIn([]);

const messages = new EventEmitter();

/**
 * Where it is heard that the process is to stop. Of several, only the word of the one that supervises them counts: a terminal and
 * systemd signal each process themselves, and a second signal means "at once".
 */
export const stopSignals: Pick<EventEmitter, 'on' | 'off' | 'listenerCount'> =
  place.of === 1 ? process : messages;

let read: (() => Promise<Figures>) | null = null;
const waiting = new Map<number, (all: readonly Figures[]) => void>();
let asked = 0;

if (place.of > 1) {
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => undefined);
  process.on('message', (message: ToWorker) => void hear(message));
}

async function hear(message: ToWorker): Promise<void> {
  if (message.kind === 'stop') messages.emit(message.signal, message.signal);
  else if (message.kind === 'all-figures') {
    waiting.get(message.id)?.(message.all);
    waiting.delete(message.id);
  } else if (read !== null) {
    const figures = await read().catch(() => null);
    if (figures !== null) say({ kind: 'figures', id: message.id, figures });
  }
}

/** Says that this process answers requests. */
export function tellReady(port: number): void {
  say({ kind: 'ready', port });
}

/** Has the others read their configuration again, as this one has. */
export function tellOthersToReload(): void {
  say({ kind: 'reload' });
}

/** Has the figures of this process given to the others from now on. */
export function giveFigures(from: () => Promise<Figures>): void {
  read = from;
}

/** The figures of all processes of this start, as far as they answer. */
export function figuresOfAll(): Promise<readonly Figures[]> {
  asked += 1;
  const id = asked;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    say({ kind: 'scrape', id });
  });
}

/** A message that cannot be sent is dropped: without its supervisor a process ends. */
function say(message: FromWorker): void {
  process.send?.(message, undefined, {}, () => undefined);
}
