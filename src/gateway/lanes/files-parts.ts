import type { GenerationParts } from './generation.ts';
import type { SandboxBatches } from './sandbox-batches.ts';

/** What files and batches stand on. */
export interface FilesParts extends GenerationParts {
  /** Those of files that the sandbox keeps. */
  readonly batches: SandboxBatches;
}
