import { createTwoFilesPatch, diffArrays, FILE_HEADERS_ONLY } from 'diff';
import { strFromU8, unzipSync } from 'fflate';
import type { FileChange, SpecChange } from '../../generated/types.gen.ts';
import { isObject } from '../lib/json.ts';

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

/** Where two specs differ, member by member; lists are aligned, so that an item more is one change. */
export function compareSpecs(before: unknown, after: unknown): SpecChange[] {
  return changes(before, after, '');
}

function changes(before: unknown, after: unknown, path: string): SpecChange[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      changes(before[name], after[name], path === '' ? name : `${path}.${name}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) return listChanges(before, after, path);
  if (same(before, after)) return [];
  return [{ path, before: before ?? null, after: after ?? null }];
}

/** Runs of items that went and came in one place are taken for each other, as far as they reach. */
function listChanges(before: readonly unknown[], after: readonly unknown[], path: string): SpecChange[] {
  const found: SpecChange[] = [];
  let left: unknown[] = [];
  let was = 0;
  let is = 0;
  const close = (came: readonly unknown[]) => {
    for (let index = 0; index < Math.max(left.length, came.length); index += 1) {
      const at = index < came.length ? is + index : was - left.length + index;
      found.push(...changes(left[index], came[index], `${path}[${at}]`));
    }
    left = [];
  };
  for (const { value, added, removed } of diffArrays([...before], [...after], { comparator: same })) {
    if (removed) {
      left = value;
      was += value.length;
      continue;
    }
    close(added ? value : []);
    is += value.length;
    if (!added) was += value.length;
  }
  close([]);
  return found;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
