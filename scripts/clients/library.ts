import type { Document } from '../../src/contract/served/document.ts';
import type { Examples } from './server.ts';

/** A client library in one language: how it is made, compiled and run against a server. */
export interface Library {
  /** Name of its folder under `scripts/clients/` and of its package's folder under `build/clients/`. */
  readonly name: string;
  /** The programs that `generate` takes: what its generator runs on, not the language. */
  readonly generating: readonly string[];
  /** The programs that `compile` and `live` take. */
  readonly running: readonly string[];
  /** Writes the package into `folder`, which is empty. */
  generate(contract: Document, folder: string): Promise<void>;
  /** Compiles the package together with its live test and what is printed of samples, which are written beside it. */
  compile(contract: Document, folder: string): Promise<void>;
  /**
   * Runs the live test and the samples against the server that the environment names.
   *
   * @param examples Makes what the contract's examples speak of, for samples that have its ids.
   */
  live(
    folder: string,
    env: Readonly<Record<string, string>>,
    examples: () => Promise<Examples>,
  ): Promise<void>;
}
