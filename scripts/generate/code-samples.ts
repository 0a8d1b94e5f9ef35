import {
  type CodeSample,
  type Document,
  isForeign,
  mediaTypesOf,
  type Operation,
  type OperationAt,
  type Parameter,
  resolve,
} from '../../src/contract/served/document.ts';
import { passesParts } from '../clients/contract.ts';
import { javaScriptSample } from '../clients/javascript/sample.ts';
import { printedIn } from '../clients/programs.ts';
import { pythonLiteral, pythonSample } from '../clients/python/sample.ts';
import { programsOf } from '../clients/samples.ts';
import {
  bodyOf,
  examplePath,
  examplesOf,
  type FormField,
  formFields,
  isBinary,
  isForAdmin,
  needsNoKey,
  takesApiKeyHeader,
} from './document.ts';

/**
 * Code samples of an operation: in curl with one call for every example of its request body, and with the client libraries. Each
 * is a whole program, and all are run as they are printed, those of the libraries by their live tests. They take the key from the
 * environment variable `SWITCHYARD_API_KEY`, the administrator's password from `ADMIN_PASSWORD`, the token of the metrics from
 * `METRICS_TOKEN`. Redoc finds a sample by these labels.
 */
export function codeSamples(document: Document, at: OperationAt): CodeSample[] {
  const calls = callsOf(document, at);
  // What these are for is called by their vendors' own clients.
  if (isForeign(at.operation)) return [{ lang: 'curl', label: 'curl', source: joined('#', calls, curl) }];
  const isOfInterface = interfaceTags(document).includes(at.operation.tags[0]);
  const typed = calls.filter(({ body }) => !passesParts(body));
  const javaScriptSource =
    programs.javascript.get(at.id) ??
    (isOfInterface ? javaScriptSample(at.id, typed) : joined('//', calls, javaScript));
  const pythonSource =
    programs.python.get(at.id) ??
    (isOfInterface ? pythonSample(at, typed) : null) ??
    `${pythonImports(calls)}\n\n${joined('#', calls, python)}`;
  return [
    { lang: 'curl', label: 'curl', source: joined('#', calls, curl) },
    { lang: 'JavaScript', label: 'JavaScript', source: javaScriptSource },
    { lang: 'Python', label: 'Python', source: pythonSource },
    ...librarySamples(at.id),
  ];
}

/** What a file is called that its reply gives no name. */
const fileNames: Readonly<Record<string, string>> = { 'audio/mpeg': 'answer.mp3' };

function joined(comment: string, calls: readonly Call[], write: (call: Call) => string): string {
  return calls.map((call) => (call.title ? `${comment} ${call.title}\n` : '') + write(call)).join('\n\n');
}

/** A call for each example of the body of an operation. */
function callsOf(document: Document, at: OperationAt): Call[] {
  const { method, operation } = at;
  const media = bodyOf(operation);
  const types = mediaTypesOf(document, operation);
  const bodies = media ? examplesOf(document, media) : [['response', '', undefined] as const];
  const parameters = (operation.parameters ?? []).map((given) => resolve<Parameter>(document, given));
  const path = parameters.filter((parameter) => parameter.in === 'path');
  return bodies.map(([name, summary, body]) => ({
    name,
    title: summary,
    method: method.toUpperCase(),
    url: (document.servers[0]?.url ?? '') + examplePath(document, at),
    path: Object.fromEntries(path.map((parameter) => [parameter.name, parameter.example])),
    key: keyOf(operation),
    body,
    form: formFields(document, operation, body),
    keyHeader: takesApiKeyHeader(operation) ? ('X-API-Key' as const) : ('Authorization' as const),
    // A foreign interface streams when the body says so.
    streams: types.includes('text/event-stream') && !isForeign(operation),
    file: types.some(isBinary),
    fileName: isForeign(operation) ? (fileNames[types[0] ?? ''] ?? 'answer') : null,
    reads: readingOf(types),
    isText: types.length > 0 && types.every((type) => type.startsWith('text/')),
  }));
}

/** The tags of the chat and the factory interface, which the libraries are for. */
function interfaceTags(document: Document): string[] {
  const groups = document['x-tagGroups'] as { name: string; tags: string[] }[];
  return groups.filter(({ name }) => name.endsWith(' interface')).flatMap(({ tags }) => tags);
}

const programs = { javascript: programsOf('javascript'), python: programsOf('python') };

const otherLibraries = [
  { name: 'go', lang: 'Go' },
  { name: 'ruby', lang: 'Ruby' },
  { name: 'php', lang: 'PHP' },
  { name: 'java', lang: 'Java' },
].map(({ name, lang }) => ({ lang, programs: printedIn(name) }));

/** How the other client libraries call an operation. */
function librarySamples(id: string): CodeSample[] {
  return otherLibraries.flatMap(({ lang, programs }) =>
    programs
      .filter(({ operationId }) => operationId === id)
      .map(({ source }) => ({ lang, label: lang, source })),
  );
}

