import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { errorOf } from './vendor-gateway.ts';

const folder = path.join(import.meta.dirname, '../fixtures/wires');
const read = new Map<string, Readonly<Record<string, unknown>>>();

/** One of the fixtures of the wires, for example `openai-chat/text.sse`. */
function fixture(name: string): unknown {
  const [file = '', entry = ''] = name.split('/');
  const entries = read.get(file) ?? parse(readFileSync(path.join(folder, `${file}.yaml`), 'utf8'));
  read.set(file, entries);
  if (!Object.hasOwn(entries, entry)) throw new Error(`test/fixtures/wires/${file}.yaml has no ${entry}`);
  return entries[entry];
}

/** Its text, as it goes over the wire. */
export function wireText(name: string): string {
  const text = fixture(name);
  if (typeof text !== 'string') return `${JSON.stringify(text, null, 2)}\n`;
  return name.startsWith('gemini/') ? text.replaceAll('\n', '\r\n') : text;
}

/** The same, parsed as JSON. */
export function wireJson(name: string): Record<string, unknown> {
  return JSON.parse(wireText(name)) as Record<string, unknown>;
}

/** The same of Gemini's wire. */
export const geminiText = (name: string) => wireText(`gemini/${name}`);
export const geminiJson = (name: string) => wireJson(`gemini/${name}`);

/** What a function throws, which has to be a `ServiceError`. */
export function errorBy(throwing: () => unknown): ReturnType<typeof errorOf> {
  return errorOf(Promise.resolve().then(throwing));
}
