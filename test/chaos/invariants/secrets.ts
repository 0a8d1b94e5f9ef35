import type { Exposure } from '../evidence.ts';

export interface Canaries {
  /** A word that is in every prompt. */
  readonly prompt: string;
  /** Keys, passwords and tokens, in clear. */
  readonly secrets: readonly string[];
}

/** No secret in clear anywhere, and no prompt where none belongs. */
export function nothingExposed({ prompt, secrets }: Canaries, exposures: Iterable<Exposure>): string[] {
  const problems: string[] = [];
  for (const { where, text, holdsPrompts } of exposures) {
    for (const secret of secrets) {
      if (text.includes(secret))
        problems.push(`a secret (${secret.slice(0, 12)}…) stands in ${where}: ${around(text, secret)}`);
    }
    if (!holdsPrompts && text.includes(prompt)) {
      problems.push(`a prompt stands in ${where}: ${around(text, prompt)}`);
    }
  }
  return problems;
}

function around(text: string, found: string): string {
  const at = text.indexOf(found);
  return `"${text.slice(Math.max(0, at - 80), at).replaceAll('\n', ' ')}…"`;
}
