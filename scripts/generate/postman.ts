import Converter, { type Options } from 'openapi-to-postmanv2';
import { uuid } from '../../src/contract/served/collection.ts';
import {
  type Document,
  type OperationAt,
  operationsOf,
  type Parameter,
  resolve,
} from '../../src/contract/served/document.ts';
import {
  bodyOf,
  examplesOf,
  formFields,
  isForAdmin,
  mayHave,
  needsNoKey,
  takesApiKeyHeader,
} from './document.ts';
import { bodyVariable, passedInBodies, passedValues } from './postman-links.ts';
import { filePart, schemasForTests } from './postman-schemas.ts';
import { testsOf } from './postman-tests.ts';

/** A Postman collection (format 2.1), as far as we touch what the converter made. */
interface Collection {
  info: Record<string, unknown>;
  item: Folder[];
  [key: string]: unknown;
}
interface Folder {
  id: string;
  name: string;
  item: Item[];
  [key: string]: unknown;
}
interface Item {
  id: string;
  name: string;
  request: Request;
  response: {
    id: string;
    name: string;
    code: number;
    body?: string;
    originalRequest: Request;
    header: Header[];
    [key: string]: unknown;
  }[];
  event?: unknown[];
  [key: string]: unknown;
}
interface Header {
  key: string;
  value: string;
}
interface Url {
  path: string[];
  query?: Query[];
  [key: string]: unknown;
}
interface Query {
  key: string;
  value?: string;
  disabled?: boolean;
  [key: string]: unknown;
}
interface Request {
  method: string;
  url: Url;
  header: Header[];
  body?: { raw: string } | { mode: 'formdata'; formdata: object[] };
  auth?: unknown;
  [key: string]: unknown;
}

/**
 * What is deleted may be needed by other requests of the folder, which is run from its beginning to its end. The last of them comes
 * first: signing out ends the session that another one is to end.
 */
function deletionsLast(items: readonly Item[]): Item[] {
  const deletes = ({ request }: Item) => request.method === 'DELETE';
  return [...items.filter((item) => !deletes(item)), ...items.filter(deletes).reverse()];
}

/**
 * The Postman collection: a folder a tag, a request for every example of every operation, with tests that hold each
 * reply against the contract. Ids are hashes of what they name, so that the same contract gives the same bytes.
 */
