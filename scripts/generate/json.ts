/** JSON as people read it: a list or an object stands on one line where it fits. */
export function readableJson(value: unknown): string {
  return `${written(value, '', 0)}\n`;
}

const width = 140;

/** @param taken columns that the line has already */
function written(value: unknown, indent: string, taken: number): string {
  const line = inOneLine(value);
  if (indent.length + taken + line.length <= width || typeof value !== 'object' || value === null)
    return line;
  const inner = `${indent}  `;
  const entries = Array.isArray(value)
    ? value.map((item) => written(item, inner, 1))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => {
          const key = `${JSON.stringify(name)}: `;
          return key + written(item, inner, key.length + 1);
        });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${entries.map((entry) => inner + entry).join(',\n')}\n${indent}${close}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (entries.length === 0) return '{}';
  return `{ ${entries.map(([name, item]) => `${JSON.stringify(name)}: ${inOneLine(item)}`).join(', ')} }`;
}
