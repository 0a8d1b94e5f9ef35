/** @typedef {import('./api-caller.js').ApiRequest} ApiRequest */

/**
 * A call for the command line. The key stays in the environment.
 * @param {ApiRequest} request
 * @param {string} origin
 */
export function curlOf({ path, body, stream }, origin) {
  return [
    `curl ${stream ? '-N ' : ''}${origin}${path} \\`,
    '  -H "Authorization: Bearer $SWITCHYARD_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${indented(jsonOf(body)).replaceAll("'", "'\\''")}'`,
  ].join('\n');
}

/**
 * The same with `fetch`.
 * @param {ApiRequest} request
 * @param {string} origin
 */
export function fetchOf({ path, body, stream }, origin) {
  const read = stream
    ? [
        'for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {',
        '  process.stdout.write(piece);',
        '}',
      ]
    : ['console.log(await response.json());'];
  return [
    `const response = await fetch('${origin}${path}', {`,
    "  method: 'POST',",
    '  headers: {',
    "    Authorization: 'Bearer ' + process.env.SWITCHYARD_API_KEY,",
    "    'Content-Type': 'application/json',",
    '  },',
    `  body: JSON.stringify(${indented(jsonOf(body))}),`,
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    ...read,
  ].join('\n');
}

/**
 * The same with the client library, in which streams are methods of their own.
 * @param {ApiRequest} request
 * @param {string} origin
 */
export function libraryOf({ body, library, stream }, origin) {
  const path = library.path ? `\n  path: ${JSON.stringify(library.path)},` : '';
  const call = `switchyard.${library.method}({${path}\n  body: ${indented(jsonOf(body))},\n})`;
  return [
    "import { Switchyard } from '@switchyard/client';",
    '',
    'const switchyard = new Switchyard({',
    '  apiKey: process.env.SWITCHYARD_API_KEY,',
    `  baseUrl: '${origin}',`,
    '});',
    ...(stream
      ? [`for await (const event of ${call}) {`, '  console.log(event);', '}']
      : [`console.log(await ${call});`]),
  ].join('\n');
}

/** @param {unknown} value */
function jsonOf(value) {
  const short = JSON.stringify(value);
  return short.length <= 60 ? short : JSON.stringify(value, null, 2);
}

/** @param {string} text */
function indented(text) {
  return text.replaceAll('\n', '\n  ');
}
