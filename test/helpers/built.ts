import { makeBuild } from '../../scripts/generate/build.ts';
import { isBuilt } from '../../src/contract/built.ts';

/** Makes what an install makes of the contract, where that was skipped or the contract is another since. */
export async function setup(): Promise<void> {
  if (!isBuilt()) await makeBuild();
}
