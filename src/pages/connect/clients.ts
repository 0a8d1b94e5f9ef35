import { tableFile } from '../../lib/yaml-file.ts';

/** Whose interface a client speaks. */
export type ClientVendor = 'openai' | 'anthropic' | 'gemini';

/** Names of models to ask for, by the interface that asks. Any of them can ask for any model. */
export type ExampleModels = Readonly<Record<ClientVendor, string>>;

/** Lines to type, to run or to put into a file. */
export interface ClientBlock {
  /** The file, or the language. */
  readonly caption: string;
  /** As behind a fence of Markdown. */
  readonly lang: 'bash' | 'js' | 'json' | 'python' | 'text' | 'toml' | 'yaml';
  readonly code: string;
}

/** A program or a library of others, and how it is set up. */
export interface Client {
  /** Unique; its place on the page. */
  readonly id: string;
  readonly name: string;
  readonly wires: readonly ClientVendor[];
  /** The command that installs it. */
  readonly install?: string;
  /** Where its vendor explains the settings. */
  readonly docs: string;
  /** The set of packages of `npm run judges` that holds it. */
  readonly packages?: string;
  /** Why the tests of the guides do not run its lines. */
  readonly notRun?: string;
  readonly blocks: readonly ClientBlock[];
  /** A line of text, with code between backticks. */
  readonly note?: string;
}

export interface ClientGroup {
  readonly title: string;
  readonly clients: readonly Client[];
}

/** What stands in the lines for a key, where they do not take it from the environment. */
export const keyInLines = 'sw_live_…';

const clientsFile = new URL('clients.yaml', import.meta.url);

/**
 * The clients as their file has them, with what differs between servers filled in. Throws for a name in braces that is unknown.
 * @param base the address of the server, without a slash at its end
 */
export function clientGroups(base: string, models: ExampleModels): readonly ClientGroup[] {
  const values: Readonly<Record<string, string>> = { base, ...models };
  const fill = (_: string, name: string): string => {
    const value = values[name];
    if (value === undefined) throw new Error(`clients.yaml has {{${name}}}, which stands for nothing`);
    return value;
  };
  return JSON.parse(JSON.stringify(tableFile(clientsFile)), (_, value: unknown) =>
    typeof value === 'string' ? value.trimEnd().replaceAll(/\{\{(\w+)\}\}/g, fill) : value,
  ) as readonly ClientGroup[];
}
