import type { Figures } from '../../observe/joint-metrics.ts';

/** Which of the processes of one start a process is. */
export interface Place {
  /** From 1. */
  readonly number: number;
  /** How many there are. */
  readonly of: number;
  /** The port that the others already listen on; null: this is the first process. */
  readonly port: number | null;
}

const flag = '--process=';

/** A place as the argument of a process, such as `--process=2/4@8080`. */
export function argumentOf({ number, of, port }: Place): string {
  return `${flag}${number}/${of}${port === null ? '' : `@${port}`}`;
}

/** The place that a process was given, and that of one that is alone if none was. */
export function placeIn(args: readonly string[]): Place {
  for (const arg of args) {
    const [, number, of, port] = /^--process=(\d+)\/(\d+)(?:@(\d+))?$/.exec(arg) ?? [];
    if (number !== undefined)
      return { number: Number(number), of: Number(of), port: port === undefined ? null : Number(port) };
  }
  return { number: 1, of: 1, port: null };
}

/** The messages between the processes of one start and their supervisor. */

export type StopSignal = 'SIGTERM' | 'SIGINT';

export type FromWorker =
  | { readonly kind: 'ready'; readonly port: number }
  /** Wants the others to read their configuration again. */
  | { readonly kind: 'reload' }
  /** Wants the figures of all, as `all-figures`. */
  | { readonly kind: 'scrape'; readonly id: number }
  | { readonly kind: 'figures'; readonly id: number; readonly figures: Figures };

export type ToWorker =
  | { readonly kind: 'stop'; readonly signal: StopSignal }
  /** Wants its `figures`. */
  | { readonly kind: 'scrape'; readonly id: number }
  | { readonly kind: 'all-figures'; readonly id: number; readonly all: readonly Figures[] };
