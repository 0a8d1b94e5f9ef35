import type { DeclaredFeature } from '../../contract/served/own-operations.ts';
import type { JsonSchema } from '../../lib/json-schema.ts';

export type Engine = DeclaredFeature['engines'][number];
export type FeatureExample = DeclaredFeature['examples'][number];

/** The input and output of a feature, by its declaration: a file in `openapi/features/` or the operator's YAML. */
export interface FeatureDeclaration extends DeclaredFeature {
  readonly name: string;
  /** Maximum number of tokens in the answer of a model. */
  readonly maxTokens: number;
}

/** A feature that the operator has declared. */
export interface OwnFeature extends FeatureDeclaration {
  /** The prompt of the model, with `{{input.field}}` where the input goes. */
  readonly prompt: string;
  /** The model that answers unless the call names one; null: the default model. */
  readonly model: string | null;
  /** 0 to 2; null: the one that suits the output. */
  readonly temperature: number | null;
}

/** A prompt with slots for the input. */
export type Template = (input: Readonly<Record<string, unknown>>) => string;

/** A prompt that cannot be used. The message says why. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

type Part = string | Slot;

interface Slot {
  /** The field of the input; null for the whole input. */
  readonly field: string | null;
  /** The tag around it. */
  readonly tag: 'untrusted' | 'caller' | null;
}

/**
 * Reads a prompt. `{{input.field}}` is where a field of the input goes, `{{input}}` all of it as JSON. Values that the
 * caller can choose freely are put between `<untrusted>` and `</untrusted>`, or with `{{trusted input.field}}` between
 * `<caller>` and `</caller>`, and cannot hold these tags itself; numbers, truth values and words out of a list go in as
 * they are. Throws `TemplateError` for a slot that names no field of the schema.
 */
export function parseTemplate(text: string, schema: JsonSchema): Template {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(/\{\{\s*(trusted\s+)?(\S[^{}]*?)?\s*\}\}/g)) {
    parts.push(text.slice(end, match.index), slotOf(match[2] ?? '', match[1] !== undefined, schema));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return (input) => parts.map((part) => (typeof part === 'string' ? part : filled(part, input))).join('');
}

function slotOf(name: string, trusted: boolean, schema: JsonSchema): Slot {
  const tag = trusted ? 'caller' : 'untrusted';
  if (name === 'input') return { field: null, tag };
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const field = name.replace(/^input\./, '');
  if (!name.startsWith('input.') || !Object.hasOwn(properties, field)) {
    const known = ['input', ...Object.keys(properties).map((key) => `input.${key}`)].join(', ');
    throw new TemplateError(`\`{{${name}}}\` names no field of the input; expected one of ${known}`);
  }
  return { field, tag: isClosed(properties[field]) ? null : tag };
}

/** Whether the caller can only choose what the declaration has foreseen. */
function isClosed(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return false;
  if ('enum' in schema || 'const' in schema) return true;
  if (['number', 'integer', 'boolean'].includes(String(schema['type']))) return true;
  return schema['type'] === 'array' && isClosed(schema['items'] as JsonSchema | undefined);
}

function filled({ field, tag }: Slot, input: Readonly<Record<string, unknown>>): string {
  const value = field === null ? input : input[field];
  if (value === undefined || value === null) return '(none given)';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (tag === null) return text;
  const line = text.includes('\n') || text.length > 80 ? '\n' : '';
  return `<${tag}>${line}${withoutTags(text)}${line}</${tag}>`;
}

/** Text that cannot close its surrounding tag: tags lose their bracket. */
function withoutTags(text: string): string {
  return text.replaceAll(/<(?=\s*\/?\s*(?:untrusted|caller)\b)/gi, '&lt;');
}