export async function postmanCollection(document: Document): Promise<Collection> {
  const collection = await convert(document);
  const operations = new Map(
    operationsOf(document).map((at) => [`${at.method.toUpperCase()} ${at.path}`, at]),
  );
  const folders = collection.item.filter((folder) => folder.item.length > 0);
  return {
    info: {
      _postman_id: uuid('collection'),
      name: document.info.title,
      description: `${document.info.summary} Fill in the variable \`apiKey\`, and \`adminPassword\` for what an administrator does.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: bearer('{{apiKey}}'),
    variable: [
      { key: 'baseUrl', value: document.servers[0]?.url ?? '' },
      { key: 'apiKey', value: '' },
      { key: 'adminPassword', value: '' },
      ...[...new Map(passedValues(document).map(({ variable, example }) => [variable, example]))].map(
        ([key, value]) => ({ key, value }),
      ),
      ...passedInBodies.map((passed) => ({ key: bodyVariable(passed), value: exampleIn(document, passed) })),
      ...partsOfSegments(document),
      { key: 'planned', value: plannedOperations(document).join(' ') },
      { key: 'schemas', value: JSON.stringify(schemasForTests(document)) },
    ],
    item: folders.map((folder) => ({
      id: uuid(folder.name),
      name: folder.name,
      description: folder['description'],
      item: deletionsLast(folder.item).flatMap((item) => {
        const key = `${item.request.method} /${item.request.url.path.map(template).join('/')}`;
        const at = operations.get(key);
        if (!at) throw new Error(`the collection has a request that the contract lacks: ${key}`);
        return requestsOf(document, at, item);
      }),
    })),
  };
}

/** What the example of a body has in a field. */
function exampleIn(document: Document, { to, field }: { to: string; field: string }): string {
  const at = operationsOf(document).find(({ id }) => id === to);
  const media = at && bodyOf(at.operation);
  const [example] = media ? examplesOf(document, media) : [];
  return String((example?.[2] as Record<string, unknown> | undefined)?.[field] ?? '');
}

/** The parameters that are part of a segment, such as the `{model}` of `{model}:generateContent`: those are variables of the collection. */
function partsOfSegments(document: Document): { key: string; value: string }[] {
  const found = operationsOf(document).flatMap(({ path, operation }) =>
    [...path.matchAll(/\{(\w+)\}(?=[^/])/g)].map(([, name = '']): [string, string] => {
      const parameters = (operation.parameters ?? []).map((given) => resolve<Parameter>(document, given));
      return [name, String(parameters.find((parameter) => parameter.name === name)?.example ?? '')];
    }),
  );
  return [...new Map(found)].map(([key, value]) => ({ key, value }));
}

/** The operations that a server does not have until its operator opens them. */
function plannedOperations(document: Document): string[] {
  const planned = operationsOf(document).filter(
    ({ operation }) => operation['x-lifecycle'].stage === 'planned',
  );
  return planned.map(({ id }) => id);
}

function bearer(value: string) {
  return { type: 'bearer', bearer: [{ key: 'token', value, type: 'string' }] };
}

const apiKeyHeader = {
  type: 'apikey',
  apikey: [
    { key: 'key', value: 'X-API-Key', type: 'string' },
    { key: 'value', value: '{{apiKey}}', type: 'string' },
    { key: 'in', value: 'header', type: 'string' },
  ],
};

function convert(document: Document): Promise<Collection> {
  const options: Options = {
    folderStrategy: 'Tags',
    requestNameSource: 'Fallback',
    parametersResolution: 'Example',
    exampleParametersResolution: 'Example',
  };
  const data = structuredClone(document);
  // The converter complains about properties that cannot be there.
  for (const schema of Object.values(data.components.schemas)) {
    for (const name of Object.keys(schema.properties ?? {})) {
      if (!mayHave(schema, name)) delete schema.properties?.[name];
    }
  }
  return new Promise((fulfil, reject) => {
    Converter.convertV2({ type: 'json', data }, options, (error, result) => {
      const made = result?.output?.[0]?.data;
      if (error || !result?.result || !made) reject(error ?? new Error(`no collection: ${result?.reason}`));
      else fulfil(made as unknown as Collection);
    });
  });
}

/** One request for each example body, or one where the operation takes none. */
function requestsOf(document: Document, at: OperationAt, item: Item): Item[] {
  const media = bodyOf(at.operation);
  const bodies = media ? examplesOf(document, media) : [['', '', undefined] as const];
  return bodies.map(([name, summary, body], n) => {
    const request = withBody(document, item.request, body, at);
    return {
      id: uuid(at.id, name),
      name: summary ? `${at.operation.summary}: ${summary}` : at.operation.summary,
      request,
      // The saved replies stand under the first request of an operation only; they are the same for all.
      response: n > 0 ? [] : savedReplies(at.id, item),
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: testsOf(document, at, body) } }],
    };
  });
}

/**
 * The replies that are saved under a request. Errors, which are alike for all operations and were half of the collection, are
 * left to the documentation. What was sent for a reply is the request above it, so that it is only named.
 */
function savedReplies(id: string, { response }: Item): Item['response'] {
  return response
    .filter(({ code }) => code < 400)
    .map(({ originalRequest: { method, url }, header, ...reply }, n) => ({
      ...reply,
      id: uuid(id, 'response', String(n)),
      originalRequest: { method, url: withRaw({ host: url['host'], path: url.path }), header: [] },
      header: header.filter(({ key }) => key.toLowerCase() === 'content-type'),
    }));
}

/** With the address as a text, which importers such as Bruno's read in place of its parts. */
function withRaw({ raw: _, ...url }: Url): Url {
  const query = (url.query ?? []).filter(({ disabled }) => disabled !== true);
  const search = query.map(({ key, value }) => `${key}=${value ?? ''}`).join('&');
  return { raw: `{{baseUrl}}/${url.path.join('/')}${search && `?${search}`}`, ...url };
}

/** The administrator's password is a variable, as the one of the example opens no server, and so is what an earlier request has made. */
function bodyText(id: string, body: unknown): string {
  const withVariable = (name: string, value: unknown) => {
    if (name === 'password') return '{{adminPassword}}';
    const passed = passedInBodies.find(({ to, field }) => to === id && field === name);
    return passed ? `{{${bodyVariable(passed)}}}` : value;
  };
  return JSON.stringify(body, withVariable, 2);
}

/** The values in a path that an earlier request has made, as variables of the collection. */
function withPassedValues(document: Document, id: string, url: Url): Url {
  const passed = passedValues(document).filter(({ to }) => to === id);
  const given = (url['variable'] ?? []) as { key: string; value: unknown }[];
  const variable = given.map((one) => {
    const found = passed.find(({ parameter }) => parameter === one.key);
    return found ? { ...one, value: `{{${found.variable}}}` } : one;
  });
  return given.length > 0 ? { ...url, variable } : url;
}

function withBody(
  document: Document,
  request: Request,
  body: unknown,
  { id, operation }: OperationAt,
): Request {
  const { auth: _, body: given, ...rest } = request;
  const form = formFields(document, operation, body ?? {});
  return {
    ...rest,
    url: withRaw(withPassedValues(document, id, withoutCursor(request.url))),
    // Postman names the type of a form itself, with its boundary.
    header: request.header
      .map(withOwnKey)
      .filter(({ key }) =>
        key.toLowerCase() === 'content-type'
          ? form === null
          : key.toLowerCase() !== 'accept' || body === undefined || form !== null,
      ),
    ...(needsNoKey(operation) ? { auth: { type: 'noauth' } } : {}),
    ...(isForAdmin(operation) ? { auth: bearer('{{adminPassword}}') } : {}),
    ...(takesApiKeyHeader(operation) ? { auth: apiKeyHeader } : {}),
    ...(form && {
      body: {
        mode: 'formdata',
        formdata: form.map(({ name, value, isFile }) =>
          isFile ? filePart(name, value) : { key: name, type: 'text', value },
        ),
      },
    }),
    ...(given && body !== undefined && !form ? { body: { ...given, raw: bodyText(id, body) } } : {}),
  };
}

/** A key that every request sent would get the answer of the first: Postman makes one for each. */
function withOwnKey(header: Header): Header {
  return header.key.toLowerCase() === 'idempotency-key' ? { ...header, value: '{{$guid}}' } : header;
}

/** A cursor is good only where a page has given it, so it is shown for the user to fill in, and not sent. */
function withoutCursor({ query, ...url }: Url): Url {
  if (query === undefined) return url;
  return {
    ...url,
    query: query.map((each) => (each.key === 'cursor' ? { ...each, value: '', disabled: true } : each)),
  };
}

/** Postman writes a path parameter as `:job_id`, the contract as `{job_id}`. */
function template(segment: string): string {
  // A parameter with something behind it, such as `{model}:generateContent`, is a variable there.
  if (segment.startsWith('{{')) return segment.replace('{{', '{').replace('}}', '}');
  return segment.startsWith(':') ? `{${segment.slice(1)}}` : segment;
}
