import { Command } from 'commander';

export function serveCommand(): Command {
  return new Command('serve').description('Run the server, as `npm start` does.').action(async () => {
    // By its address: it is no TypeScript, and no part of the command line.
    await import(new URL('../start.js', import.meta.url).href);
  });
}
