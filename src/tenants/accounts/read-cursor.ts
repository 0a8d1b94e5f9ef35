import { type Cursor, decodeCursor, type ListRequest } from '../../store/list-page.ts';
import { AccountError } from './account-error.ts';

/** Where a list page begins; null for the first. Throws `AccountError('invalid')` for a text that is no cursor of the list. */
export function readCursor(
  { cursor }: ListRequest,
  ...types: readonly ('string' | 'number')[]
): Cursor | null {
  const found = decodeCursor(cursor, ...types);
  if (found !== undefined) return found;
  throw new AccountError('invalid', 'The cursor is not one that this list has given.', 'cursor');
}
