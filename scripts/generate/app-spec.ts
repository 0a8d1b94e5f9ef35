import { type Document, resolve, type Schema } from '../../src/contract/served/document.ts';
import { readableJson } from './json.ts';

/** Where a schema of the contract is referred to. */
const prefix = '#/components/schemas/';

/**
 * TypeScript source of the JSON Schema of an app's spec, with all that it refers to, and of the lists of names in it, so
 * that they stand once: in the contract.
 */
export function appSpecSource(document: Document): string {
  const $defs: Record<string, Schema> = {};
  const collect = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref' || typeof inner !== 'string') {
        collect(inner);
        continue;
      }
      const name = inner.slice(prefix.length);
      if (name in $defs) continue;
      $defs[name] = resolve(document, { $ref: inner });
      collect($defs[name]);
    }
  };
  collect({ $ref: `${prefix}AppSpec` });
  const { AppSpec, ...others } = $defs;
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'AppSpec', ...AppSpec };
  const local = readableJson(
    JSON.parse(
      JSON.stringify({ ...schema, $defs: others }, withoutOpenApiWords).replaceAll(prefix, '#/$defs/'),
    ),
  ).trimEnd();
  const lists = [
    ['templateNames', 'TemplateId'],
    ['langs', 'AppLanguage'],
    ['fieldTypes', 'AppValueType'],
    ['features', 'AppFeature'],
  ].map(([name, id = '']) => `export const ${name} = ${JSON.stringify($defs[id]?.['enum'])} as const;\n`);
  return `${lists.join('')}export const appSpecSchema = ${local} as const;\n`;
}

/** Formats that only say how large a number is are words of OpenAPI, not of JSON Schema. */
function withoutOpenApiWords(key: string, value: unknown): unknown {
  return key === 'format' && (value === 'int32' || value === 'int64') ? undefined : value;
}
