export type Severity = 'error' | 'warning';

/** Something that is wrong with a build. An error blocks it, a warning is shown. */
export interface Problem {
  /** The check that found it. */
  readonly id: string;
  readonly severity: Severity;
  readonly message: string;
  readonly file: string | null;
  readonly line: number | null;
}

export function problem(
  id: string,
  message: string,
  file: string | null = null,
  line: number | null = null,
): Problem {
  return { id, severity: 'error', message, file, line };
}

export function warning(
  id: string,
  message: string,
  file: string | null = null,
  line: number | null = null,
): Problem {
  return { id, severity: 'warning', message, file, line };
}
