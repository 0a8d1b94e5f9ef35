/**
 * Parser and schema check of the YAML file. To be imported only when there is a file: what it needs takes longer to
 * load than all the rest of the configuration.
 */
import type { ErrorObject } from 'ajv';
import { LineCounter, parseDocument, type YAMLError } from 'yaml';
import { nearest } from '../lib/nearest.ts';
import type { ConfigFile, Path } from './file.ts';
import type { FileContent } from './file-content.ts';
import { offsetOf } from './file-position.ts';
import { fileValidator } from './file-validator.ts';

const validate = await fileValidator();

/**
 * Reads and checks the file's text. What is wrong goes to `problems`, and the content is then empty, because what
 * refers to the broken part would be reported as wrong too. Values never appear in a problem: a secret may have
 * slipped into any of them.
 */
export function parseFile(name: string, text: string, problems: string[]): ConfigFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const problem: ConfigFile['problem'] = (path, wrong, part = 'value') =>
    [at(offsetOf(document, path, part)), ...(path.length ? [path.join('.')] : []), wrong].join(': ');

  const broken = [...document.errors, ...document.warnings];
  problems.push(...broken.map((error) => `${at(error.pos[0])}: ${syntaxProblem(error)}`));
  if (broken.some(({ code }) => code !== 'DUPLICATE_KEY')) return { broken: true, content: {}, problem };

  let content: unknown;
  try {
    content = document.toJS() ?? {};
  } catch {
    problems.push(
      `${name}: an alias (*name) has no anchor (&name) before it, or aliases expand without end.`,
    );
    return { broken: true, content: {}, problem };
  }
  validate(content);
  // These two keywords only repeat that something within them failed.
  const errors = (validate.errors ?? []).filter(
    ({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames',
  );
  const found = errors.map(schemaProblem).map(({ path, text, part }) => ({
    offset: offsetOf(document, path, part),
    problem: problem(path, text, part),
  }));
  found.sort((one, other) => one.offset - other.offset);
  problems.push(...found.map(({ problem }) => problem));
  if (errors.length > 0) return { broken: true, content: {}, problem };
  return { broken: false, content: content as FileContent, problem };
}

/** The parser's own messages are not used: some quote the text, which may hold a secret. */
function syntaxProblem({ code }: YAMLError): string {
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
