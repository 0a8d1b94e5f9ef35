import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { strFromU8, unzipSync } from 'fflate';
import type { FileChange } from '../../../generated/types.gen.ts';

/** Maximum size of the diff of one file in bytes, and of those of a build together; beyond it a file has none. */
const maxDiffBytes = 65_536;
const maxAllBytes = 1_048_576;
/** Maximum number of lines that differ, and how long one file is compared at most in milliseconds: either gives up. */
const effort = { maxEditLength: 4_000, timeout: 2_000 };
/** What is bundled of the other files. */
const derived = new Set(['index.html']);

/** The files that differ, by path. */
export function compareFiles(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): FileChange[] {
  let left = maxAllBytes;
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path) => {
    const was = before.get(path);
    const is = after.get(path);
    if (was === is) return [];
    const found = derived.has(path) ? null : diffOf(path, was ?? '', is ?? '');
    const bytes = found === null ? 0 : Buffer.byteLength(found);
    const shown = bytes > maxDiffBytes || bytes > left ? null : found;
    left -= shown === null ? 0 : bytes;
    return [
      {
        path,
        status: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed',
        before_bytes: was === undefined ? null : Buffer.byteLength(was),
        after_bytes: is === undefined ? null : Buffer.byteLength(is),
        diff: shown,
      } as const,
    ];
  });
}

function diffOf(path: string, was: string, is: string): string | null {
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY, ...effort };
  return createTwoFilesPatch(path, path, was, is, undefined, undefined, options) ?? null;
}

/** The texts in an archive that this factory has packed, by path. */
export function archiveFiles(zip: Uint8Array): Map<string, string> {
  return new Map(Object.entries(unzipSync(zip)).map(([path, bytes]) => [path, strFromU8(bytes)]));
}
