import { readFileSync } from 'node:fs';
import { errorOf } from './vendor-gateway.ts';

const folder = new URL('../fixtures/wires/gemini/', import.meta.url);

/** A file of what goes over Gemini's wire, written from its documentation. */
export function geminiText(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8');
}

export function geminiJson(name: string): Record<string, unknown> {
  return JSON.parse(geminiText(name));
}

/** What a function throws, which has to be a `ServiceError`. */
export function errorBy(throwing: () => unknown): ReturnType<typeof errorOf> {
  return errorOf(Promise.resolve().then(throwing));
}
