import { readFileSync } from 'node:fs';
import path from 'node:path';
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
