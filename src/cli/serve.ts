import { Command } from 'commander';

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
