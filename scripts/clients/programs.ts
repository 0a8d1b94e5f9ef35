import { programsOf, type Sample, samplesOf } from './samples.ts';

/** A program that the documentation prints to show an operation in a language, and that the live tests run. */
export interface Program {
  readonly operationId: string;
  readonly source: string;
}

/**
 * All programs in a language, one for each operation. Each is a whole file, which is printed as it is run. Those of a language
 * whose samples are pieces of a live test are made of the pieces: how the client is made, then each call of the operation.
 */
export function printedIn(language: string): Program[] {
  const whole = [...programsOf(language)].map(([operationId, source]) => ({ operationId, source }));
  const samples = samplesOf(language);
  const start = samples.filter(({ operationId }) => operationId === 'start');
  const ids = [...new Set(samples.map(({ operationId }) => operationId))].filter((id) => id !== 'start');
  const made = ids.map((operationId) => {
    const calls = samples.filter((sample) => sample.operationId === operationId);
    return { operationId, source: programOf(language, operationId, [...start, ...calls]) };
  });
  return [...whole, ...made];
}

type Piece = Pick<Sample, 'title' | 'source'>;

/** The whole program of an operation, as it is in its file but for the line break at its end. */
export function programOf(language: string, operationId: string, pieces: readonly Piece[]): string {
  switch (language) {
    case 'go':
      return goProgram(joined('//', pieces));
    case 'php':
      return phpProgram(pieces);
    case 'java':
      return javaProgram(operationId, pieces);
    default:
      return joined('#', pieces);
  }
}

const goPackages = ['context', 'errors', 'fmt', 'io', 'log', 'os'];

function goProgram(body: string): string {
  const used = goPackages
    .filter((name) => new RegExp(`\\b${name}\\.`).test(body))
    .map((name) => `\t"${name}"`);
  const imports = [...used, '', '\t"github.com/switchyard/switchyard-go"'];
  return `package main\n\nimport (\n${imports.join('\n')}\n)\n\nfunc main() {\n${indented('\t', body)}\n}`;
}

function phpProgram(pieces: readonly Piece[]): string {
  const { top, rest } = lifted(/^use .*;$/, pieces);
  return `<?php\n\n${top}\n\nrequire __DIR__ . '/vendor/autoload.php';\n\n${joined('//', rest)}`;
}

function javaProgram(operationId: string, pieces: readonly Piece[]): string {
  const { top, rest } = lifted(/^import .*;$/, pieces);
  const main = `public static void main(String[] args) throws Exception {\n${indented('    ', joined('//', rest))}\n}`;
  return `${top}\n\npublic class ${javaClassOf(operationId)} {\n${indented('    ', main)}\n}`;
}

/** The class that the program of an operation is in Java, in a file of the same name. */
export function javaClassOf(operationId: string): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1);
}

function joined(comment: string, pieces: readonly Piece[]): string {
  return pieces.map(({ title, source }) => (title ? `${comment} ${title}\n${source}` : source)).join('\n\n');
}

function indented(by: string, text: string): string {
  return text.replaceAll(/^(?=.)/gm, by);
}

/** The lines that have to stand at the top of a file, each once and sorted, and the pieces without them. */
function lifted(isTop: RegExp, pieces: readonly Piece[]): { top: string; rest: Piece[] } {
  const top = new Set<string>();
  const rest = pieces.map(({ title, source }) => {
    const lines = source.split('\n');
    for (const line of lines) if (isTop.test(line)) top.add(line);
    return {
      title,
      source: lines
        .filter((line) => !isTop.test(line))
        .join('\n')
        .trim(),
    };
  });
  return { top: [...top].sort().join('\n'), rest };
}
