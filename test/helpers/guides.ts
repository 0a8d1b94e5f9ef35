import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { guideFiles } from '../../scripts/docs/guides.ts';
import { root } from './contract.ts';

/** A block of code in a guide. */
export interface Block {
  readonly lang: string;
  readonly text: string;
  /** Line of its fence in the file, from 1. */
  readonly line: number;
  /** Why it is not run; null for one that is. */
  readonly notRun: string | null;
  /** Whether it runs on, in a terminal of its own, while those after it are run. */
  readonly runsOn: boolean;
  /** What fills it in, by `scripts/docs/derived.ts`; null for one that is written by hand. */
  readonly derivedFrom: string | null;
  /** The block before it in the same section. */
  readonly follows: Block | null;
}

/** The README and every guide, as paths from the root. */
export const markdownFiles: readonly string[] = ['README.md', ...guideFiles(root)];

export function readMarkdown(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** The blocks of code in a file, in their order. Throws for a fence that is not closed. */
export function blocksIn(text: string): Block[] {
  const blocks: Block[] = [];
  let notRun: string | null = null;
  let runsOn = false;
  let derivedFrom: string | null = null;
  let follows: Block | null = null;
  let open: { lang: string; line: number; lines: string[] } | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    if (open && line === '```') {
      const { lang, lines } = open;
      follows = { lang, text: lines.join('\n'), line: open.line, notRun, runsOn, derivedFrom, follows };
      blocks.push(follows);
      open = null;
      notRun = null;
      runsOn = false;
    } else if (open) open.lines.push(line);
    else if (line.startsWith('```')) open = { lang: line.slice(3), line: index + 1, lines: [] };
    else if (/^#+ /.test(line)) follows = null;
    else {
      notRun = /^<!-- not run: (.+) -->$/.exec(line)?.[1] ?? notRun;
      runsOn ||= line === '<!-- in a terminal of its own -->';
      derivedFrom = /^<!-- begin (.+) -->$/.exec(line)?.[1] ?? derivedFrom;
      if (/^<!-- end /.test(line)) derivedFrom = null;
    }
  }
  if (open) throw new Error(`The block at line ${open.line} is not closed.`);
  return blocks;
}

/** What a text prints of an answer, held against the answer: `…` stands for anything. */

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

/** Each printed line of an answer is in it, in the same order. */
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

/** A Python with the library `requests`, which samples use. One that comes first in the PATH may lack it. */
export const python = ['python3', '/usr/bin/python3'].find(hasRequests);

function hasRequests(command: string): boolean {
  try {
    execFileSync(command, ['-c', 'import requests'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
