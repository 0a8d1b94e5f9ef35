import { type CodeSample, type Document, examplesOf, type OperationAt } from './document.ts';

/**
 * Code samples of an operation in curl, JavaScript and Python, made from the examples of its request body. They
 * take the key from the environment variable `SWITCHYARD_API_KEY`.
 */
export function codeSamples(document: Document, { method, path, operation }: OperationAt): CodeSample[] {
  const media = operation.requestBody?.content['application/json'];
  const bodies = media ? examplesOf(document, media) : [['', '', undefined] as const];
  const needsKey = operation.security.length > 0;
  const base = document.servers[0]?.url ?? '';
  return bodies.flatMap(([, summary, body]) => {
    const call = { method: method.toUpperCase(), url: base + path, needsKey, body, streams: streams(body) };
    const suffix = summary ? ` · ${summary}` : '';
    return [
      { lang: 'Shell', label: `curl${suffix}`, source: curl(call) },
      { lang: 'JavaScript', label: `JavaScript${suffix}`, source: javaScript(call) },
      { lang: 'Python', label: `Python${suffix}`, source: python(call) },
    ];
  });
}

interface Call {
  method: string;
  url: string;
  needsKey: boolean;
  body: unknown;
  streams: boolean;
}

function streams(body: unknown): boolean {
  return (body as { stream?: boolean } | undefined)?.stream === true;
}

function curl({ method, url, needsKey, body, streams }: Call): string {
  const lines = [`curl ${streams ? '-N ' : ''}${method === 'GET' || body ? '' : `-X ${method} `}${url}`];
  if (needsKey) lines.push('-H "Authorization: Bearer $SWITCHYARD_API_KEY"');
  if (body)
    lines.push(
      '-H "Content-Type: application/json"',
      `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
    );
  return lines.join(' \\\n  ');
}

function javaScript({ method, url, needsKey, body, streams }: Call): string {
  const headers = [
    ...(needsKey ? ['Authorization: "Bearer " + process.env.SWITCHYARD_API_KEY'] : []),
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
        'for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {',
        '  process.stdout.write(chunk);',
        '}',
      ]
    : ['console.log(await response.json());'];
  return [`const response = await fetch('${url}'${request});`, ...reading].join('\n');
}

function python({ method, url, needsKey, body, streams }: Call): string {
  const options = [
    ...(needsKey ? ['    headers={"Authorization": f"Bearer {os.environ[\'SWITCHYARD_API_KEY\']}"},'] : []),
    ...(body ? [`    json=${indent(pythonLiteral(body), 4)},`] : []),
    ...(streams ? ['    stream=True,'] : []),
  ];
  const request = options.length > 0 ? `\n    "${url}",\n${options.join('\n')}\n` : `"${url}"`;
  const reading = streams
    ? ['for line in response.iter_lines(decode_unicode=True):', '    print(line)']
    : ['print(response.json())'];
  return [
    ...(needsKey ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(${request})`,
    ...reading,
  ].join('\n');
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
