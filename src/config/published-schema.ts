import { fileSchema } from './file-schema.ts';

/** Our own formats in standard terms. A pattern may accept values that the server refuses. */
const formats: Readonly<Record<string, object>> = {
  'base-url': { format: 'uri', pattern: '^https?://[^\\s@?#]+$' },
  day: { format: 'date' },
  issuer: { format: 'uri', pattern: '^https?://[^\\s@?#]+$' },
  moment: { pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?Z)?$' },
  network: { pattern: '^[0-9A-Fa-f.:]+(/\\d{1,3})?$' },
};

/** The JSON Schema (2020-12) of the YAML file, for editors: the server's own schema of the file, in standard terms. */
export function publishedSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration file of Switchyard',
    ...(standard(fileSchema) as object),
  };
}

function standard(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(standard);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { format, ...rest } = schema as Readonly<Record<string, unknown>>;
  const others = Object.fromEntries(Object.entries(rest).map(([name, held]) => [name, standard(held)]));
  if (format === undefined) return others;
  // A property of this name holds a schema; the keyword holds a text.
  if (typeof format !== 'string') return { ...others, format: standard(format) };
  return { ...others, ...(formats[format] ?? { format }) };
}
