/** The result of one check of an installation. Holds no secret. */
export interface Result {
  readonly name: string;
  /** `fail`: it does not work; `warn`: it works, and should be otherwise. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** The remedy; null where all is well. */
  readonly advice: string | null;
}

export function ok(name: string, message: string): Result {
  return { name, state: 'ok', message, advice: null };
}

export function warn(name: string, message: string, advice: string): Result {
  return { name, state: 'warn', message, advice };
}

export function fail(name: string, message: string, advice: string): Result {
  return { name, state: 'fail', message, advice };
}

/** The name of an error, without its text: that may hold an address with a password. */
export function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return String(code ?? name ?? 'unknown');
}
