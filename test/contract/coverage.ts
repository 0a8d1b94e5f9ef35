/**
 * Coverage of the contract: which operation has answered which status with which media type, and which events, over
 * the whole run. A run of the whole suite fails when one is missing that `uncovered.txt` does not list, or listed that
 * is covered. To mend it, write the test, or take the line out of the list, which may only shrink.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { eventSchemaOf, operationsOf, repliesOf, resolve } from '../../src/contract/served/document.ts';
import { contract } from '../helpers/contract.ts';

export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-coverage-'));
  const file = path.join(folder, 'replies.txt');
  process.env['CONTRACT_COVERAGE'] = file;
  return () => {
    const seen = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
    rmSync(folder, { recursive: true });
    if (!isWholeRun(project)) return;
    const problems = compare(seen);
    if (problems.length > 0) throw new Error(`Coverage of the contract:\n${problems.join('\n')}`);
    console.log(
      `Coverage of the contract: ${declared().length} replies and events, all seen but those listed.`,
    );
  };
}

/** Whether nobody has named tests to run. */
export function isWholeRun(project: TestProject): boolean {
  const { filter, watch, testNamePattern } = project.vitest.config as {
    filter?: unknown;
    watch: boolean;
    testNamePattern?: RegExp;
  };
  const named = process.argv.slice(2).some((argument) => argument !== 'run' && !argument.startsWith('-'));
  return !watch && !testNamePattern && !filter && !named;
}

function compare(seen: ReadonlySet<string>): string[] {
  const list = path.join(import.meta.dirname, 'uncovered.txt');
  const allowed = readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const missing = declared().filter((line) => !seen.has(line) && !allowed.includes(line));
  const stale = allowed.filter((line) => seen.has(line) || !declared().includes(line));
  return [
    ...missing.map((line) => `no test has seen: ${line}`),
    ...stale.map((line) => `take out of uncovered.txt, it is covered or gone: ${line}`),
  ];
}

/** Every reply and every kind of event that the contract declares. */
function declared(): string[] {
  return operationsOf(contract).flatMap(({ id, operation }) =>
    repliesOf(contract, operation).flatMap(([status, reply]) => {
      const media = Object.entries(reply.content ?? {});
      if (media.length === 0) return [`${id} ${status} -`];
      return media.flatMap(([type, content]) => {
        const event = eventSchemaOf(content);
        const { mapping } = (event ? resolve(contract, event)['discriminator'] : { mapping: {} }) as {
          mapping: object;
        };
        const kinds = Object.keys(mapping).map((kind) => `${id} ${status} ${type} ${kind}`);
        return [`${id} ${status} ${type}`, ...kinds];
      });
    }),
  );
}
