/** The operator's commands. They work on the database itself, so a server may run or not. */

import { Command, CommanderError } from 'commander';
import { contractVersion } from '../../generated/operations.gen.ts';
import { brotliIsSafeHere, refuseBrotliAnswers } from '../lib/brotli-guard.ts';
import { ConfigError } from '../lib/config-error.ts';
import { redact } from '../lib/redact.ts';
import { StoreError } from '../store/errors.ts';
import { AccountError } from '../tenants/accounts/account-error.ts';
import { budgetsCommand } from './budgets.ts';
import { configCommand } from './config.ts';
import { backupCommand, checkCommand, restoreCommand } from './database.ts';
import { doctorCommand } from './doctor.ts';
import { keysCommand } from './keys.ts';
import { mcpCommand } from './mcp.ts';
import { providersCommand } from './providers.ts';
import { dashboardLinkCommand, sessionsCommand } from './sessions.ts';
import { signupsCommand } from './signups.ts';
import { tenantsCommand } from './tenants.ts';
import { usageCommand } from './usage.ts';
import { webhooksCommand } from './webhooks.ts';

const explanation = `
The settings are those of the server: the same environment variables, above all DATA_DIR or DATABASE_URL.
A command changes the database at once, and a running server follows within a second.
Exit codes: 0 done, 1 it could not be done, 2 the command line is wrong.`;

if (!brotliIsSafeHere) refuseBrotliAnswers();
try {
  await createProgram().parseAsync();
} catch (thrown) {
  const { line, exitCode } = toFailure(thrown);
  if (line !== null) console.error(line);
  process.exitCode = exitCode;
}

interface Failure {
  /** The line for standard error; null when it is there already. */
  readonly line: string | null;
  /** 1: it could not be done; 2: the command line is wrong. */
  readonly exitCode: number;
}

/** How a command ends that threw. */
function toFailure(thrown: unknown): Failure {
  if (thrown instanceof CommanderError) return { line: null, exitCode: thrown.exitCode === 0 ? 0 : 2 };
  if (thrown instanceof ConfigError) return failed(thrown.problems.join(' '));
  if (thrown instanceof AccountError || thrown instanceof StoreError) return failed(thrown.message);
  // A mistake of ours, so where it happened matters more than a short line.
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return failed(redact(text, null));
}

function failed(message: string): Failure {
  return { line: `error: ${message}`, exitCode: 1 };
}

/** The command line with all its commands. Its errors are thrown, as `CommanderError` once commander has shown them. */
function createProgram(): Command {
  const program = new Command('switchyard')
    .description('Runs and administers a Switchyard server.')
    .version(contractVersion, '--version', 'print the version of the interface')
    .addHelpText('after', explanation)
    .showHelpAfterError('(add --help for what is possible)')
    .exitOverride();
  const commands = [
    serveCommand(),
    tenantsCommand(),
    keysCommand(),
    signupsCommand(),
    sessionsCommand(),
    usageCommand(),
    budgetsCommand(),
    webhooksCommand(),
    mcpCommand(),
    providersCommand(),
    configCommand(),
    doctorCommand(),
    dashboardLinkCommand(),
    backupCommand(),
    checkCommand(),
    restoreCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  passOn(program);
  return program;
}

/** Commands that are made apart inherit nothing by themselves. */
function passOn(command: Command): void {
  for (const child of command.commands) passOn(child.copyInheritedSettings(command));
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the server, as `npm start` does.')
    .option('--processes <number>', 'how many processes share the port; auto: one for each core')
    .action(async ({ processes }: { readonly processes?: string }) => {
      if (processes !== undefined) process.env['PROCESSES'] = processes;
      // By its address: it is no TypeScript, and no part of the command line.
      await import(new URL('../start.js', import.meta.url).href);
    });
}
