/** What of other people's code is in the server's bundle: what chats need, and as a module, so strict, whatever it was written as. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Program, parse } from 'acorn';
import { analyze } from 'eslint-scope';
import { expect, it } from 'vitest';
import { bundled, startOf } from '../../../scripts/generate/server-bundle.ts';
import { root } from '../../helpers/contract.ts';

/** These assign to what they do not declare where the server never comes. */
const known = new Set(['node_modules/bintrees/lib/bintree.js']);

const { metafile } = await bundled(root);

/** Packages with more than what loads them later, each in whole KiB. */
it('loads at a start what of packages a chat needs, and no more', () => {
  const bytes = new Map<string, number>();
  for (const output of startOf(metafile)) {
    for (const [file, { bytesInOutput }] of Object.entries(metafile.outputs[output]?.inputs ?? {})) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
      if (name !== undefined) bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
    }
  }
  const large = [...bytes].filter(([, size]) => size > 24 * 1024).map(([name]) => name);
  expect(large.sort()).toEqual([
    '@opentelemetry/api',
    'find-my-way',
    'kysely',
    'lodash',
    'pino',
    'prom-client',
    'undici',
    'yaml',
  ]);
  // Its `fetch`, WebSockets, caches and mocks are most of it.
  expect(bytes.get('undici')).toBeLessThan(400 * 1024);
  // The whole has 530 KiB.
  expect(bytes.get('lodash')).toBeLessThan(64 * 1024);
  for (const name of later) expect([name, (bytes.get(name) ?? 0) < 4 * 1024]).toEqual([name, true]);
});

const later = [
  '@apidevtools/json-schema-ref-parser',
  '@fastify/busboy',
  'ajv',
  'ajv-formats',
  'esbuild',
  'js-yaml',
  'openapi-schema-validator',
  'qs',
  'standardwebhooks',
];

it('has no package that only runs where a name may be assigned that nobody declared', () => {
  const files = Object.entries(metafile.inputs)
    .filter(([name, { format }]) => name.includes('node_modules/') && format === 'cjs' && name.endsWith('js'))
    .map(([name]) => name);
  expect(files.length).toBeGreaterThan(300);
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
