import { InnerError, ServiceError } from '../../contract/errors.ts';
import { type Cursor, decodeCursor, type ListRequest } from '../../store/list-page.ts';

/** The administrator's request cannot be carried out. The message may be shown as it is. */
export class AccountError extends InnerError {
  override readonly name = 'AccountError';
  /** `not_found`, `exists` (a name is taken), `invalid` (a field, named by `field`), `not_allowed` (as things stand). */
  readonly reason: 'not_found' | 'exists' | 'invalid' | 'not_allowed';
  readonly field: string | null;

  constructor(reason: AccountError['reason'], message: string, field: string | null = null) {
    super(message);
    this.reason = reason;
    this.field = field;
  }

  override toServiceError(): ServiceError {
    const { reason, message, field } = this;
    if (reason === 'not_found') return new ServiceError('not_found', message);
    if (reason === 'invalid')
      return new ServiceError('invalid_request', message, {
        details: [{ path: field ?? '', code: 'invalid', message }],
      });
    const details = field === null ? [] : [{ path: field, code: 'taken', message }];
    return new ServiceError('conflict', message, { details });
  }
}

/** Where a list page begins; null for the first. Throws `AccountError('invalid')` for a text that is no cursor of the list. */
export function readCursor(
  { cursor }: ListRequest,
  ...types: readonly ('string' | 'number')[]
): Cursor | null {
  const found = decodeCursor(cursor, ...types);
  if (found !== undefined) return found;
  throw new AccountError('invalid', 'The cursor is not one that this list has given.', 'cursor');
}
