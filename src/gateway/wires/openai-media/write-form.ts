import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Form, FormPart } from '../../../contract/form.ts';

/** A form as the body of a request, which can be sent as often as needed. */
export interface WrittenForm {
  readonly contentType: string;
  /** In bytes. */
  readonly length: number;
  stream(): Readable;
}

/**
 * Writes a form with all its parts as they came and in their order, but for the fields that have another value; one that it lacks
 * is put in front.
 */
export function writeForm({ parts }: Form, values: Readonly<Record<string, string>>): WrittenForm {
  const boundary = `switchyard-${randomBytes(18).toString('hex')}`;
  const missing = Object.entries(values).filter(
    ([name]) => !parts.some((part) => part.name === name && part.filename === null),
  );
  const all = [
    ...missing.map(([name, text]) => fieldOf(name, text)),
    ...parts.map((part) => {
      const value =
        part.filename === null && Object.hasOwn(values, part.name) ? values[part.name] : undefined;
      return value === undefined ? part : fieldOf(part.name, value);
    }),
  ].map((part) => ({ part, head: Buffer.from(headOf(part, boundary)) }));
  const end = Buffer.from(`--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: all.reduce((sum, { part, head }) => sum + head.length + part.length + lineEnd.length, end.length),
    stream: () => Readable.from(bytesOf(all, end), { objectMode: false }),
  };
}

const lineEnd = Buffer.from('\r\n');

async function* bytesOf(
  all: readonly { readonly part: FormPart; readonly head: Buffer }[],
  end: Buffer,
): AsyncGenerator<Buffer, undefined> {
  for (const { part, head } of all) {
    yield head;
    for await (const chunk of part.bytes()) if (chunk.length > 0) yield chunk;
    yield lineEnd;
  }
  yield end;
}

function fieldOf(name: string, text: string): FormPart {
  const bytes = Buffer.from(text);
  return {
    name,
    filename: null,
    mediaType: 'text/plain',
    transferEncoding: null,
    length: bytes.length,
    text,
    async *bytes() {
      yield bytes;
    },
  };
}

function headOf({ name, filename, mediaType, transferEncoding }: FormPart, boundary: string): string {
  const file = filename === null ? '' : `; filename="${quoted(filename)}"`;
  const type = filename === null && mediaType === 'text/plain' ? '' : `Content-Type: ${mediaType}\r\n`;
  const encoding = transferEncoding === null ? '' : `Content-Transfer-Encoding: ${transferEncoding}\r\n`;
  return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}\r\n${type}${encoding}\r\n`;
}

/** As browsers write it (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data). */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** An event as OpenAI writes those of pictures, with its name in front. */
export function namedEvent<Event extends { readonly type: string }>(event: Event): string {
  return `event: ${event.type}\n${dataEvent(event)}`;
}

/** An event as OpenAI writes those of sound and of transcripts. */
export function dataEvent<Event extends { readonly type: string }>(event: Event): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
