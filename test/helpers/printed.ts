/** What a text prints of an answer, held against the answer: `…` stands for anything. */
import { expect } from 'vitest';

const anyId = /\b(?:chat-|ai-|run_|req_|job_)\w+/g;

/** Where what is printed of a reply differs from the reply; figures of usage may be any. */
export function differences(shown: unknown, actual: unknown, at: string): string[] {
  if (shown === '…') return [];
  if (typeof shown === 'string' && typeof actual === 'string') {
    return pattern(shown).test(actual.replaceAll(anyId, 'ID')) ? [] : [`${at}: ${actual}`];
  }
  if (typeof shown === 'number' && /usage/.test(at)) return typeof actual === 'number' ? [] : [at];
  if (typeof shown !== 'object' || shown === null)
    return shown === actual ? [] : [`${at}: ${String(actual)}`];
  if (typeof actual !== 'object' || actual === null) return [`${at}: ${String(actual)}`];
  return Object.entries(shown)
    .filter(([key]) => key !== '…')
    .flatMap(([key, value]) => differences(value, (actual as Record<string, unknown>)[key], `${at}/${key}`));
}

/** Each line that is printed of an answer stands in it, in the same order. */
export function expectLines(shown: string, answer: string, at: string): void {
  const lines = answer.replaceAll(anyId, 'ID').split('\n');
  let from = 0;
  for (const line of shown.split('\n').filter((line) => !['', '…'].includes(line))) {
    const found = lines.findIndex((one, index) => index >= from && pattern(line).test(one));
    expect(found, `${at}: ${line} in\n${answer}`).toBeGreaterThanOrEqual(0);
    from = found + 1;
  }
}

function pattern(shown: string): RegExp {
  const parts = shown.replaceAll(anyId, 'ID').split('…');
  return new RegExp(
    `^${parts.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('.*')}$`,
    's',
  );
}
