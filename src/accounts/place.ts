import { type Cursor, decodeCursor, type PageRequest } from '../store/page.ts';
import { AccountError } from './account-error.ts';

/** Where a page begins; null for the first. Throws `AccountError('invalid')` for a text that is no cursor of the list. */
export function placeOf({ cursor }: PageRequest, ...types: readonly ('string' | 'number')[]): Cursor | null {
  const place = decodeCursor(cursor, ...types);
  if (place !== undefined) return place;
  throw new AccountError('invalid', 'The cursor is not one that this list has given.', 'cursor');
}
