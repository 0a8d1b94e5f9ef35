import { readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '../fixtures/wires');

/** The text of a file among the fixtures of the wires, for example `openai-chat/text.sse`. */
export function wireText(name: string): string {
  return readFileSync(path.join(folder, name), 'utf8');
}

/** The same, parsed as JSON. */
export function wireJson(name: string): Record<string, unknown> {
  return JSON.parse(wireText(name)) as Record<string, unknown>;
}
