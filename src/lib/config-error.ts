/** The operator has set something wrong, or the server cannot use what it was pointed to. Holds no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** One sentence each: the fault, its place, and the expected value. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options: { readonly cause?: unknown } = {}) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    super(
      [`The configuration has ${count}:`, ...problems.map((problem) => `- ${problem}`)].join('\n'),
      options,
    );
    this.problems = problems;
  }
}
