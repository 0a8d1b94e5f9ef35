/**
 * Sends each operation of a contract, made of the contract's own examples, to a mock server of it, and holds the replies
 * against the contract.
 *
 *   node test/conformance/mocked.ts openapi.json http://127.0.0.1:4010
 */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { bodyOf, type FormField, formFields } from '../../scripts/generate/document.ts';
import {
  type Document,
  type MediaType,
  type OperationAt,
  operationsOf,
  resolve,
} from '../../src/contract/served/document.ts';

const [file = '', server = ''] = process.argv.slice(2);
const contract = JSON.parse(readFileSync(file, 'utf8')) as Document;
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(contract, 'contract');

const failures: string[] = [];
const operations = operationsOf(contract);
for (const operation of operations) {
  const failure = await mocked(operation).catch((error: unknown) => String(error));
  if (failure !== null) failures.push(`${operation.id}: ${failure}`);
}
for (const failure of failures) console.error(failure);
console.log(
  `The mock server answered ${operations.length - failures.length} of ${operations.length} operations.`,
);
process.exit(failures.length > 0 ? 1 : 0);

/** What is wrong with the mock's reply; null: nothing. */
async function mocked({ method, path, operation }: OperationAt): Promise<string | null> {
  const query = new URLSearchParams();
  let address = path;
  for (const given of operation.parameters ?? []) {
    const parameter = resolve(contract, given);
    if (parameter.in === 'path')
      address = address.replace(`{${parameter.name}}`, encodeURIComponent(exampleOf(parameter)));
    else if (parameter.in === 'query' && parameter.required) query.set(parameter.name, exampleOf(parameter));
  }
  const media = bodyOf(operation);
  const example = media && exampleBody(media);
  const form = formFields(contract, operation, example);
  const response = await fetch(`${server}${address}${query.size > 0 ? `?${query}` : ''}`, {
    method: method.toUpperCase(),
    headers: {
      authorization: `Bearer ${'a'.repeat(40)}`,
      'x-api-key': 'a'.repeat(40),
      cookie: '__Host-switchyard_admin=a; switchyard_admin=a',
      // That of a form has its boundary.
      ...(media && !form && { 'content-type': 'application/json' }),
    },
    body: form ? formData(form) : media ? JSON.stringify(example) : null,
    redirect: 'manual',
  });
  const text = await response.text();
  const declared = operation.responses[String(response.status)];
  if (!declared) return `${response.status}, which the contract does not have: ${text.slice(0, 300)}`;
  if (response.status >= 400) return `${response.status} ${text.slice(0, 300)}`;
  const { content } = resolve(contract, declared);
  if (!content) return text === '' ? null : `${response.status} with a body where there is none`;
  const type = response.headers.get('content-type')?.replace(/;.*$/, '') ?? '';
  // A mock leaves the parameters of a media type out.
  const schema = Object.entries(content).find(([declared]) => declared.replace(/;.*$/, '') === type)?.[1]
    .schema;
  if (!schema) return `${response.status} as ${type}, not ${Object.keys(content).join(' or ')}`;
  if (!type.endsWith('json')) return null;
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"contract#/')));
  return validate(JSON.parse(text))
    ? null
    : `${response.status} does not fit: ${ajv.errorsText(validate.errors)}`;
}

function exampleOf(parameter: {
  name: string;
  example?: unknown;
  schema: { [keyword: string]: unknown };
}): string {
  const schema = resolve(contract, parameter.schema);
  const examples = schema['examples'] as unknown[] | undefined;
  const allowed = schema['enum'] as unknown[] | undefined;
  const value = parameter.example ?? schema['example'] ?? examples?.[0] ?? allowed?.[0] ?? schema['const'];
  if (value === undefined) throw new Error(`the parameter ${parameter.name} has no example`);
  return String(value);
}

function formData(fields: readonly FormField[]): FormData {
  const form = new FormData();
  for (const { name, value, isFile } of fields) {
    if (isFile) form.set(name, new Blob(['a file']), value);
    else form.set(name, value);
  }
  return form;
}

function exampleBody(media: MediaType): unknown {
  const [example] = Object.values(media.examples ?? {});
  if (!example) throw new Error('the body has no example');
  return resolve(contract, example).value;
}
