/**
 * Parser and schema check of the YAML file. To be imported only when there is a file: its dependencies take longer to load
 * than all the rest of the configuration.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ErrorObject, ValidateFunction } from 'ajv';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLError,
} from 'yaml';
import type { DialectSettings } from '../gateway/dialects/rules.ts';
import type { ProviderSettings } from '../gateway/upstream/settings.ts';
import { isNetwork } from '../lib/address.ts';
import { nearest } from '../lib/nearest.ts';
import { isDay, isMoment } from '../lib/utc.ts';
import { fileSchema } from './file-schema.ts';
import type { FromSchema } from './object-schema.ts';
import { isIssuer, parseHttpUrl } from './setting-types.ts';

/** Stands for the file when there is none. @param broken: or when it cannot be read */
export function noFile(problems: string[], broken = false): ConfigFile {
  return { broken, content: {}, report: (_path, text) => void problems.push(text) };
}

/**
 * The validator of the YAML file. `scripts/build.ts` compiles it ahead, as that takes 0.15 s of each start; if it has not,
 * or the schema has changed since, it is compiled here.
 */

/** How Ajv compiles it. */
export const validatorOptions = { allErrors: true, verbose: true } as const;

/** The schema's values of `format`, beside those of JSON Schema. */
export const fileFormats: Readonly<Record<string, (text: string) => boolean>> = {
  'base-url': (text) => parseHttpUrl(text) !== null,
  issuer: isIssuer,
  network: (text) => isNetwork(text),
  day: isDay,
  moment: isMoment,
};

/** Where the compiled form is: a module whose first line is a comment with the digest of the schema. */
const validatorFile = new URL('../../build/config-file.js', import.meta.url);

const validate = await fileValidator();

/**
 * Reads and checks the file's text. Errors go to `problems`, and the content is then empty, because references to the
 * broken part would be reported as wrong too. Values never appear in a problem: a secret may have slipped into any of them.
 */
export function parseFile(name: string, text: string, problems: string[]): ConfigFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const problem = (path: Path, wrong: string, part: 'key' | 'value' = 'value') =>
    [at(offsetOf(document, path, part)), ...(path.length ? [path.join('.')] : []), wrong].join(': ');

  const unusable: ConfigFile = {
    broken: true,
    content: {},
    report: (...wrong) => void problems.push(problem(...wrong)),
  };

  const broken = [...document.errors, ...document.warnings];
  const first = broken.find(({ code }) => code !== 'DUPLICATE_KEY');
  // Where the parser has lost its way, what follows is no mistake of its own.
  const shown = first === undefined ? broken : [first];
  problems.push(...shown.map((error) => `${at(error.pos[0])}: ${syntaxProblem(error, text)}`));
  if (first !== undefined) return unusable;

  let content: unknown;
  try {
    content = document.toJS() ?? {};
  } catch {
    problems.push(
      `${name}: an alias (*name) has no anchor (&name) before it, or aliases expand without end.`,
    );
    return unusable;
  }
  validate(content);
  // These two keywords only repeat that something within them failed.
  const errors = (validate.errors ?? []).filter(
    ({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames',
  );
  const found = errors
    .filter(saysWhatIsExpected)
    .map(schemaProblem)
    .map(({ path, text, part }) => ({
      offset: offsetOf(document, path, part),
      problem: problem(path, text, part),
    }));
  found.sort((one, other) => one.offset - other.offset);
  problems.push(...found.map(({ problem }) => problem));
  return errors.length > 0 ? unusable : { ...unusable, broken: false, content: content as FileContent };
}

/** The parser's own messages are not used: some quote the text, which may hold a secret. */
function syntaxProblem({ code, pos }: YAMLError, text: string): string {
  if (text[pos[0]] === '{' && text[pos[0] - 1] === '$')
    return `within { } or [ ], YAML reads the brace of a variable as a map; expected quotes around the whole value, such as "\${NAME}".`;
  switch (code) {
    case 'DUPLICATE_KEY':
      return 'this key is there twice; expected each key once.';
    case 'BAD_INDENT':
      return 'wrong indentation or an open bracket; expected entries of one map or list in one column.';
    case 'TAB_AS_INDENT':
      return 'a tab as indentation; expected spaces.';
    case 'NON_STRING_KEY':
      return 'a key that is no text; expected a name.';
    case 'MULTIPLE_DOCS':
      return 'a second document; expected a single one.';
    case 'TAG_RESOLVE_FAILED':
      return 'an unknown tag; expected a plain value.';
    default:
      return `not YAML (${code}); expected quotes around text with special characters, and each bracket closed.`;
  }
}

/** A part of a value that is described as a whole has no description, and fails together with the whole. */
function saysWhatIsExpected({ keyword, parentSchema }: ErrorObject): boolean {
  const inWords = keyword === 'additionalProperties' || keyword === 'required';
  return inWords || parentSchema?.['description'] !== undefined;
}

/** Where a broken rule of the schema is shown, and what was expected there. */
function schemaProblem(error: ErrorObject): { path: Path; text: string; part: 'key' | 'value' } {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const schema = error.parentSchema ?? {};
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params['additionalProperty']);
    const known = Object.keys(schema['properties'] as object);
    const meant = nearest(key, known);
    const hint = meant ? `did you mean \`${meant}\`?` : `expected one of ${known.join(', ')}.`;
    return { path: [...path, key], text: `unknown key; ${hint}`, part: 'key' };
  }
  if (error.keyword === 'required') {
    return {
      path,
      text: `expected the key \`${error.params['missingProperty']}\`, which is missing.`,
      part: 'key',
    };
  }
  const text = `expected ${schema['description']}.`;
  if (error.propertyName !== undefined) return { path: [...path, error.propertyName], text, part: 'key' };
  return { path, text, part: 'value' };
}

