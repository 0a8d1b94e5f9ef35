import {
  type CodeSample,
  type Document,
  examplePath,
  examplesOf,
  isForAdmin,
  mediaTypesOf,
  type Operation,
  type OperationAt,
} from './document.ts';

/**
 * Code samples of an operation in curl, JavaScript and Python, each with one call for every example of its request
 * body. They take the key from the environment variable `SWITCHYARD_API_KEY`, the administrator's password from
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
    streams: (body as { stream?: boolean } | undefined)?.stream === true,
    json: types.length === 0 || types.includes('application/json'),
  }));
  const join = (comment: string, write: (call: Call) => string) =>
    calls.map((call) => (call.title ? `${comment} ${call.title}\n` : '') + write(call)).join('\n\n');
  return [
    { lang: 'curl', label: 'curl', source: join('#', curl) },
    { lang: 'JavaScript', label: 'JavaScript', source: join('//', javaScript) },
    { lang: 'Python', label: 'Python', source: `${pythonImports(calls)}\n\n${join('#', python)}` },
  ];
}

function keyOf(operation: Operation): string | null {
  if (operation.security.length === 0) return null;
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
  streams: boolean;
  /** Whether the answer is JSON; otherwise it is text. */
  json: boolean;
}

function curl({ method, url, key, body, streams }: Call): string {
  const lines = [`curl ${streams ? '-N ' : ''}${method === 'GET' || body ? '' : `-X ${method} `}${url}`];
  if (key) lines.push(`-H "Authorization: Bearer $${key}"`);
  if (body)
    lines.push('-H "Content-Type: application/json"', `-d '${bodyText(body).replaceAll("'", "'\\''")}'`);
  return lines.join(' \\\n  ');
}

/** A long body is easier to read over several lines. */
function bodyText(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length > 72 ? indent(JSON.stringify(body, null, 2), 2) : line;
}

function javaScript({ name, method, url, key, body, streams, json }: Call): string {
  const headers = [
    ...(key ? [`Authorization: "Bearer " + process.env.${key}`] : []),
    ...(body ? ["'Content-Type': 'application/json'"] : []),
  ];
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
    : [`console.log(await ${name}.${json ? 'json' : 'text'}());`];
  return [`const ${name} = await fetch('${url}'${request});`, ...reading].join('\n');
}

function pythonImports(calls: Call[]): string {
  return calls.some((call) => call.key !== null) ? 'import os\n\nimport requests' : 'import requests';
}

function python({ name, method, url, key, body, streams, json }: Call): string {
  const options = [
    ...(key ? [`    headers={"Authorization": f"Bearer {os.environ['${key}']}"},`] : []),
    ...(body ? [`    json=${indent(pythonLiteral(body), 4)},`] : []),
    ...(streams ? ['    stream=True,'] : []),
  ];
  const request = options.length > 0 ? `\n    "${url}",\n${options.join('\n')}\n` : `"${url}"`;
  const reading = streams
    ? [`for line in ${name}.iter_lines(decode_unicode=True):`, '    print(line)']
    : [`print(${name}.${json ? 'json()' : 'text'})`];
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
