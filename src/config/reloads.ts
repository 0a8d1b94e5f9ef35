import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from '../lib/config-error.ts';
import type { ConfigChange, ConfigControl, LoadedConfig, RefusedReload } from '../lib/loaded-config.ts';
import { snakeCase } from '../lib/names.ts';
import { Secret } from '../lib/redact.ts';
import type { Config } from './config.ts';
import { revealed } from './models-config.ts';
import { serverSettings } from './settings.ts';

interface ReloadsParts {
  /** The configuration at the start. */
  readonly config: Config;
  /** The YAML file; null: there is none. */
  readonly file: string | null;
  /** Reads all of it again. Rejects with a `ConfigError`. */
  readonly read: () => Promise<Config>;
  /** Makes a configuration hold, or rejects and changes nothing. */
  readonly apply: (config: Config, changes: readonly ConfigChange[], actor: string) => Promise<void>;
  /** A short name for a text, which cannot be found from it. */
  readonly pseudonym: (text: string) => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The configuration of a running server: the part in force, and its exchange for the content of its files now. */
export class Reloads implements ConfigControl {
  readonly #parts: ReloadsParts;
  /** The part in force, in the sections that can be exchanged. */
  #current: Config;
  #loadedAt: number;
  #digest: string;
  #needsRestart: readonly ConfigChange[] = [];
  #refused: RefusedReload | null = null;
  /** The reload that runs. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: ReloadsParts) {
    this.#parts = parts;
    this.#current = parts.config;
    this.#loadedAt = parts.now();
    this.#digest = this.#digestOf(parts.config);
  }

  current(): LoadedConfig {
    const sections = [
      ...Object.entries(reloadable).map(([name, read]) => ({ name, read, reloadable: true })),
      ...Object.entries(fixed).map(([name, read]) => ({ name, read, reloadable: false })),
    ];
    return {
      file: this.#parts.file,
      loadedAt: this.#loadedAt,
      digest: this.#digest,
      sections: sections.map(({ read, ...section }) => ({
        ...section,
        entries: entriesOf(section.reloadable ? this.#current : this.#parts.config, read),
      })),
      needsRestart: this.#needsRestart,
      refused: this.#refused,
    };
  }

  /** One after the other: each reads what the files say when it is its turn. */
  reload(actor: string): Promise<readonly ConfigChange[]> {
    const turn = this.#last.then(() => this.#reload(actor));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #reload(actor: string): Promise<readonly ConfigChange[]> {
    const { config: started, read, apply, now } = this.#parts;
    try {
      const next = await read();
      const changes = changesBetween(this.#current, next, reloadable);
      if (changes.length > 0) {
        await apply(next, changes, actor);
        this.#current = next;
        this.#loadedAt = now();
        this.#digest = this.#digestOf(next);
      }
      this.#needsRestart = changesBetween(started, next, fixed);
      this.#refused = null;
      return changes;
    } catch (thrown) {
      if (thrown instanceof ConfigError) this.#refused = { at: now(), problems: thrown.problems };
      throw thrown;
    }
  }
  /** Of the configuration in force: sections read only at the start are those of the start. Settings, such as ports, differ from server to server. */
  #digestOf(current: Config): string {
    const { settings: _, ...ofFile } = fixed;
    const held = [
      ...Object.entries(reloadable).map(([name, read]) => [name, read(current)]),
      ...Object.entries(ofFile).map(([name, read]) => [name, read(this.#parts.config)]),
    ];
    return this.#parts.pseudonym(plainTextOf(held)).slice(0, 8);
  }
}

/**
 * A text that is the same for values that are the same, in whatever order their fields stand, with their secrets in clear: to be
 * kept out of every output, and stored as a keyed digest at most.
 */
export function plainTextOf(value: unknown): string {
  if (value instanceof Secret) return JSON.stringify(value.reveal());
  if (Array.isArray(value)) return `[${value.map(plainTextOf).join()}]`;
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== null && field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${plainTextOf(field)}`);
  return `{${fields.join()}}`;
}

type Entries = Readonly<Record<string, unknown>>;
type Sections = Readonly<Record<string, (config: Config) => Entries>>;

/** The exchangeable settings of a running server, by section: entries by their names; null stands for none. */
const reloadable: Sections = {
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

/** The settings that a server reads at its start only. The environment cannot change, but the files of its secrets can. */
const fixed: Sections = {
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
function entriesOf(config: Config, entries: (config: Config) => Entries): readonly string[] {
  return Object.entries(entries(config))
    .filter(([, value]) => value !== null)
    .map(([name]) => name);
}

/** The differences between two configurations in some sections: names alone. */
function changesBetween(before: Config, after: Config, sections: Sections): readonly ConfigChange[] {
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
  // Null differs from a field that is left out: it is no limit, and not the usual one.
  const own = (entries: Entries, name: string) => (Object.hasOwn(entries, name) ? [entries[name]] : []);
  return [...names].filter((name) => !same(own(one, name), own(other, name))).map(snakeCase);
}

/** Whether two values are the same, secrets by what they hide. */
function same(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(revealed(one), revealed(other));
}

function isMap(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Secret);
}
