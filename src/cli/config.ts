import { resolve } from 'node:path';
import { Command } from 'commander';
import { ConfigError } from '../lib/config-error.ts';
import { type Json, jsonOption } from './arguments.ts';
import { print, printJson } from './output.ts';

const explanation = `
The settings of the environment are checked too, and every \${NAME} of the file has to be set. No database is opened and
nobody is asked. Exit code 1: something is wrong.`;

/** A problem of the configuration, and where it is if it is in the YAML file. */
interface Located {
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

export function configCommand(): Command {
  const config = new Command('config').description('Check the configuration, and describe its file.');
  config.addCommand(checkCommand());
  config.addCommand(schemaCommand());
  return config;
}

function checkCommand(): Command {
  return new Command('check')
    .description('Check the YAML file and the settings, as the start of the server does.')
    .argument('[file]', 'the YAML file; that of SWITCHYARD_CONFIG if left out')
    .addOption(jsonOption())
    .addHelpText('after', explanation)
    .action(async (file: string | undefined, { json }: Json) => {
      const { variable } = await import('../config/environment.ts');
      const name = file ?? variable(process.env, 'SWITCHYARD_CONFIG') ?? undefined;
      const problems = await problemsWith(name);
      if (problems.length > 0) process.exitCode = 1;
      if (json) {
        const path = name ? resolve(name) : null;
        return printJson({
          valid: problems.length === 0,
          problems: problems.map((problem) => located(problem, path)),
        });
      }
      if (problems.length === 0)
        return print(
          name ? `${name} and the settings are right.` : 'The settings are right; there is no file.',
        );
      for (const problem of problems) print(problem);
    });
}

function schemaCommand(): Command {
  return new Command('schema')
    .description('Print the JSON Schema of the YAML file, for editors.')
    .action(async () => {
      const { publishedSchema } = await import('../config/published-schema.ts');
      print(JSON.stringify(publishedSchema(), null, 2));
    });
}

/** Everything that is wrong, with the named file in place of that of the environment. */
async function problemsWith(file: string | undefined): Promise<readonly string[]> {
  const { readConfig } = await import('../config/config.ts');
  const env = file ? { ...process.env, SWITCHYARD_CONFIG: file } : process.env;
  try {
    await readConfig(env);
    return [];
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.problems;
    throw thrown;
  }
}

function located(problem: string, file: string | null): Located {
  const [, line, column, message] =
    file !== null && problem.startsWith(`${file}:`)
      ? (/^:(\d+):(\d+): (.*)$/s.exec(problem.slice(file.length)) ?? [])
      : [];
  if (message === undefined) return { file: null, line: null, column: null, message: problem };
  return { file, line: Number(line), column: Number(column), message };
}
