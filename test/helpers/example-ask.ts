import {
  type Document,
  examplesOf,
  type Operation,
  resolve,
  type Schema,
} from '../../src/contract/served/document.ts';

/** A body as it is sent, with the media type that it has where that is not JSON. */
export interface ExampleBody {
  readonly body?: unknown;
  readonly headers?: { readonly 'content-type': string };
}

/** Whether an operation takes a form in place of JSON. */
export function takesForm({ requestBody }: Operation): boolean {
  return requestBody?.content['multipart/form-data'] !== undefined;
}

/** The body of a request from the first of the contract's examples; one with other fields where they are given. */
export function exampleBody(contract: Document, { requestBody }: Operation, other: object = {}): ExampleBody {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!media) return {};
  const example = examplesOf(contract, media)[0]?.[2];
  if (type !== 'multipart/form-data') {
    const isObject = typeof example === 'object' && example !== null;
    return { body: isObject ? { ...example, ...other } : example };
  }
  const { properties = {} } = resolve(contract, media.schema);
  return form({ ...(example as Record<string, unknown>), ...other }, (name) =>
    isFile(resolve<Schema>(contract, properties[name] ?? {})),
  );
}

const isFile = (schema: Schema) => schema['format'] === 'binary' || 'contentMediaType' in schema;
const boundary = 'of-an-example';

function form(
  fields: Readonly<Record<string, unknown>>,
  isFileField: (name: string) => boolean,
): ExampleBody {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const parts = given.flatMap(([name, value]) => {
    const file = isFileField(name);
    const about = `name="${name}"${file ? `; filename="${value}"` : ''}`;
    const bytes = file ? fileNamed(String(value)) : Buffer.from(String(value));
    const head = `--${boundary}\r\ncontent-disposition: form-data; ${about}\r\n\r\n`;
    return [Buffer.from(head), bytes, Buffer.from('\r\n')];
  });
  return {
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

/** A picture of one pixel, or a tenth of a second of silence. */
export function fileNamed(name: string): Buffer {
  return name.endsWith('.png')
    ? Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      )
    : Buffer.concat([
        Buffer.from('UklGRkQDAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YSADAAA=', 'base64'),
        Buffer.alloc(800, 128),
      ]);
}
