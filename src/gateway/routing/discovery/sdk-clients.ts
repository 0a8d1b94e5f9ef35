/**
 * The vendors' own clients, for what is not hot: models, files, batches. They are loaded when they are first needed, as each
 * takes about 30 MB, and told everything, so that none looks into the environment.
 */
import type Anthropic from '@anthropic-ai/sdk';
import type { GoogleGenAI } from '@google/genai';
import type OpenAI from 'openai';
import type { ProviderSettings } from '../../upstream/settings.ts';

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
