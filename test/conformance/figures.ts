/**
 * Counts what a run of Schemathesis has covered: cases, operations, and the statuses and media types of the contract that
 * were answered.
 *
 *   node test/conformance/figures.ts report.har …
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Document, operationsOf, repliesOf } from '../../src/contract/served/document.ts';

interface Archive {
  log: {
    entries: {
      request: { method: string; url: string };
      response: { status: number; headers: { name: string; value: string }[] };
    }[];
  };
}

const files = process.argv.slice(2);
const entries = files.flatMap((file) => (JSON.parse(readFileSync(file, 'utf8')) as Archive).log.entries);
const contract = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../generated/openapi.json'), 'utf8'),
) as Document;

const operations = operationsOf(contract)
  .filter(({ path }) => entries.some(({ request }) => matches(path, request.url)))
  .map((at) => {
    const pattern = at.path;
    const own = entries.filter(
      ({ request }) => request.method === at.method.toUpperCase() && matches(pattern, request.url),
    );
    const declared = repliesOf(contract, at.operation).flatMap(([status, { content }]) =>
      content ? Object.keys(content).map((type) => `${status} ${type}`) : [`${status}`],
    );
    const answered = new Set(
      own.flatMap(({ response: { status, headers } }) => {
        const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
        const essence = type?.replace(/;\s*charset=.*$/, '');
        return [`${status}`, `${status} ${essence}`];
      }),
    );
    return { id: at.id, cases: own.length, declared, seen: declared.filter((reply) => answered.has(reply)) };
  });

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
console.log(`\nRequests by status: ${countBy(entries.map(({ response }) => `${response.status}`))}`);
console.log('\nOperation                requests   replies of the contract that were answered');
for (const { id, cases, declared, seen } of operations) {
  console.log(
    `${id.padEnd(24)} ${String(cases).padStart(8)}   ${seen.length} of ${declared.length}: ${seen.join(', ')}`,
  );
}
const seen = sum(operations.map((operation) => operation.seen.length));
const declared = sum(operations.map((operation) => operation.declared.length));
console.log(
  `\nSchemathesis: ${entries.length} requests to ${operations.length} operations; answered ${seen} of ${declared} replies by status and media type.`,
);

function matches(pattern: string, url: string): boolean {
  const wanted = pattern.split('/');
  const given = new URL(url).pathname.split('/');
  return (
    wanted.length === given.length && wanted.every((part, n) => part.startsWith('{') || part === given[n])
  );
}

function countBy(values: string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort()
    .map(([value, count]) => `${value}: ${count}`)
    .join(', ');
}
