import { InnerError, ServiceError } from '../../contract/errors.ts';

/** What an administrator asked for cannot be done. The message may be shown as it is. */
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
