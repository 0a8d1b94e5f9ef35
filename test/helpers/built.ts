import { makeBuild } from '../../scripts/generate/build.ts';
import { isCompiledAhead } from '../../src/config/parse-file.ts';
import { isBuilt } from '../../src/contract/built.ts';

/** Makes what an install makes of the contract and of schemas, where that was skipped or these are others since. */
export async function setup(): Promise<void> {
  if (!isBuilt() || !isCompiledAhead()) await makeBuild();
}
