import { diffArrays } from 'diff';
import type { SpecChange } from '../../../generated/types.gen.ts';
import { isObject } from '../plan/merge.ts';

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
  let gone: unknown[] = [];
  let was = 0;
  let is = 0;
  const close = (came: readonly unknown[]) => {
    for (let index = 0; index < Math.max(gone.length, came.length); index += 1) {
      const at = index < came.length ? is + index : was - gone.length + index;
      found.push(...changes(gone[index], came[index], `${path}[${at}]`));
    }
    gone = [];
  };
  for (const { value, added, removed } of diffArrays([...before], [...after], { comparator: same })) {
    if (removed) {
      gone = value;
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
