import type { Prompt, Server } from '@modelcontextprotocol/server';
import type { RemoteServer } from '../agents/tools/mcp.ts';
import { distinctName, functionNames, mayBeOf } from '../agents/tools/mcp-tools.ts';
import { about, inTime, passing, type Sdk } from './remote.ts';

/** An app as the extension MCP Apps has it (https://github.com/modelcontextprotocol/ext-apps). */
export const appMediaType = 'text/html;profile=mcp-app';
const appAddress = /^ui:\/\/switchyard\/builds\/([\w-]{1,64})$/;
/** Before the address of another server's resource, with the id of the server. */
const foreignAddress = /^mcp:\/\/([a-z0-9_-]+)\/(.+)$/s;

/** Where the app of a build is, for clients of MCP. */
export const appOf = (jobId: string): string => `ui://switchyard/builds/${jobId}`;

/** Gives the page of a build; null: there is none that this caller may see. */
export type ReadApp = (jobId: string) => Promise<string | null>;

/**
 * Prompts and resources at the address of this server: the apps of builds, and at that of all servers those of the others.
 * A prompt has the name that a tool would have, a resource's address follows that of its server.
 */
export function passOnAll(
  sdk: Sdk,
  server: Server,
  remotes: readonly RemoteServer[],
  readApp: ReadApp | null,
): void {
  const pass = <Result>(one: RemoteServer, ask: Parameters<typeof one.ask<Result>>[0]) =>
    passing(sdk, one.ask(ask));
  const none = (what: string) =>
    new sdk.ProtocolError(sdk.INVALID_PARAMS, `There is no ${what} of this name.`);
  /** A server that is away is left out, and one that is slow: it would keep the others waiting. */
  const ofEach = async <Item>(
    has: 'prompts' | 'resources',
    list: (one: RemoteServer) => Promise<Item[]>,
    some: readonly RemoteServer[] = remotes,
  ): Promise<Item[]> => {
    const listOf = async (one: RemoteServer) =>
      (await about(one))?.[has] ? list(one).catch((): Item[] => []) : [];
    const lists = await Promise.all(some.map((one) => inTime(one, listOf(one), [])));
    return lists.flat();
  };
  const promptsOf = async (one: RemoteServer) => {
    const { prompts } = await one.ask((client) => client.listPrompts());
    const names = functionNames(
      one.id,
      prompts.map(({ name }) => name),
    );
    return prompts.map((prompt) => ({ one, prompt, name: names.get(prompt.name) ?? prompt.name }));
  };
  const promptsByName = async (some = remotes) => {
    const found = new Map<string, { readonly one: RemoteServer; readonly prompt: Prompt }>();
    for (const { one, prompt, name } of await ofEach('prompts', promptsOf, some))
      found.set(found.has(name) ? distinctName(name, `${one.id}_${prompt.name}`) : name, { one, prompt });
    return found;
  };
  const promptOf = async (name: string) => {
    const found = (await promptsByName(remotes.filter(({ id }) => mayBeOf(id, name)))).get(name);
    if (!found) throw none('prompt');
    return found;
  };
  const resourceOf = (address: string) => {
    const [, id, uri = ''] = foreignAddress.exec(address) ?? [];
    const one = remotes.find((remote) => remote.id === id);
    if (!one) throw none('resource');
    return { one, uri, prefix: `mcp://${one.id}/` };
  };

  if (remotes.length > 0) {
    server.setRequestHandler('prompts/list', async () => ({
      prompts: [...(await promptsByName())].map(([name, { prompt }]) => ({ ...prompt, name })),
    }));
    server.setRequestHandler('prompts/get', async ({ params }) => {
      const { one, prompt } = await promptOf(params.name);
      return pass(one, (client) => client.getPrompt({ ...params, name: prompt.name }));
    });
    server.setRequestHandler('completion/complete', async ({ params }) => {
      const { ref } = params;
      if (ref.type === 'ref/prompt') {
        const { one, prompt } = await promptOf(ref.name);
        return pass(one, (client) => client.complete({ ...params, ref: { ...ref, name: prompt.name } }));
      }
      const { one, uri } = resourceOf(ref.uri);
      return pass(one, (client) => client.complete({ ...params, ref: { ...ref, uri } }));
    });
  }
  server.setRequestHandler('resources/list', async () => ({
    resources: await ofEach('resources', async (one) => {
      const { resources } = await one.ask((client) => client.listResources());
      return resources.map((resource) => ({ ...resource, uri: `mcp://${one.id}/${resource.uri}` }));
    }),
  }));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [
      ...(readApp ? [appTemplate] : []),
      ...(await ofEach('resources', async (one) => {
        const { resourceTemplates } = await one.ask((client) => client.listResourceTemplates());
        return resourceTemplates.map((template) => ({
          ...template,
          uriTemplate: `mcp://${one.id}/${template.uriTemplate}`,
        }));
      })),
    ],
  }));
  server.setRequestHandler('resources/read', async ({ params }) => {
    const jobId = appAddress.exec(params.uri)?.[1];
    if (jobId !== undefined) {
      const text = readApp && (await readApp(jobId));
      if (text === null) throw none('app');
      return { contents: [{ uri: params.uri, mimeType: appMediaType, text }] };
    }
    const { one, uri, prefix } = resourceOf(params.uri);
    const result = await pass(one, (client) => client.readResource({ ...params, uri }));
    return {
      ...result,
      contents: result.contents.map((content) => ({ ...content, uri: prefix + content.uri })),
    };
  });
}

const appTemplate = {
  name: 'builds',
  title: 'Apps of the build factory',
  uriTemplate: appOf('{job_id}'),
  mimeType: appMediaType,
};