function keyOf(operation: Operation): string | null {
  if (needsNoKey(operation)) return null;
  if (operation.security.some((requirement) => 'metricsAccess' in requirement)) return 'METRICS_TOKEN';
  return isForAdmin(operation) ? 'ADMIN_PASSWORD' : 'SWITCHYARD_API_KEY';
}

/** A call of an operation, as samples make it. */
export interface Call {
  /** Name of the variable that holds the response. */
  name: string;
  title: string;
  method: string;
  url: string;
  /** The examples of the parameters in the path. */
  path: Readonly<Record<string, unknown>>;
  /** Environment variable with the key; null where none is needed. */
  key: string | null;
  body: unknown;
  /** The fields of a form; null: the body is JSON. */
  form: readonly FormField[] | null;
  keyHeader: 'Authorization' | 'X-API-Key';
  streams: boolean;
  /** Whether the answer is a file to keep. */
  file: boolean;
  /** How the file is to be called; null: as its reply says. */
  fileName: string | null;
  /** What there is to see of the answer: its body as JSON or as text, or no more than its status. */
  reads: 'json' | 'text' | 'status';
  /** Whether its media type says that it is a text, as libraries go by that. */
  isText: boolean;
}

function readingOf(types: readonly string[]): Call['reads'] {
  if (types.length === 0) return 'status';
  return types.includes('application/json') ? 'json' : 'text';
}

export function curl(call: Call): string {
  const { method, url, key, keyHeader, body, form, streams, file, fileName } = call;
  const flags = `${streams ? '-N ' : ''}${file ? (fileName === null ? '-OJ ' : `-o ${fileName} `) : ''}`;
  const implied = body ? 'POST' : 'GET';
  const lines = [`curl ${flags}${method === implied ? '' : `-X ${method} `}${url}`];
  if (key) lines.push(`-H "${keyHeader}: ${keyHeader === 'Authorization' ? 'Bearer ' : ''}$${key}"`);
  if (form) {
    for (const { name, value, isFile } of form)
      lines.push(`-F ${quoted(`${name}=${isFile ? '@' : ''}${value}`)}`);
  } else if (body)
    lines.push('-H "Content-Type: application/json"', `-d '${bodyText(body).replaceAll("'", "'\\''")}'`);
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return /^[\w.@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A long body is easier to read over several lines. */
function bodyText(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length > 72 ? indent(JSON.stringify(body, null, 2), 2) : line;
}

export function javaScript({ name, method, url, key, keyHeader, body, streams, file, reads }: Call): string {
  const credentials =
    keyHeader === 'Authorization'
      ? `Authorization: "Bearer " + process.env.${key}`
      : `'X-API-Key': process.env.${key}`;
  const headers = [...(key ? [credentials] : []), ...(body ? ["'Content-Type': 'application/json'"] : [])];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body ? [`  body: JSON.stringify(${indent(JSON.stringify(body, null, 2), 2)}),`] : []),
  ];
  const request = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  const reading = streams
    ? [
        `for await (const chunk of ${name}.body.pipeThrough(new TextDecoderStream())) {`,
        '  process.stdout.write(chunk);',
        '}',
      ]
    : file
      ? [`await fs.writeFile('build.zip', await ${name}.bytes());`]
      : [`console.log(${reads === 'status' ? `${name}.status` : `await ${name}.${reads}()`});`];
  const imports = file ? ["import fs from 'node:fs/promises';\n"] : [];
  return [...imports, `const ${name} = await fetch('${url}'${request});`, ...reading].join('\n');
}

export function pythonImports(calls: Call[]): string {
  return calls.some((call) => call.key !== null) ? 'import os\n\nimport requests' : 'import requests';
}

export function python({ name, method, url, key, keyHeader, body, streams, file, reads }: Call): string {
  const credentials =
    keyHeader === 'Authorization'
      ? `"Authorization": f"Bearer {os.environ['${key}']}"`
      : `"X-API-Key": os.environ["${key}"]`;
  const options = [
    ...(key ? [`    headers={${credentials}},`] : []),
    ...(body ? [`    json=${indent(pythonLiteral(body), 4)},`] : []),
    ...(streams ? ['    stream=True,'] : []),
  ];
  const request = options.length > 0 ? `\n    "${url}",\n${options.join('\n')}\n` : `"${url}"`;
  const reading = streams
    ? [`for line in ${name}.iter_lines(decode_unicode=True):`, '    print(line)']
    : file
      ? ['with open("build.zip", "wb") as file:', `    file.write(${name}.content)`]
      : [`print(${name}.${{ json: 'json()', text: 'text', status: 'status_code' }[reads]})`];
  return [`${name} = requests.${method.toLowerCase()}(${request})`, ...reading].join('\n');
}

function indent(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`);
}
