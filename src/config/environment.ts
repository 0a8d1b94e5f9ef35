import { nearest } from '../lib/nearest.ts';
import { Misfit, type SettingType } from './setting-types.ts';
import type { SettingTable, ValuesOf } from './settings.ts';

const prefix = 'SWITCHYARD_';

/** Variables of clients: an operator who also calls the server has them in the same shell. */
const clientVariables: ReadonlySet<string> = new Set(['SWITCHYARD_API_KEY', 'SWITCHYARD_BASE_URL']);

/** `process.env`, or what stands for it in a test. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where values of variables come from, other than the environment. */
interface Sources {
  /** Paths of the files that hold them, by the names of the variables. */
  readonly files: ReadonlyMap<string, string>;
  /** Variables whose value cannot be had, which is reported. */
  readonly broken: ReadonlySet<string>;
}

const noSources: Sources = { files: new Map(), broken: new Set() };

/** The variable's value without the blanks around it; null when it is empty or not set. */
export function variable(env: Environment, name: string): string | null {
  return (Object.hasOwn(env, name) && env[name]?.trim()) || null;
}

/**
 * Reads a table of settings. A wrong one goes to `problems` and leaves its value undefined, against its type, so
 * that the rest can be checked too; the caller throws before anyone sees it.
 */
export function readSettings<Table extends SettingTable>(
  table: Table,
  env: Environment,
  problems: string[],
  { files, broken }: Sources = noSources,
): ValuesOf<Table> {
  const values = Object.entries(table).map(([field, { name, type, defaultText }]) => {
    if (broken.has(name)) return [field, undefined];
    const text = variable(env, name) ?? defaultText;
    try {
      return [field, text === null ? null : type.read(text)];
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      problems.push(describe(name, type, String(text), error.message, files.get(name) ?? null));
      return [field, undefined];
    }
  });
  return Object.fromEntries(values) as ValuesOf<Table>;
}

/** Reports variables that carry our name and mean nothing: most likely a setting that is misspelt. */
export function checkNames(env: Environment, known: readonly string[], problems: string[]): void {
  for (const name of Object.keys(env)) {
    if (!name.startsWith(prefix) || known.includes(name)) continue;
    if (clientVariables.has(name) || isServiceLink(name, env)) continue;
    const meant = nearest(withoutPrefix(name), known.map(withoutPrefix));
    const setting = known.find((candidate) => withoutPrefix(candidate) === meant);
    problems.push(`${name} is not a setting${setting ? `; did you mean ${setting}?` : '.'}`);
  }
}

function withoutPrefix(name: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** Whether Kubernetes made the variable, as it does in every pod beside a service whose name begins with ours. */
function isServiceLink(name: string, env: Environment): boolean {
  const made = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/;
  return variable(env, 'KUBERNETES_SERVICE_HOST') !== null && made.test(name);
}

function describe(
  name: string,
  type: SettingType<unknown>,
  text: string,
  reason: string,
  file: string | null,
): string {
  const held = type.secret ? 'holds a wrong value, not shown here' : `is ${JSON.stringify(printable(text))}`;
  const source = file === null ? name : `${name}, from the file ${JSON.stringify(file)},`;
  return `${source} ${held}; expected ${type.expected}${reason && `, but ${reason}`}.`;
}

/** The start of a value, without what may be a secret in it: a URL's credentials and query. */
function printable(text: string): string {
  const safe = text.replace(/\/\/.*@/s, '//…@').replace(/\?.*$/s, '?…');
  return safe.length > 80 ? `${safe.slice(0, 80)}…` : safe;
}

/** Gives the text of a file, or rejects. */
export type ReadFile = (path: string) => Promise<string>;

/** The maximum length of a secret; a path to a longer file is most likely a mistake. */
const maxCharacters = 65_536;

/** The variable that names the file of another. */
function fileVariable(name: string): string {
  return `${name}_FILE`;
}

/**
 * The environment with the text of files in place of the variables that they stand for. Errors go to `problems`, and the
 * variable is then marked as broken, so that it does not seem to be unset as well.
 * @param names of variables that may come from files
 */
export async function readSecretFiles(
  names: readonly string[],
  env: Environment,
  readFile: ReadFile,
  problems: string[],
): Promise<{ readonly env: Environment; readonly sources: Sources }> {
  const given = names.filter((name) => variable(env, fileVariable(name)) !== null);
  if (given.length === 0) return { env, sources: noSources };
  const held: Record<string, string | undefined> = { ...env };
  const files = new Map<string, string>();
  const broken = new Set<string>();
  for (const name of given) {
    const path = variable(env, fileVariable(name)) ?? '';
    const said = `${fileVariable(name)} is ${JSON.stringify(path)}`;
    const { text, problem } =
      variable(env, name) === null
        ? await textOf(path, readFile)
        : { text: '', problem: `${name} is set too; expected one of the two` };
    if (problem === null) {
      held[name] = text;
      files.set(name, path);
    } else {
      broken.add(name);
      problems.push(`${said}; ${problem}.`);
    }
  }
  return { env: held, sources: { files, broken } };
}

/** A file's text without the line ends that editors leave after it. */
async function textOf(path: string, readFile: ReadFile): Promise<{ text: string; problem: string | null }> {
  let text: string;
  try {
    text = (await readFile(path)).replace(/[\r\n]+$/, '');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    return { text: '', problem: `the file cannot be read${reason}` };
  }
  if (text.trim() === '') return { text, problem: 'the file is empty; expected the value alone' };
  if (text.length > maxCharacters)
    return { text, problem: `the file is too long; expected at most ${maxCharacters} characters` };
  return { text, problem: null };
}
