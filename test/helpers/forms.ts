/** Forms of operations that take them, made from their examples. */
import { examplesOf, type Operation, resolve, type Schema } from '../../src/contract/served/document.ts';
import { contract } from './contract.ts';

const type = 'multipart/form-data';
const boundary = 'example-boundary';

export const formHeaders = { 'content-type': `${type}; boundary=${boundary}` };

/** Whether an operation takes a form and no JSON. */
export function takesForm({ requestBody }: Operation): boolean {
  return requestBody?.content[type] !== undefined;
}

/** The form of its first example: a file by its name, with a beginning as files of its kind have it. */
export function exampleForm({ requestBody }: Operation): Buffer {
  const media = requestBody?.content[type];
  if (!media) throw new Error('The operation takes no form.');
  const { properties = {} } = resolve<Schema>(contract, media.schema);
  const values = examplesOf(contract, media)[0]?.[2] as Readonly<Record<string, unknown>>;
  return formOf(
    Object.entries(values).map(([name, value]) => {
      const file = resolve<Schema>(contract, properties[name] ?? {})['format'] === 'binary';
      const text = String(value);
      return file ? { name, filename: text, bytes: contentOf(text) } : { name, bytes: Buffer.from(text) };
    }),
  );
}

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly bytes: Buffer;
}

export function formOf(parts: readonly Part[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ name, filename, bytes }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`,
      ),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

/** Files of the examples' names, as they begin. */
const exampleFiles: ReadonlyMap<string, Buffer> = new Map([
  ['yard.png', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['recording.mp3', Buffer.from('ID3')],
]);

function contentOf(name: string): Buffer {
  const bytes = exampleFiles.get(name);
  if (!bytes) throw new Error(`There is no example of the file ${name}.`);
  return bytes;
}
