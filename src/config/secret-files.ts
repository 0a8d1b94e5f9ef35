/** Secrets from files: `NAME_FILE` names the file whose text stands for the variable `NAME`. */
import { type Environment, noSources, type Sources, variable } from './environment.ts';

/** Gives the text of a file, or rejects. */
export type ReadFile = (path: string) => Promise<string>;

/** What no secret exceeds; a path that leads to something else is most likely a mistake. */
const maxCharacters = 65_536;

/** The variable that names the file of another. */
export function fileVariable(name: string): string {
  return `${name}_FILE`;
}

/**
 * The environment with the text of files in place of the variables that they stand for. What is wrong goes to `problems`,
 * and the variable is then marked as broken, so that it does not seem to be unset as well.
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
