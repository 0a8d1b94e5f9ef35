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
