import { Command } from 'commander';
import { contractVersion } from '../../generated/operations.gen.ts';
import { backupCommand } from './backup.ts';
import { budgetsCommand } from './budgets.ts';
import { checkCommand } from './check.ts';
import { configCommand } from './config.ts';
import { dashboardLinkCommand } from './dashboard-link.ts';
import { doctorCommand } from './doctor.ts';
import { keysCommand } from './keys.ts';
import { providersCommand } from './providers.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { sessionsCommand } from './sessions.ts';
import { signupsCommand } from './signups.ts';
import { tenantsCommand } from './tenants.ts';
import { usageCommand } from './usage.ts';
import { webhooksCommand } from './webhooks.ts';

const explanation = `
The settings are those of the server: the same environment variables, above all DATA_DIR or DATABASE_URL.
A command changes the database at once, and a running server follows within a second.
Exit codes: 0 done, 1 it could not be done, 2 the command line is wrong.`;

/** The command line with all its commands. Its errors are thrown, as `CommanderError` once commander has shown them. */
export function createProgram(): Command {
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
