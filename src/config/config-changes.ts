import type { ConfigChange } from '../lib/loaded-config.ts';
import { Secret } from '../lib/redact.ts';
import type { Config } from './config.ts';
import { serverSettings } from './settings.ts';

type Entries = Readonly<Record<string, unknown>>;
type Sections = Readonly<Record<string, (config: Config) => Entries>>;

/** What a running server can exchange, by section: entries by their names; null stands for none. */
export const reloadable: Sections = {
  providers: ({ models }) => byId(models.providers),
  models: ({ models }) => byId(models.models),
  aliases: ({ models }) => models.aliases,
  default_model: ({ models }) => ({ default_model: models.defaultModel }),
  prices: ({ prices }) => prices,
  plans: ({ plans }) => plans,
  features: ({ features }) => byId(features),
  agents: ({ agents }) => byId(agents.agents),
  mcp_servers: ({ agents }) => byId(agents.mcpServers),
  mcp_access: ({ agents }) => byId(agents.mcpAccess ?? []),
  fetch_url: ({ agents }) => ({ fetch_url: agents.fetchUrl }),
};

/** What a server takes at its start only. The environment cannot change, but the files of its secrets can. */
export const fixed: Sections = {
  'sign_in.oidc': ({ signIn }) => byId(signIn.oidc),
  'sign_in.jwt': ({ signIn }) => byId(signIn.jwt),
  settings: (config) =>
    Object.fromEntries(
      Object.entries(serverSettings).map(([field, { name }]) => [
        name,
        config[field as keyof typeof serverSettings],
      ]),
    ),
};

/** The names in a section that stand for something. */
export function entriesOf(config: Config, entries: (config: Config) => Entries): readonly string[] {
  return Object.entries(entries(config))
    .filter(([, value]) => value !== null)
    .map(([name]) => name);
}

/** What differs between two configurations in some sections: names alone. */
export function changesBetween(before: Config, after: Config, sections: Sections): readonly ConfigChange[] {
  return Object.entries(sections).flatMap(([section, read]) => {
    const [one, other] = [read(before), read(after)];
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].flatMap((name): ConfigChange[] => {
      const [was, is] = [held(one, name), held(other, name)];
      if (same(was, is)) return [];
      if (was === null) return [{ section, name, change: 'added', fields: [] }];
      if (is === null) return [{ section, name, change: 'removed', fields: [] }];
      return [{ section, name, change: 'changed', fields: fieldsThatDiffer(was, is) }];
    });
  });
}

function byId(items: readonly { readonly id: string }[]): Entries {
  return Object.assign(Object.create(null), Object.fromEntries(items.map((item) => [item.id, item])));
}

function held(entries: Entries, name: string): unknown {
  return (Object.hasOwn(entries, name) ? entries[name] : null) ?? null;
}

function fieldsThatDiffer(one: unknown, other: unknown): readonly string[] {
  if (!isMap(one) || !isMap(other)) return [];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => !same(held(one, name), held(other, name))).map(snakeCase);
}

/** Whether two values are the same, secrets by what they hide. */
function same(one: unknown, other: unknown): boolean {
  if (one instanceof Secret && other instanceof Secret) return one.reveal() === other.reveal();
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => same(item, other[index]));
  if (!isMap(one) || !isMap(other)) return Object.is(one, other);
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]))
  );
}

function isMap(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Secret);
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
