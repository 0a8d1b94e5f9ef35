import {
  type CodeSample,
  type Document,
  examplePath,
  examplesOf,
  isBinary,
  isForAdmin,
  mediaTypesOf,
  needsNoKey,
  type Operation,
  type OperationAt,
  takesApiKeyHeader,
} from '../../src/contract/served/document.ts';
import { samplesOf } from '../clients/samples.ts';

/**
 * Code samples of an operation: in curl with one call for every example of its request body, and with the client libraries,
 * where the live tests have one; what is shown is what they run. Otherwise in plain JavaScript and Python, as in curl, which
 * the tests run too. They take the key from the environment variable `SWITCHYARD_API_KEY`, the administrator's password from
 * `ADMIN_PASSWORD`, the token of the metrics from `METRICS_TOKEN`. Redoc finds a sample by these labels.
 */
export function codeSamples(document: Document, at: OperationAt): CodeSample[] {
  const { method, operation } = at;
  const media = operation.requestBody?.content['application/json'];
  const types = mediaTypesOf(document, operation);
  const bodies = media ? examplesOf(document, media) : [['response', '', undefined] as const];
  const calls = bodies.map(([name, summary, body]) => ({
    name,
    title: summary,
    method: method.toUpperCase(),
    url: (document.servers[0]?.url ?? '') + examplePath(document, at),
    key: keyOf(operation),
    body,
    keyHeader: takesApiKeyHeader(operation) ? ('X-API-Key' as const) : ('Authorization' as const),
    streams: types.includes('text/event-stream'),
    file: types.some(isBinary),
    reads: readingOf(types),
  }));
  const join = (comment: string, write: (call: Call) => string) =>
    calls.map((call) => (call.title ? `${comment} ${call.title}\n` : '') + write(call)).join('\n\n');
  const tested = librarySamples(at.id);
  const own = (lang: string) => tested.some((sample) => sample.lang === lang);
  const plain = [
    { lang: 'JavaScript', label: 'JavaScript', source: join('//', javaScript) },
    { lang: 'Python', label: 'Python', source: `${pythonImports(calls)}\n\n${join('#', python)}` },
  ];
  return [
    { lang: 'curl', label: 'curl', source: join('#', curl) },
    ...plain.filter(({ lang }) => !own(lang)),
    ...tested,
  ];
}

const libraries = [
  { name: 'javascript', lang: 'JavaScript', comment: '//' },
  { name: 'python', lang: 'Python', comment: '#' },
  { name: 'go', lang: 'Go', comment: '//' },
  { name: 'ruby', lang: 'Ruby', comment: '#' },
  { name: 'php', lang: 'PHP', comment: '//' },
  { name: 'java', lang: 'Java', comment: '//' },
].map((library) => ({ ...library, samples: samplesOf(library.name) }));

/** How the client libraries call an operation, from their live tests. */
function librarySamples(id: string): CodeSample[] {
  return libraries.flatMap(({ lang, comment, samples }) => {
    const calls = samples.filter(({ operationId }) => operationId === id);
    if (calls.length === 0) return [];
    const start = samples.filter(({ operationId }) => operationId === 'start').map(({ source }) => source);
    const shown = calls.map(({ title, source }) => (title ? `${comment} ${title}\n${source}` : source));
    return [{ lang, label: lang, source: [...start, ...shown].join('\n\n') }];
  });
}

function keyOf(operation: Operation): string | null {
  if (needsNoKey(operation)) return null;
  if (operation.security.some((requirement) => 'metricsAccess' in requirement)) return 'METRICS_TOKEN';
  return isForAdmin(operation) ? 'ADMIN_PASSWORD' : 'SWITCHYARD_API_KEY';
}

interface Call {
  /** Name of the variable that holds the response. */
  name: string;
  title: string;
  method: string;
  url: string;
  /** Environment variable with the key; null where none is needed. */
  key: string | null;
  body: unknown;
  keyHeader: 'Authorization' | 'X-API-Key';
  streams: boolean;
  /** Whether the answer is a file to keep. */
  file: boolean;
  /** What there is to see of the answer: its body as JSON or as text, or no more than its status. */
  reads: 'json' | 'text' | 'status';
}

function readingOf(types: readonly string[]): Call['reads'] {
  if (types.length === 0) return 'status';
  return types.includes('application/json') ? 'json' : 'text';
}

function curl({ method, url, key, keyHeader, body, streams, file }: Call): string {
  const flags = `${streams ? '-N ' : ''}${file ? '-OJ ' : ''}`;
  const implied = body ? 'POST' : 'GET';
  const lines = [`curl ${flags}${method === implied ? '' : `-X ${method} `}${url}`];
  if (key) lines.push(`-H "${keyHeader}: ${keyHeader === 'Authorization' ? 'Bearer ' : ''}$${key}"`);
  if (body)
    lines.push('-H "Content-Type: application/json"', `-d '${bodyText(body).replaceAll("'", "'\\''")}'`);
  return lines.join(' \\\n  ');
}

/** A long body is easier to read over several lines. */
function bodyText(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length > 72 ? indent(JSON.stringify(body, null, 2), 2) : line;
}

function javaScript({ name, method, url, key, keyHeader, body, streams, file, reads }: Call): string {
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

function pythonImports(calls: Call[]): string {
  return calls.some((call) => call.key !== null) ? 'import os\n\nimport requests' : 'import requests';
}

function python({ name, method, url, key, keyHeader, body, streams, file, reads }: Call): string {
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

/** JSON is Python but for three words; none of our examples holds them inside a string. */
function pythonLiteral(value: unknown): string {
  return JSON.stringify(value, null, 4).replace(/\b(true|false|null)\b(?=[,\n]|$)/g, (word) =>
    word === 'true' ? 'True' : word === 'false' ? 'False' : 'None',
  );
}
