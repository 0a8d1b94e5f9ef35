import {
  type Document,
  operationsOf,
  repliesOf,
  resolve,
  type Schema,
} from '../../src/contract/served/document.ts';

/** What describes and does not assert. */
const annotations = new Set(['description', 'title', 'default', 'example', 'examples', 'discriminator']);
/** The formats that Postman's validator knows, of those that the contract has; it fails on any other. */
const formats = new Set(['date-time', 'date', 'uri', 'email', 'uuid']);

/** Every schema that replies reach, by its name, with what asserts something and refers to others under `$defs`. */
export function schemasForTests(document: Document): Record<string, unknown> {
  const reached: Record<string, unknown> = {};
  const visit = (text: string) => {
    for (const [reference, name = ''] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (name in reached) continue;
      const target = resolve<Schema>(document, { $ref: reference });
      reached[name] = asserting(target);
      visit(JSON.stringify(target));
    }
  };
  for (const { operation } of operationsOf(document)) {
    const contents = repliesOf(document, operation).map(([, { content = {} }]) => Object.values(content));
    visit(JSON.stringify(contents.flat().map(({ schema }) => schema)));
  }
  return JSON.parse(JSON.stringify(reached).replaceAll('#/components/schemas/', '#/$defs/'));
}

function asserting(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !annotations.has(keyword) &&
      !keyword.startsWith('x-') &&
      !(keyword === 'format' && !formats.has(String(value))),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, assertingIn(keyword, value)]));
}

function assertingIn(keyword: string, value: unknown): unknown {
  if (keyword === 'const' || keyword === 'enum' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => assertingIn('', one));
  if (keyword !== 'properties' && keyword !== 'patternProperties') return asserting(value as Schema);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, assertingIn('', one)]));
}

/**
 * The files that forms of the collection send, inside the collection: a file with a path is on no computer but that of who wrote
 * it. Each is made of ASCII characters and as small as its kind can be.
 */
const files: Readonly<Record<string, { readonly contentType: string; readonly value: string }>> = {
  'requests.jsonl': {
    contentType: 'application/jsonl',
    value: `${JSON.stringify({
      custom_id: 'one',
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello!' }] },
    })}\n`,
  },
  // The beginning of a GIF of one pixel, whatever its name says, and that of an MP3 file.
  'yard.png': { contentType: 'image/gif', value: 'GIF89a\u0001\0\u0001\0\0\0\0;' },
  'recording.mp3': { contentType: 'audio/mpeg', value: 'ID3\u0004\0\0\0\0\0\0' },
};

/** A part of a form that is a file for the server, and a text for Postman. */
export function filePart(key: string, fileName: string) {
  const file = files[fileName];
  if (!file) throw new Error(`the example of a form has a file ${fileName}, which postman-files.ts lacks`);
  const description = 'A small file of the collection. For one of yours, choose the type File.';
  return { key, type: 'text', ...file, fileName, description };
}