/** A step of a JSON Pointer as the key that it stands for (RFC 6901, section 4). */
function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * Offset in the text of what a path leads to, or of the last thing on the way that is there.
 * @param part of the last map entry: its key or its value.
 */
function offsetOf(document: Document, path: Path, part: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, step] of path.entries()) {
    const entry = child(resolveAlias(node, document), step);
    if (entry === undefined) break;
    const last = depth === path.length - 1;
    node = isPair(entry) ? entry.value : entry;
    const shown = isPair(entry) && last && part === 'key' ? entry.key : node;
    offset = startOf(shown) ?? offset;
  }
  return offset;
}

function child(node: unknown, step: string): unknown {
  if (isMap(node)) return node.items.find(({ key }) => isScalar(key) && String(key.value) === step);
  if (isSeq(node)) return node.items[Number(step)];
  return undefined;
}

function resolveAlias(node: unknown, document: Document): Node | unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

export function validatorHead(): string {
  return `// ${createHash('sha256').update(JSON.stringify(fileSchema)).digest('base64url')}\n`;
}

export async function fileValidator(): Promise<ValidateFunction> {
  if (isCompiledAhead()) {
    const { validatorWith } = (await import(validatorFile.href)) as {
      validatorWith: (formats: typeof fileFormats) => ValidateFunction;
    };
    return validatorWith(fileFormats);
  }
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  return new Ajv2020({ ...validatorOptions, formats: fileFormats }).compile(fileSchema);
}

/** Whether what was compiled ahead is there, and of this schema. */
export function isCompiledAhead(): boolean {
  try {
    return readFileSync(validatorFile, 'utf8').startsWith(validatorHead());
  } catch {
    return false;
  }
}

/** Keys and indexes from the top of the file to a value. */
export type Path = readonly string[];

/** The optional YAML file, read. */
export interface ConfigFile {
  /** Whether there is a file that could not be used; its content is then empty. */
  readonly broken: boolean;
  readonly content: FileContent;
  /** Reports a problem, with the file, line and column (from 1) and path. */
  report(path: Path, text: string, part?: 'key' | 'value'): void;
}

/** The sections of the file, once it is checked against its schema. */
type Written = FromSchema<typeof fileSchema>;
type EntryOf<Section extends keyof Written> = NonNullable<Written[Section]>[keyof NonNullable<
  Written[Section]
>];
type ItemOf<List> = NonNullable<List> extends readonly (infer Item)[] ? Item : never;

export type ProviderEntry = Omit<EntryOf<'providers'>, 'dialect' | 'speaks'> & {
  readonly speaks?: ProviderSettings['speaks'];
  readonly dialect?: string | ({ readonly like?: string } & DialectSettings['rules']);
};
export type ModelEntry = EntryOf<'models'>;
/** Limits of a plan; null: unlimited. Omitted ones stay as in the documented tables. */
export type PlanEntry = NonNullable<EntryOf<'plans'>>;
export type PriceEntry = EntryOf<'prices'>;
export type PricedEntry = Omit<PriceEntry, 'currency' | 'changes'>;
/** For a million tokens. */
export type RatesEntry = Omit<PricedEntry, 'tiers'>;
export type ExchangeRateEntry = EntryOf<'exchange_rates'>;
export type AgentEntry = EntryOf<'agents'>;
export type McpServerEntry = EntryOf<'mcp_servers'>;
export type McpOAuthEntry = NonNullable<McpServerEntry['oauth']>;
export type FeatureEntry = EntryOf<'features'>;
export type OidcEntry = ItemOf<NonNullable<Written['sign_in']>['oidc']>;
export type JwtEntry = ItemOf<NonNullable<Written['sign_in']>['jwt']>;

/** The file's content. To add a section, add it to the sections of the schema. */
export type FileContent = Omit<Written, 'providers'> & {
  readonly providers?: Readonly<Record<string, ProviderEntry>>;
};
