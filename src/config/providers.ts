import { type Account, vendorDialects } from '../gateway/dialects/dialect.ts';
import type { DialectSettings } from '../gateway/dialects/rules.ts';
import { Secret } from '../lib/redact.ts';
import {
  type BuiltInId,
  builtInProviders,
  defaultConnections,
  otherProvider,
  sandbox,
  wires,
} from './built-in.ts';
import { type Environment, variable } from './environment.ts';
import type { ProviderConfig } from './models-config.ts';
import type { ConfigFile, ProviderEntry } from './parse-file.ts';
import { baseUrl, readOrNull, vendorKey } from './setting-types.ts';
import { modelSettings, type ValuesOf } from './settings.ts';

/**
 * The configured providers: the built-in ones that have a key or an address, then the file's own. Field by field the
 * environment holds before the file, and the file before the defaults.
 */
export function readProviders(
  values: ValuesOf<typeof modelSettings>,
  file: ConfigFile,
  env: Environment,
): readonly ProviderConfig[] {
  const entries = file.content.providers ?? {};
  const ids = new Set([...Object.keys(builtInProviders), ...Object.keys(entries)]);
  const providers: ProviderConfig[] = [];
  for (const id of ids) {
    const entry = Object.hasOwn(entries, id) ? entries[id] : undefined;
    const builtIn = isBuiltIn(id);
    const defaults = builtIn ? builtInProviders[id] : otherProvider;
    const key = builtIn ? values[`${id}Key`] : null;
    const url = builtIn ? values[`${id}Url`] : null;

    const found = [key, url, entry?.api_key ?? null, entry?.base_url ?? null].some((value) => value !== null);
    if (!found && entry === undefined) continue;
    const fileKey = entry?.api_key === undefined ? null : readKey(id, entry.api_key, file, env);
    const fileUrl = entry?.base_url === undefined ? null : baseUrl.read(entry.base_url);

    const missing = reasonAgainst(id, found, url ?? fileUrl);
    if (missing) file.report(['providers', id], missing, 'key');
    const dialect = dialectOf(id, entry, file);
    const speaks = entry?.speaks ?? spokenBy(entry, defaults.speaks, url ?? fileUrl);
    if (entry?.responses_socket && !speaks.includes('openai-responses'))
      file.report(
        ['providers', id, 'responses_socket'],
        'expected `openai-responses` in the key `speaks` too, as only this protocol has sockets.',
      );
    const account = {
      azureApiVersion: entry?.azure_api_version ?? null,
      baseUrl: url ?? fileUrl ?? ('baseUrl' in defaults ? defaults.baseUrl : ''),
      maxTokensField: defaults.maxTokensField,
      ...(dialect && { dialect }),
    };
    providers.push({
      id,
      speaks,
      apiKey: key ?? fileKey,
      patterns: entry?.patterns ?? defaults.patterns,
      ...account,
      maxTokensField: entry?.max_tokens_field ?? maxTokensFieldAt(account),
      connections: entry?.connections ?? defaultConnections,
      ...(entry?.discover && { discover: true }),
      ...(entry?.responses_socket && { responsesSocket: true }),
    });
  }
  return providers;
}

/**
 * The field that limits an answer there. Reasoning models refuse `max_tokens`, which OpenAI has under other names than `openai` too, and
 * Azure since its version of September 2024 (https://learn.microsoft.com/azure/ai-services/openai/api-version-deprecation).
 */
function maxTokensFieldAt(account: Account): ProviderConfig['maxTokensField'] {
  const name = vendorDialects().nameOf(account);
  const reasons = name === 'openai' || (name === 'azure' && (account.azureApiVersion ?? 'v1') >= '2024-09');
  return reasons ? 'max_completion_tokens' : account.maxTokensField;
}

function dialectOf(id: string, entry: ProviderEntry | undefined, file: ConfigFile): DialectSettings | null {
  if (entry?.dialect === undefined) return null;
  const { like = null, ...rules } =
    typeof entry.dialect === 'string' ? { like: entry.dialect } : entry.dialect;
  const { names } = vendorDialects();
  if (like !== null && !names.includes(like))
    file.report(['providers', id, 'dialect'], `expected one of ${names.join(', ')}; found ${like}.`);
  return { like, rules };
}

/** At an address of its own a vendor's name says no more than the first of its wires. */
function spokenBy(
  entry: ProviderEntry | undefined,
  usual: ProviderConfig['speaks'],
  url: string | null,
): ProviderConfig['speaks'] {
  if (entry?.wire !== undefined) return wires[entry.wire];
  return url === null ? usual : [usual[0]];
}

/** The environment variables that configure a built-in provider, as text; null for another one. */
export function variablesOf(id: string): string | null {
  if (!isBuiltIn(id)) return null;
  return `${modelSettings[`${id}Key`].name} or ${modelSettings[`${id}Url`].name}`;
}

function reasonAgainst(id: string, found: boolean, url: string | null): string | null {
  if (id === sandbox) return 'this provider is built in and takes no settings.';
  if (isBuiltIn(id))
    return found ? null : `expected api_key or base_url here, or ${variablesOf(id)} to be set.`;
  return url === null ? 'expected the key `base_url`, which is missing.' : null;
}

/** The key that an entry holds or names; null when it cannot be had, which is reported. */
function readKey(id: string, text: string, file: ConfigFile, env: Environment): Secret | null {
  const name = /^\$\{(.+)\}$/.exec(text)?.[1];
  if (name === undefined) return new Secret(text);
  const held = variable(env, name);
  const key = held === null ? null : readOrNull(vendorKey, held);
  if (key === null) {
    const wrong = held === null ? 'is not set' : 'holds a wrong value, not shown here';
    const problem = `the environment variable ${name} ${wrong}; expected ${vendorKey.expected}.`;
    file.report(['providers', id, 'api_key'], problem);
  }
  return key;
}

function isBuiltIn(id: string): id is BuiltInId {
  return Object.hasOwn(builtInProviders, id);
}
