import { isSandboxModel, sandboxNames } from '../gateway/sandbox/models.ts';
import { nearest } from '../lib/nearest.ts';
import { sandbox } from './built-in.ts';
import type { ModelsConfig } from './models-config.ts';
import type { ConfigFile } from './parse-file.ts';
import { variablesOf } from './providers.ts';

/**
 * Reports names that lead nowhere: a model's provider, fallbacks, aliases, priced models and the default model.
 * @param defaultInFile whether the default model comes from the file, not from the environment.
 */
export function checkModelNames(
  config: ModelsConfig,
  defaultInFile: boolean,
  file: ConfigFile,
  problems: string[],
): void {
  const names = new Names(config);
  const report = (path: readonly string[], text: string | null): void => {
    if (text !== null) file.report(path, text);
  };

  for (const model of config.models) {
    report(['models', model.id, 'provider'], names.wrongProvider(model.provider));
    for (const [index, name] of model.fallbacks.entries()) {
      const itself =
        names.follow(name) === model.id ? 'this is the model itself; expected another one.' : null;
      report(['models', model.id, 'fallbacks', String(index)], itself ?? names.wrongName(name));
    }
  }
  for (const [alias, name] of Object.entries(config.aliases)) {
    const clash = config.models.some(({ id }) => id === alias)
      ? 'a model has this name too; expected one of them.'
      : null;
    report(['aliases', alias], clash ?? names.wrongCircle(alias) ?? names.wrongName(name));
  }
  for (const name of Object.keys(file.content.prices ?? {})) {
    const wrong = names.wrongPriced(name);
    if (wrong !== null) file.report(['prices', name], wrong, 'key');
  }
  if (config.defaultModel !== null) {
    const wrong = names.wrongName(config.defaultModel);
    if (defaultInFile) report(['default_model'], wrong);
    else if (wrong !== null) problems.push(`DEFAULT_MODEL: ${wrong}`);
  }
}

/** The problem of a model's name elsewhere in the file; null: it leads to a model. */
export function wrongModelName(config: ModelsConfig, name: string): string | null {
  return new Names(config).wrongName(name);
}

/** The targets of the configured names. Each `wrong…` returns the problem, or null. */
class Names {
  readonly #config: ModelsConfig;
  readonly #providers: ReadonlySet<string>;
  readonly #models: ReadonlySet<string>;

  constructor(config: ModelsConfig) {
    this.#config = config;
    this.#providers = new Set([...config.providers.map(({ id }) => id), sandbox]);
    this.#models = new Set(config.models.map(({ id }) => id));
  }

  wrongProvider(id: string): string | null {
    if (this.#providers.has(id)) return null;
    const variables = variablesOf(id);
    if (variables) return `the provider \`${id}\` is not configured; expected ${variables} to be set.`;
    const meant = nearest(id, this.#providers);
    const expected = `expected one of ${[...this.#providers].join(', ')}.`;
    return `there is no provider \`${id}\`; ${meant ? `did you mean \`${meant}\`?` : expected}`;
  }

  /** A price list may have vendors that lack a key here, and without a provider the sandbox answers every name. */
  wrongPriced(name: string): string | null {
    const provider = name.slice(0, name.indexOf('/'));
    if (this.#config.providers.length === 0 || variablesOf(provider)) return null;
    return this.wrongProvider(provider);
  }

  wrongName(name: string): string | null {
    if (Object.hasOwn(this.#config.aliases, name) || this.#isModel(name)) return null;
    if (isOfSandbox(name))
      return `no model answers to \`${name}\`; expected one of ${sandboxNames.join(', ')}.`;
    const patterns = this.#config.providers.flatMap((provider) => provider.patterns);
    const expected = ['a model, an alias or provider/model', ...patterns].join(', ');
    const meant = nearest(name, [...this.#models, ...Object.keys(this.#config.aliases)]);
    return `no model answers to \`${name}\`; ${meant ? `did you mean \`${meant}\`?` : `expected ${expected}.`}`;
  }

  /** Reported once per circle: at the alias that stands first in it. */
  wrongCircle(alias: string): string | null {
    const circle = this.#chain(alias);
    if (this.#config.aliases[circle.at(-1) ?? ''] !== alias) return null;
    const first = Object.keys(this.#config.aliases).find((name) => circle.includes(name));
    if (first !== alias) return null;
    return `the aliases go in a circle: ${[...circle, alias].join(' → ')}; expected them to end at a model.`;
  }

  /** The name at the end of the aliases; a name in the circle when they go in one. */
  follow(name: string): string {
    const last = this.#chain(name).at(-1) ?? name;
    return this.#config.aliases[last] ?? last;
  }

  /** The aliases that follow each other from this name, each once. */
  #chain(name: string): readonly string[] {
    const chain = new Set<string>();
    let next: string | undefined = name;
    while (next !== undefined && Object.hasOwn(this.#config.aliases, next) && !chain.has(next)) {
      chain.add(next);
      next = this.#config.aliases[next];
    }
    return [...chain];
  }

  #isModel(name: string): boolean {
    if (this.#models.has(name)) return true;
    // Without a provider the sandbox answers every name but those that look like its own.
    if (isOfSandbox(name)) return isSandboxModel(name);
    if (this.#config.providers.length === 0) return true;
    const slash = name.indexOf('/');
    if (slash > 0 && slash < name.length - 1 && this.#providers.has(name.slice(0, slash))) return true;
    return this.#config.providers.some(({ patterns }) => patterns.some((pattern) => matches(pattern, name)));
  }
}

const isOfSandbox = (name: string): boolean => name === sandbox || name.startsWith(`${sandbox}/`);

/** Whether the name fits the pattern, `*` standing for any text. */
function matches(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}
