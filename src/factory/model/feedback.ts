import type { Problem } from '../problem.ts';

const limits = { lines: 20, lineLength: 200, frameLine: 160, total: 8000, said: 8, saidLength: 200 } as const;

/** What a model hears of its mistakes: only so much of it, each on one line. */
export function feedback(problems: readonly string[]): string[] {
  return [...new Set(problems)].slice(0, limits.lines).map((problem) => oneLine(problem, limits.lineLength));
}

/** Problems with the lines of code that they are in: models find a place by its text, hardly by its number. */
export function framedProblems(problems: readonly Problem[], files: ReadonlyMap<string, string>): string[] {
  const framed: string[] = [];
  let left: number = limits.total;
  for (const { id, file, line, message } of problems.slice(0, limits.lines)) {
    const location = file === null ? '' : ` in ${file}${line === null ? '' : `, line ${line}`}`;
    const frame = file === null || line === null ? '' : frameOf(files.get(file) ?? '', line);
    const text = `- [${id}]${location}: ${oneLine(message, limits.lineLength)}${frame}`;
    left -= text.length;
    if (left < 0) break;
    framed.push(text);
  }
  return framed;
}

/** The line and two on either side. */
function frameOf(text: string, line: number): string {
  const lines = text.split('\n');
  const from = Math.max(1, line - 2);
  return lines
    .slice(from - 1, line + 2)
    .map((content, index) => {
      const number = from + index;
      return `\n    ${number === line ? '>' : ' '} ${String(number).padStart(4)} | ${content.slice(0, limits.frameLine)}`;
    })
    .join('');
}

/** What a model says to people: a few short lines. It may have said anything. */
export function linesIn(said: unknown): string[] {
  const lines = Array.isArray(said) ? said.filter((line) => typeof line === 'string') : [];
  return lines
    .map((line) => oneLine(line, limits.saidLength))
    .filter((line) => line !== '')
    .slice(0, limits.said);
}

function oneLine(text: string, max: number): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, max);
}

/** The same for the same problems, wherever in their files they stand. */
export function signatureOf(problems: readonly Problem[]): string {
  return problems
    .map(({ id, file, message }) => `${id}|${file ?? ''}|${message.replace(/\d+/g, '#')}`)
    .sort()
    .join('\n');
}
