/** What the name of a model tells of it. */
export interface Family {
  /** How its thinking is set: not at all, by a number of tokens (2.5), or by a level (3 and later). */
  readonly thinking: 'none' | 'budget' | 'level';
  readonly tier: 'pro' | 'flash' | 'flash-lite';
  /** Version, such as 2.5; infinite for the names that stand for the newest model; null for others than Gemini. */
  readonly version: number | null;
}

/**
 * The family of a model (https://ai.google.dev/gemini-api/docs/models). A name without a version, such as
 * `gemini-flash-latest`, stands for the newest.
 */
export function familyOf(model: string): Family {
  const name = model.slice(model.lastIndexOf('/') + 1);
  const version = versionOf(name);
  const tier = /-flash-lite/.test(name) ? 'flash-lite' : /-pro/.test(name) ? 'pro' : 'flash';
  return { thinking: thinkingBy(name, version), tier, version };
}

function versionOf(name: string): number | null {
  const [, number] = /^gemini-(\d+(?:\.\d+)?)/.exec(name) ?? [];
  if (number !== undefined) return Number(number);
  return /^gemini-(?:pro|flash)(?:-lite)?-latest$/.test(name) ? Number.POSITIVE_INFINITY : null;
}

function thinkingBy(name: string, version: number | null): Family['thinking'] {
  if (version === null || version < 2.5) return 'none';
  if (version >= 3) return 'level';
  return /-(?:image|tts)/.test(name) ? 'none' : 'budget';
}
