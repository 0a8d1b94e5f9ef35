import { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../lib/config-error.ts';
import { type Json, jsonOption } from './arguments.ts';
import type { Result } from './doctor/result.ts';
import { print, printJson } from './output.ts';

const explanation = `
It reads the same settings as the server, asks the database, Redis and the providers whether they are there, and changes
nothing. No secret is printed. Exit code 1: something does not work.`;

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Tell what is wrong with this installation, and what to do.')
    .addOption(jsonOption())
    .addHelpText('after', explanation)
    .action(async ({ json }: Json) => {
      const results = await examine();
      const sound = results.every(({ state }) => state !== 'fail');
      if (!sound) process.exitCode = 1;
      if (json) return printJson({ sound, checks: results });
      const width = Math.max(...results.map(({ name }) => name.length));
      for (const { name, state, message, advice } of results) {
        const hint = advice === null ? '' : ` ${advice}`;
        print(`${state.padEnd(4)}  ${name.padEnd(width)}  ${message}${hint}`);
      }
    });
}

/** Every check that can be made, in the order in which things build on each other. Loaded by then only, so that help shows at once. */
async function examine(): Promise<readonly Result[]> {
  const { fail, ok } = await import('./doctor/result.ts');
  const machine = await import('./doctor/machine-checks.ts');
  const { readConfig } = await import('../config/config.ts');
  const node = [machine.checkNode(), machine.checkNodeFaults()];
  const first = [...node, machine.checkMemory(), await machine.checkFiles()];
  try {
    const config = await readConfig(process.env);
    const file = config.file === null ? '' : ` and ${config.file}`;
    return [...first, ok('settings', `The environment${file} can be used.`), ...(await examineWith(config))];
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    const advice = 'Correct it; what depends on the settings was not looked at.';
    return [...first, ...thrown.problems.map((problem) => fail('settings', problem, advice))];
  }
}

async function examineWith(config: Config): Promise<readonly Result[]> {
  const machine = await import('./doctor/machine-checks.ts');
  const settings = await import('./doctor/setting-checks.ts');
  const services = await import('./doctor/service-checks.ts');
  const [directory, port, database, redis, tls, providers] = await Promise.all([
    machine.checkDataDirectory(config),
    machine.checkPort(config),
    services.checkDatabase(config),
    services.checkRedis(config),
    settings.checkTls(config),
    services.checkProvidersOf(config),
  ]);
  const all = [
    directory,
    ...database.results,
    redis,
    settings.checkKeySecret(config, database.servers),
    settings.checkAdminPassword(config),
    port,
    settings.checkPublicUrl(config),
    tls,
    ...providers,
  ];
  return all.filter((result) => result !== null);
}
