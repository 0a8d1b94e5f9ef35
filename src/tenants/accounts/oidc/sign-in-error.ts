/** Why nobody was signed in. The message may be shown as it is. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  /** `away`: the issuer cannot be used now; `refused`: what it or the browser has sent is not good; `no_rule`: nothing lets them in. */
  readonly reason: 'away' | 'refused' | 'no_rule';

  constructor(reason: SignInError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
