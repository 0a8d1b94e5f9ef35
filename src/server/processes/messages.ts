import type { Figures } from '../../observe/joint-metrics.ts';

/** What the processes of one start and the one that supervises them tell each other. */

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
