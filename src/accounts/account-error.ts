/** What an administrator asked for cannot be done. The message may be shown as it is. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
  /** `not_found`, `exists` (a name is taken), `invalid` (a field, named by `field`), `not_allowed` (as things stand). */
  readonly reason: 'not_found' | 'exists' | 'invalid' | 'not_allowed';
  readonly field: string | null;

  constructor(reason: AccountError['reason'], message: string, field: string | null = null) {
    super(message);
    this.reason = reason;
    this.field = field;
  }
}
