/** What of other people's code is in the server's bundle: a module, and so strict, whatever it was written as. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Program, parse } from 'acorn';
import { analyze } from 'eslint-scope';
import { expect, it } from 'vitest';
import { bundled } from '../../../scripts/generate/server-bundle.ts';
import { root } from '../../helpers/contract.ts';

/** These assign to what they do not declare where the server never comes. */
const known = new Set(['node_modules/bintrees/lib/bintree.js']);

it('has no package that only runs where a name may be assigned that nobody declared', async () => {
  const { metafile } = await bundled(root);
  const files = Object.entries(metafile.inputs)
    .filter(([name, { format }]) => name.includes('node_modules/') && format === 'cjs' && name.endsWith('js'))
    .map(([name]) => name);
  expect(files.length).toBeGreaterThan(500);
  const assigned = files
    .filter((name) => !known.has(name))
    .flatMap((name) =>
      undeclaredIn(readFileSync(path.join(root, name), 'utf8')).map((one) => `${name}: ${one}`),
    );
  expect(assigned).toEqual([]);
});

/** The names that a program assigns and does not declare. */
function undeclaredIn(text: string): readonly string[] {
  const options = {
    ecmaVersion: 'latest',
    sourceType: 'script',
    ranges: true,
    allowReturnOutsideFunction: true,
  } as const;
  const isStrict = (program: Program) => {
    const [first] = program.body;
    return first?.type === 'ExpressionStatement' && first.directive === 'use strict';
  };
  const program = parse(text, options);
  if (isStrict(program)) return [];
  // As Node.js wraps it, and refused where it says what only others may say.
  const module = parse(`'use strict'; (function (exports, require, module) { ${text}\n})`, options);
  const { globalScope } = analyze(module as never, { ecmaVersion: 2022, sourceType: 'script' });
  // What `eval` may declare is not known, and esbuild leaves such names alone.
  const dynamic = /\beval\(/.test(text);
  return (globalScope?.through ?? [])
    .filter((reference) => reference.isWrite() && !dynamic)
    .map(({ identifier }) => (identifier as { name: string }).name);
}
