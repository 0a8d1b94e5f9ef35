import { readdirSync } from 'node:fs';
import { tableFile } from '../../lib/yaml-file.ts';
import type { VendorWire } from '../../model/parts.ts';
import type { ProviderSettings } from '../upstream/settings.ts';
import type { RuleName, Rules } from './rules.ts';

/**
 * A vendor's dialect as its file beside this one has it: the parts of a wire that its models and servers take, each line
 * with its source.
 */
export interface WrittenDialect {
  readonly title: string;
  /** The dialects whose lines hold too; a line of its own comes after them. */
  readonly like?: readonly string[];
  /** By which addresses it is known; `*` stands for any text. */
  readonly hosts?: readonly string[];
  /** For an unknown address: the names of models that only this vendor has. A regular expression. */
  readonly models?: string;
  /** Whether the wires it speaks are its own, so that all of them say the same. */
  readonly made_its_wires?: boolean;
  readonly lines: readonly WrittenLine[];
}

export interface WrittenLine {
  readonly on: readonly VendorWire[];
  /** The models that it is true of; left out: all. A regular expression. */
  readonly model?: string;
  readonly rule: RuleName;
  readonly is: unknown;
  readonly source: string;
  /** The day on which the source said so, or it was seen. */
  readonly seen: string;
}

export type WrittenDialects = Readonly<Record<string, WrittenDialect>>;

/** How a model at a provider is to be spoken to on a wire. */
export type DialectOf = (model: string) => Rules;

const unknown = 'unknown';

/** More names than that are asked for by chance only, and are looked up again. */
const maxRemembered = 1000;

/** Dialects ready to be looked up. Throws `Error` for one that is like another which is not there, or like itself. */
export class Dialects {
  readonly #lines = new Map<string, readonly Line[]>();
  readonly #hosts: (readonly [RegExp, string])[] = [];
  readonly #models: (readonly [RegExp, string])[] = [];
  readonly #makers = new Set<string>();

  constructor(written: WrittenDialects) {
    for (const [name, { hosts = [], models, made_its_wires: maker }] of Object.entries(written)) {
      this.#lines.set(name, linesOf(name, written));
      for (const host of hosts) this.#hosts.push([asPattern(host), name]);
      if (maker) this.#makers.add(name);
      if (models !== undefined) this.#models.push([new RegExp(models), name]);
    }
    if (!this.#lines.has(unknown)) throw new Error(`There is no dialect "${unknown}".`);
  }

  get names(): readonly string[] {
    return [...this.#lines.keys()];
  }

  /** Whether the address is one of the vendor that made the wire, so that all its wires say the same. */
  isVendors(provider: Account): boolean {
    return this.#makers.has(this.nameOf(provider) ?? '');
  }

  /** How models at this provider are spoken to on the wire. Of a name that was looked up it costs a look into a map. */
  at(provider: Account, wire: VendorWire): DialectOf {
    const account = this.nameOf(provider);
    const known = new Map<string, Rules>();
    return (model) => {
      const found = known.get(model);
      if (found) return found;
      const name = account ?? this.#models.find(([names]) => names.test(model))?.[1] ?? unknown;
      const rules = Object.freeze({ ...this.#rules(name, wire, model), ...provider.dialect?.rules });
      if (known.size >= maxRemembered) known.clear();
      known.set(model, rules as Rules);
      return rules as Rules;
    };
  }

  /** Name of the dialect that an account speaks with all models; null: each model has its own. */
  nameOf({ dialect, azureApiVersion, baseUrl, maxTokensField }: Account): string | null {
    if (dialect && dialect.like !== null) return dialect.like;
    if (azureApiVersion !== null) return 'azure';
    const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
    const byHost = this.#hosts.find(([pattern]) => pattern.test(host))?.[1];
    // OpenAI's word for the cap on an answer is the operator's word that what is there takes all that OpenAI does.
    return byHost ?? (maxTokensField === 'max_completion_tokens' ? 'openai' : null);
  }

  #rules(name: string, wire: VendorWire, model: string): Record<string, unknown> {
    const rules: Record<string, unknown> = {};
    for (const { on, models, rule, is } of this.#lines.get(name) ?? [])
      if (on.includes(wire) && (models === null || models.test(model))) rules[rule] = is;
    return rules;
  }
}

/** The settings of a provider that determine its dialect. */
export type Account = Pick<ProviderSettings, 'baseUrl' | 'azureApiVersion' | 'maxTokensField' | 'dialect'>;

interface Line {
  readonly on: readonly VendorWire[];
  readonly models: RegExp | null;
  readonly rule: RuleName;
  readonly is: unknown;
}

function linesOf(name: string, written: WrittenDialects, within: readonly string[] = []): readonly Line[] {
  const dialect = written[name];
  if (!dialect) throw new Error(`The dialect "${within.at(-1)}" is like "${name}", which is not there.`);
  if (within.includes(name)) throw new Error(`The dialect "${name}" is like itself.`);
  return [
    ...(dialect.like ?? []).flatMap((other) => linesOf(other, written, [...within, name])),
    ...dialect.lines.map(({ on, model, rule, is }) => ({
      on,
      models: model === undefined ? null : new RegExp(model),
      rule,
      is,
    })),
  ];
}

function asPattern(host: string): RegExp {
  return new RegExp(`^${host.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
}

/** The files beside this one, by name. */
export function writtenDialects(): WrittenDialects {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.yaml'));
  return Object.fromEntries(
    names
      .sort()
      .map((name) => [
        name.replace(/\.yaml$/, ''),
        tableFile(new URL(name, import.meta.url)) as WrittenDialect,
      ]),
  );
}

let made: Dialects | undefined;

/** Those of the files beside this one. */
export function vendorDialects(): Dialects {
  made ??= new Dialects(writtenDialects());
  return made;
}
