/**
 * The vendors' own clients, off the hot path: models, files, batches. They are loaded when they are first needed, as each
 * takes about 30 MB, and get all settings, so that none reads the environment.
 */
import type Anthropic from '@anthropic-ai/sdk';
import type { GoogleGenAI } from '@google/genai';
import type OpenAI from 'openai';
import { ProviderError } from '../../upstream/provider-error.ts';
import type { ProviderSettings } from '../../upstream/settings.ts';
import type { Connection } from '../../upstream/vendor-client.ts';
import { errorOfReply } from '../../upstream/vendor-errors.ts';

/** A key stays with the vendor that it was made for. */
const fetchHere: typeof fetch = (address, init) => fetch(address, { ...init, redirect: 'error' });

const quiet = { logLevel: 'off', fetch: fetchHere } as const;
/** The clients insist on a key; for a vendor that takes none the header is left out. */
const noKey = 'none';

/** @param timeoutMs from asking to the head of the answer */
export async function openAiClient(
  { apiKey, baseUrl, azureApiVersion }: ProviderSettings,
  timeoutMs: number,
): Promise<OpenAI> {
  const { AzureOpenAI, OpenAI } = await import('openai');
  const common = {
    ...quiet,
    apiKey: apiKey ?? noKey,
    timeout: timeoutMs,
    maxRetries: 0,
    organization: null,
    project: null,
    webhookSecret: null,
    adminAPIKey: null,
    ...(apiKey === null && { defaultHeaders: { authorization: null, 'api-key': null } }),
  };
  if (azureApiVersion !== null)
    return new AzureOpenAI({ ...common, baseURL: `${bare(baseUrl)}/openai`, apiVersion: azureApiVersion });
  return new OpenAI({ ...common, baseURL: bare(baseUrl) });
}

export async function anthropicClient(
  { apiKey, baseUrl }: ProviderSettings,
  timeoutMs: number,
): Promise<Anthropic> {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  return new Anthropic({
    ...quiet,
    apiKey: noKey,
    authToken: null,
    webhookKey: null,
    // Its paths begin with the version.
    baseURL: bare(baseUrl).replace(/\/v\d+$/, ''),
    timeout: timeoutMs,
    maxRetries: 0,
    // As the hot lane sends it, which every vendor on this wire takes.
    defaultHeaders: { authorization: null, 'x-api-key': apiKey },
  });
}

export async function geminiClient(
  { apiKey, baseUrl }: ProviderSettings,
  timeoutMs: number,
): Promise<GoogleGenAI> {
  const { GoogleGenAI } = await import('@google/genai');
  // The address of its OpenAI-compatible interface lies below that of its own.
  const root = bare(baseUrl).replace(/\/openai$/, '');
  const [, base = root, apiVersion = ''] = /^(.*)\/(v\d\w*)$/.exec(root) ?? [];
  return new GoogleGenAI({
    apiKey: apiKey ?? noKey,
    vertexai: false,
    httpOptions: { baseUrl: base, apiVersion, timeout: timeoutMs, fetch: fetchHere },
  });
}

function bare(url: string): string {
  return url.replace(/\/+$/, '');
}

/** The used fields of an error of OpenAI's official client: its class would load the client. */
interface ClientError {
  readonly name: string;
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly error?: unknown;
}

/** Whether the vendor says that what was asked for is not there. */
export function isNotThere(thrown: unknown): boolean {
  return (thrown as Partial<ClientError> | null)?.status === 404;
}

/** A failure of the official client as one of the provider, in our own words or, for a refused request, in the vendor's, redacted. */
export function clientFailure(
  { id, connection }: { readonly id: string; readonly connection: Connection | null },
  thrown: unknown,
): unknown {
  if (!(thrown instanceof Error) || connection === null) return thrown;
  const { status, headers, error } = thrown as Error & Partial<ClientError>;
  if (typeof status === 'number') {
    const given = headers instanceof Headers ? Object.fromEntries(headers) : {};
    return errorOfReply(connection.vendor, '', status, given, JSON.stringify({ error: error ?? {} }));
  }
  const kind = thrown.constructor.name;
  if (/Timeout/.test(kind))
    return new ProviderError('provider_first_byte_timeout', `The provider ${id} did not answer in time.`, {
      worthRetrying: false,
    });
  if (/Connection/.test(kind))
    return new ProviderError('provider_unreachable', `The provider ${id} cannot be reached.`, {
      worthRetrying: false,
      cause: thrown,
    });
  return thrown;
}
