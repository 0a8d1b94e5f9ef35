import { Command } from 'commander';
import { type Json, jsonOption } from './arguments.ts';
import { type Column, print, printJson, table } from './output.ts';

/** The answer of a configured MCP server when it is asked for its tools. */
interface ServerCheck {
  readonly id: string;
  /** Null: nothing is wrong. */
  readonly problem: string | null;
  readonly latency_ms: number;
  readonly tools: readonly { readonly name: string; readonly name_of_all: string }[];
  readonly url: string;
}

const explanation = `
Each MCP server of the configuration file is asked for its tools; none is called. Exit code 1: a server has a problem.`;

const columns: readonly Column<ServerCheck>[] = [
  { title: 'server', value: ({ id }) => id },
  { title: 'state', value: ({ problem }) => (problem === null ? 'ok' : 'failed') },
  { title: 'ms', value: ({ latency_ms: ms }) => ms, numeric: true },
  { title: 'tools', value: ({ tools }) => tools.length, numeric: true },
  { title: 'address', value: ({ url }) => url },
  { title: 'what', value: ({ problem }) => problem },
];

const toolColumns: readonly Column<{ server: string; name: string; name_of_all: string }>[] = [
  { title: 'server', value: ({ server }) => server },
  { title: 'tool', value: ({ name }) => name },
  { title: 'at /mcp', value: ({ name_of_all: name }) => name },
];

export function mcpCommand(): Command {
  const mcp = new Command('mcp').description('Look at the MCP servers of the configuration.');
  mcp
    .command('check')
    .description('Ask each MCP server for its tools: whether it is there and takes the credentials.')
    .addOption(jsonOption())
    .addHelpText('after', explanation)
    .action(async ({ json }: Json) => {
      const checks = await checkAll();
      if (json) return printJson(checks);
      print(checks.length === 0 ? none : table(columns, checks));
    });
  mcp
    .command('list')
    .description('List the tools of each MCP server, and their names at /mcp.')
    .addOption(jsonOption())
    .addHelpText('after', explanation)
    .action(async ({ json }: Json) => {
      const checks = await checkAll();
      const tools = checks.flatMap(({ id, tools }) => tools.map((tool) => ({ server: id, ...tool })));
      if (json) return printJson(tools);
      print(checks.length === 0 ? none : table(toolColumns, tools));
      for (const { id, problem } of checks) if (problem !== null) print(`${id}: ${problem}`);
    });
  return mcp;
}

const none = 'The configuration has no MCP server.';

/** Loaded by then only, so that help shows at once. */
async function checkAll(): Promise<readonly ServerCheck[]> {
  const { readConfig } = await import('../config/config.ts');
  const { modelsSettings } = await import('../config/models-config.ts');
  const { useProxy } = await import('../lib/outgoing.ts');
  const { agentSettings } = await import('../config/agents.ts');
  const { mcpSource } = await import('../services/agents/tools/mcp.ts');
  const { McpAuthorization } = await import('../services/agents/tools/mcp-oauth.ts');
  const { functionNames } = await import('../services/agents/tools/mcp-tools.ts');
  const config = await readConfig(process.env);
  const { proxy } = modelsSettings(config);
  if (proxy) useProxy(proxy);
  const { mcpServers } = agentSettings(config);
  const checks = await Promise.all(
    mcpServers.map(async (settings): Promise<ServerCheck> => {
      let problem: string | null = null;
      const server = mcpSource(
        settings,
        (error) => {
          problem = error instanceof Error ? error.message : String(error);
        },
        { authorization: settings.oauth ? new McpAuthorization(settings) : null },
      );
      const begun = performance.now();
      await server.refresh();
      const latency_ms = Math.round(performance.now() - begun);
      const names = server.tools().map(({ name }) => name);
      const ofAll = functionNames(settings.id, names);
      await server.close();
      const tools = names.map((name) => ({ name, name_of_all: ofAll.get(name) ?? name }));
      return { id: settings.id, problem, latency_ms, tools, url: settings.url };
    }),
  );
  if (checks.some(({ problem }) => problem !== null)) process.exitCode = 1;
  return checks;
}
