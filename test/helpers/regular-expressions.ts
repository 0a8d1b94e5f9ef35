/** Finds the regular expressions of the sources, and texts that make those slow that can be made slow. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from './contract.ts';

export interface Expression {
  /** File and line. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Those that stand in the sources. */
export function writtenExpressions(): Expression[] {
  const folder = path.join(root, 'src');
  const found: Expression[] = [];
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:ts|js)$/.test(file)) continue;
    const text = readFileSync(path.join(folder, file), 'utf8');
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
        found.push({ place: `${file}:${line}`, source, flags });
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  return found;
}

/** Those that are put together while something runs. */
export async function madeExpressions(run: () => Promise<void>): Promise<Expression[]> {
  const found = new Map<string, Expression>();
  const { RegExp: original } = globalThis;
  const read = (name: 'source' | 'flags', made: RegExp) =>
    String(Reflect.get(original.prototype, name, made));
  globalThis.RegExp = new Proxy(original, {
    construct(target, given, newTarget) {
      const made = Reflect.construct(target, given, newTarget) as RegExp;
      // Not those of a class of its own, which may not be whole yet.
      const [source, flags] = [read('source', made), read('flags', made)];
      const place = /\/src\/(\S+?)\)?$/m.exec(new Error().stack ?? '')?.[1] ?? 'somewhere';
      found.set(`${flags} ${source}`, { place, source, flags });
      return made;
    },
  });
  try {
    await run();
  } finally {
    globalThis.RegExp = original;
  }
  return [...found.values()];
}

/** What is repeated against every expression: blanks, marks and letters that classes often share. */
const pumps = [' ', '.', ',', '-', '’', "'", '"', '(', '«', '/', ':', 'a', 'ª', 'A', '0', '\t', '\n'];
const morePumps = [
  'a ',
  'A ',
  'a, ',
  'a-',
  'a’',
  '. ',
  '0 ',
  '0-',
  'a@',
  'a.',
  ' a b',
  '( ',
  '{{',
  '~',
  '`',
  '<',
];
/** What ends an attack, so that the expression has to try everything else. */
const ends = ['', '\u0001', ' x!', 'n', '\n'];

/**
 * Texts of a length that repeat what an expression may take in several ways, behind the words that lead to it.
 * @param length in characters
 */
export function attacksOn({ source }: Expression, length: number): string[] {
  const words = [...new Set(source.match(/\p{L}{2,}/gu))]
    .filter((word) => !/^(?:Lu|Ll|sc|Latin|Cyrillic)$/.test(word))
    .slice(0, 60);
  const leads = ['', 'a ', 'ab ', 'a: ', ...words.slice(0, 10).map((word) => `${word} `), ...marked(source)];
  const attack = (lead: string, pump: string, end: string) =>
    (lead + pump.repeat(Math.ceil(length / pump.length))).slice(0, length - end.length) + end;
  return [
    ...leads.flatMap((lead) =>
      [...pumps, ...morePumps].flatMap((pump) => ends.slice(0, 3).map((end) => attack(lead, pump, end))),
    ),
    ...words.flatMap((word) =>
      [`${word} `, ` ${word}`, word, `${word}, `].flatMap((pump) =>
        ends.map((end) => attack('ab ', pump, end)),
      ),
    ),
  ];
}

/** Words with the mark that an expression has behind them. */
function marked(source: string): string[] {
  return [...source.matchAll(/(\p{L}+)\\?([/:.])/gu)].slice(0, 6).map(([, word, mark]) => `${word}${mark} `);
}
