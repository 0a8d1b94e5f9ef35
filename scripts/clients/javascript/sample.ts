import type { Call } from '../../generate/code-samples.ts';

/** A program that calls an operation with the library, once for each example of its body. */
export function javaScriptSample(id: string, calls: readonly Call[]): string {
  return [
    "import { Switchyard } from '@switchyard/client';",
    'const switchyard = new Switchyard();',
    ...calls.map((call) => (call.title ? `// ${call.title}\n` : '') + source(id, call)),
  ].join('\n\n');
}

function source(id: string, { name, path, body, streams, reads, isText }: Call): string {
  const given = {
    ...(Object.keys(path).length > 0 ? { path } : {}),
    ...(body === undefined ? {} : { body }),
  };
  const call = `switchyard.${id}(${Object.keys(given).length > 0 ? literal(given) : ''})`;
  if (streams) return `for await (const event of ${call}) {\n  console.log(event.type);\n}`;
  // What is neither JSON nor of a type of texts is a Blob.
  const printed = reads === 'text' && !isText ? `await ${name}.text()` : name;
  return `const ${name} = await ${call};\nconsole.log(${printed});`;
}

/** A value as it is written by hand: names without quotation marks, texts in single ones. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((member) => literal(member, inner))
    : Object.entries(value).map(([name, member]) => {
        const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
        return `${key}: ${literal(member, inner)}`;
      });
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (members.length === 0) return open + close;
  const line = open === '{' ? `{ ${members.join(', ')} }` : `[${members.join(', ')}]`;
  if (line.length + indent.length < 60 && !line.includes('\n')) return line;
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${close}`;
}
