import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { Document } from '../../src/contract/served/document.ts';
import type { Kind } from '../../src/factory/kind.ts';
import { readableJson } from './json.ts';

/** A kind as it is written. */
interface Written extends Omit<Kind, 'examplePrompts' | 'look' | 'icon' | 'copy' | 'variants'> {
  readonly example_prompts: readonly string[];
  readonly look?: Kind['look'];
  readonly icon?: string;
  readonly copy?: Kind['copy'];
  readonly variants?: Kind['variants'];
  readonly cues?: unknown;
}

/** The kinds of apps by name: every folder with a `kind.yaml`. Throws where one does not fit its schema. */
export function readKinds(folder: string): Record<string, Kind> {
  const schema = JSON.parse(readFileSync(path.join(folder, 'kind.schema.json'), 'utf8')) as object;
  const validate = new Ajv2020({ allErrors: true, strict: true }).compile<Written>(schema);
  const names = readdirSync(folder).filter((name) => existsSync(path.join(folder, name, 'kind.yaml')));
  return Object.fromEntries(
    names.sort().map((name) => {
      const written: unknown = parse(readFileSync(path.join(folder, name, 'kind.yaml'), 'utf8'));
      if (!validate(written)) {
        const [first] = validate.errors ?? [];
        throw new Error(`kinds/${name}/kind.yaml: ${first?.instancePath} ${first?.message}`);
      }
      const {
        example_prompts: examplePrompts,
        look = 'soft',
        icon = 'shapes',
        copy = {},
        variants = {},
        cues: _,
        ...rest
      } = written;
      return [name, { ...rest, examplePrompts, look, icon, copy, variants }];
    }),
  );
}

/** Says in the contract which kinds there are. */
export function addKinds(document: Document, names: readonly string[]): void {
  const ids = document.components.schemas['TemplateId'];
  if (!ids) throw new Error('the contract has no schema "TemplateId"');
  ids['enum'] = [...names];
}

/** TypeScript source of the kinds. */
export function kindsSource(kinds: Readonly<Record<string, Kind>>): string {
  return [
    "import type { Kind } from '../src/factory/kind.ts';",
    "import type { TemplateId } from './types.gen.ts';",
    '',
    `export const kinds: Readonly<Record<TemplateId, Kind>> = ${readableJson(kinds).trimEnd()};`,
    '',
  ].join('\n');
}
