import type { OperationAt } from '../../../src/contract/served/document.ts';
import type { Call } from '../../generate/code-samples.ts';
import { pythonName, snakeCase } from './names.ts';

/** A program that calls an operation with the library, once for each example of its body; null for an old name of another. */
export function pythonSample(at: OperationAt, calls: readonly Call[]): string | null {
  const name = pythonName(at);
  if (!name) return null;
  const method = `client.${name.resource}.${name.method}`;
  return [
    'from switchyard import Switchyard',
    'client = Switchyard()',
    ...calls.map((call) => (call.title ? `# ${call.title}\n` : '') + source(method, call)),
  ].join('\n\n');
}

function source(method: string, { name, path, body, streams, reads }: Call): string {
  const variable = snakeCase(name);
  const given = [
    ...Object.values(path).map((value) => pythonLiteral(value)),
    ...Object.entries((body ?? {}) as object).map(([name, value]) => `${name}=${pythonLiteral(value)}`),
  ];
  const line = given.join(', ');
  const call =
    line.length < 80 && !line.includes('\n')
      ? `${method}(${line})`
      : `${method}(\n${given.map((value) => `    ${value.replaceAll('\n', '\n    ')},\n`).join('')})`;
  if (streams) return `for event in ${call}:\n    print(event.type_)`;
  return reads === 'status' ? call : `${variable} = ${call}\nprint(${variable})`;
}

const words: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

/** A value as a literal of Python. A text in JSON is one in Python too. */
export function pythonLiteral(value: unknown): string {
  const word = words.get(value);
  if (word) return word;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Array.isArray(value)
    ? value.map(pythonLiteral)
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${pythonLiteral(member)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const line = open + members.join(', ') + close;
  if (line.length < 72 && !line.includes('\n')) return line;
  const indented = members.map((member) => `    ${member.replaceAll('\n', '\n    ')},\n`);
  return `${open}\n${indented.join('')}${close}`;
}
