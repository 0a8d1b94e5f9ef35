import { pythonLiteral } from '../clients/python/sample.ts';
import type { Call } from './code-samples.ts';

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
