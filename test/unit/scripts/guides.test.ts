import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../../generated/error-codes.gen.ts';
import { derivedFiles, filledIn } from '../../../scripts/docs/derived.ts';
import { idOf, renderGuides } from '../../../scripts/docs/guides.ts';
import { allSettings } from '../../../src/config/settings.ts';
import { replyCheck } from '../../../src/contract/reply-check.ts';
import { root } from '../../helpers/contract.ts';
import { blocksIn, markdownFiles, readMarkdown } from '../../helpers/guides.ts';
import { testEvery } from '../../helpers/test-every.ts';

/** The links of a text outside of its code, with what they lead to. */
function linksIn(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href);
}

function anchorsIn(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => idOf(heading));
}

describe('a text', () => {
  testEvery('leads to files and headings that are there', markdownFiles, (file) => {
    const text = readMarkdown(file);
    const links = linksIn(text).filter((href) => !/^(https?:|mailto:)/.test(href));
    const broken = links.filter((href) => {
      const [target = '', fragment] = href.split('#');
      const at = path.join(root, target === '' ? file : path.join(path.dirname(file), target));
      if (!existsSync(at)) return true;
      return fragment !== undefined && !anchorsIn(readFileSync(at, 'utf8')).includes(fragment);
    });
    expect(broken).toEqual([]);
  });

  testEvery('begins with its title and a sentence that says what it is about', markdownFiles, (file) => {
    expect(readMarkdown(file).slice(0, 200)).toMatch(/^# \S.*\n\n(?!```)[^#\n<|-].*\n/);
  });

  testEvery('has a reason for every block that is not run', markdownFiles, (file) => {
    const reasons = blocksIn(readMarkdown(file)).flatMap(({ notRun }) => (notRun === null ? [] : [notRun]));
    expect(reasons.filter((reason) => reason.length < 15)).toEqual([]);
  });
});

describe('the guides', () => {
  testEvery('are up to date in what derives from the program', derivedFiles(root), (file) => {
    const text = readMarkdown(file);
    expect(text === filledIn(root, text), 'run "npm run docs" and commit').toBe(true);
  });

  it('are all listed, each once', () => {
    const { groups, guides } = renderGuides(root);
    const listed = groups.flatMap(({ names }) => names);
    expect(listed.length).toBeGreaterThan(15);
    expect([...listed].sort()).toEqual(guides.map(({ name }) => name).sort());
  });

  it('show every error code once, with a reply that fits the contract', () => {
    const replies = blocksIn(readMarkdown('docs/reference/errors.md')).map(({ text }) => JSON.parse(text));
    expect(replies.map(({ error }) => error.code).sort()).toEqual(Object.keys(errorCodes).sort());
    for (const reply of replies) {
      const { code, type, retryable } = reply.error as {
        code: keyof typeof errorCodes;
        type: string;
        retryable: boolean;
      };
      expect({ type, retryable }, code).toEqual({
        type: errorCodes[code].type,
        retryable: errorCodes[code].retryable,
      });
      replyCheck.reply('createChat', 400, 'application/json', reply);
    }
  });

  it('explain every setting in a sentence, with its default, in the order of the program', () => {
    const rows = readMarkdown('docs/reference/configuration.md').matchAll(
      /^\| `([A-Z_]+)` \| (.*?) \| [A-Z].*\. \|$/gm,
    );
    expect([...rows].map(([, name, shown]) => [name, shown])).toEqual(
      allSettings.map(({ name, defaultText }) => [name, defaultText ? `\`${defaultText}\`` : '']),
    );
  });

  it('show the tree of the house with every folder of src', () => {
    const tree =
      blocksIn(readMarkdown('CONTRIBUTING.md')).find(({ text }) => text.includes('src/\n'))?.text ?? '';
    const shown = [...tree.matchAll(/^ {2}(\w+)\/ /gm)].map(([, name]) => name);
    const folders = readdirSync(path.join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(shown.sort()).toEqual(folders.sort());
    const rooms = [
      ...readMarkdown('CONTRIBUTING.md').matchAll(/`((?:src|openapi|test|scripts|docs)\/[\w./-]+)`/g),
    ];
    expect(rooms.length).toBeGreaterThan(10);
    for (const [, room = ''] of rooms) expect(existsSync(path.join(root, room)), room).toBe(true);
  });

  it('leave the README what a newcomer needs first', () => {
    expect(readMarkdown('README.md')).toContain('(docs/README.md)');
    expect(readMarkdown('README.md').split('\n').length).toBeLessThanOrEqual(91);
  });
});
