import { createHash } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/client';
import { shorten } from '../../../lib/static-text.ts';
import type { McpServerSettings } from '../settings.ts';
import { type AgentTool, ToolError, type ToolResult } from './tool.ts';

/** Maximum number of a server's tools that models are offered, if the operator sets none. */
const defaultMaxTools = 100;
/** Maximum length of their schemas in characters of JSON. */
const maxSchemaLength = 64 * 1024;
/** A function's name has no dots and blanks, and at most so many characters. */
const maxNameLength = 64;
const digestLength = 8;
/** So much of a name is left before a digest. */
const maxDistinct = maxNameLength - digestLength - 1;

/** Those of a server's tools that models are offered, and in words which are left out, if any. */
export function usableTools(
  tools: readonly Tool[],
  { maxTools = defaultMaxTools }: Pick<McpServerSettings, 'maxTools'>,
): {
  readonly usable: readonly Tool[];
  readonly leftOut: string | null;
} {
  const reasons: string[] = [];
  const usable = tools.filter(({ name, inputSchema }) => {
    if (JSON.stringify(inputSchema).length > maxSchemaLength)
      reasons.push(`${name} (its schema is longer than ${maxSchemaLength} characters)`);
    else return true;
    return false;
  });
  for (const { name } of usable.slice(maxTools)) reasons.push(`${name} (beyond ${maxTools} tools)`);
  const leftOut = reasons.length > 0 ? `Models are not offered ${shorten(reasons.join(', '), 1000)}.` : null;
  return { usable: usable.slice(0, maxTools), leftOut };
}

/** Tools as agents have them. @param call calls one by the server's own name */
export function agentTools(
  server: string,
  tools: readonly Tool[],
  call: (name: string, ...given: Parameters<AgentTool['run']>) => Promise<ToolResult>,
): readonly AgentTool[] {
  const names = functionNames(
    server,
    tools.map(({ name }) => name),
  );
  return tools.map(({ name, description, inputSchema }) => ({
    name: names.get(name) ?? name,
    ownName: name,
    description: shorten(description ?? name, 2000),
    parameters: { ...inputSchema, type: 'object' },
    available: true,
    passesOn: true,
    run: (values, context) => call(name, values, context),
  }));
}

/** Placeholders for tools that cannot be called now. @param why how a sentence about the server ends */
export function placeholders({ id, tools }: McpServerSettings, why: string): readonly AgentTool[] {
  const listed = tools ?? ['tools'];
  const names = functionNames(id, listed);
  return listed.map((name) => ({
    name: names.get(name) ?? name,
    ownName: name,
    description: `A tool of the server ${id}, which ${why}.`,
    parameters: { type: 'object', properties: {} },
    available: false,
    async run() {
      throw new ToolError(`The server ${JSON.stringify(id)} ${why}.`);
    },
  }));
}

/**
 * Names of functions for the tools of a server. A name that is too long, or that two tools would have, ends with a digest of
 * the tool's own: so each tool keeps its name as long as no other has come that has the better right to it.
 */
export function functionNames(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const whole = tools.map((tool) => ({
    tool,
    own: `${server}_${tool}`,
    plain: plainName(`${server}_${tool}`),
  }));
  const rivals = new Map<string, string[]>();
  for (const { own, plain } of whole) rivals.set(plain, [...(rivals.get(plain) ?? []), own]);
  return new Map(
    whole.map(({ tool, own, plain }) => {
      const alone = new Set(rivals.get(plain)).size === 1;
      const fits = plain.length <= maxNameLength && (alone || own === plain);
      return [tool, fits ? plain : distinctName(plain, own)];
    }),
  );
}

/** A name with a digest of something by which it differs from others. */
export function distinctName(name: string, by: string): string {
  const digest = createHash('sha256').update(by).digest('hex').slice(0, digestLength);
  return `${name.slice(0, maxDistinct)}_${digest}`;
}

/** Whether a tool of a server may have a name among those of all servers. */
export function mayBeOf(server: string, name: string): boolean {
  return name.startsWith(`${server}_`.slice(0, maxDistinct));
}

function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
