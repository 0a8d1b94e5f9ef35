import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Document, operationsOf } from '../../src/contract/served/document.ts';

const begin = /^\s*(?:\/\/|#) if (\w+)$/;
const end = /^\s*(?:\/\/|#) end if$/;

/**
 * Copies the hand-written files of a library. What stands between a comment `if <operation>` and a comment `end if` is only
 * taken if the contract has that operation.
 */
export function copyForContract(contract: Document, from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const names = readdirSync(from, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((name) => statSync(path.join(from, name)).isFile())) {
    const text = readFileSync(path.join(from, name), 'utf8');
    if (/(?:\/\/|#) if \w+\n/.test(text)) writeFileSync(path.join(to, name), forContract(contract, text));
  }
}

/** A text without the sections that are for operations the contract does not have, and without their comments. */
export function forContract(contract: Document, text: string): string {
  const operations = new Set(operationsOf(contract).map(({ id }) => id));
  let keep = true;
  return text
    .split('\n')
    .filter((line) => {
      const operation = begin.exec(line)?.[1];
      if (operation !== undefined) keep = operations.has(operation);
      else if (end.test(line)) keep = true;
      else return keep;
      return false;
    })
    .join('\n');
}
