import {
  type Document,
  examplesOf,
  type Operation,
  resolve,
  type Schema,
} from '../../src/contract/served/document.ts';
import { ask } from './http.ts';

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

/** The file that the contract's examples speak of. */
export const exampleFileId = 'file-sy01k9z3v7q4w8x2m6n5b1c0d9ef';

/** Uploads the file that the examples speak of. @returns its id */
export async function uploadExampleFile(url: string): Promise<string> {
  const bytes = fileNamed('requests.jsonl');
  const sent = form({ purpose: 'batch', file: 'requests.jsonl' }, (name) => name === 'file');
  const { json } = await ask(`${url}/v1/files`, { ...sent, direct: true });
  if (json.bytes !== bytes.length) throw new Error(`The file was not taken: ${JSON.stringify(json)}`);
  return json.id;
}

/** A picture of one pixel, a batch of one request, or a tenth of a second of silence. */
export function fileNamed(name: string): Buffer {
  if (name.endsWith('.jsonl')) {
    const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello!' }] };
    const line = { custom_id: 'one', method: 'POST', url: '/v1/chat/completions', body };
    return Buffer.from(`${JSON.stringify(line)}\n`);
  }
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
