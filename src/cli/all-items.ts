import type { ListPage, ListRequest } from '../store/list-page.ts';

/** All items of a list, over all its list pages. */
export async function allItems<T>(
  read: (request: ListRequest) => Promise<ListPage<T>>,
): Promise<readonly T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: ListPage<T> = await read({ limit: 200, cursor });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}
