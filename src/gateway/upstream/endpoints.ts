import type { VendorWire } from '../../model/parts.ts';
import type { ProviderSettings } from './settings.ts';

/** Where a vendor has one of its wires, and how it knows us there. */
export interface Endpoint {
  /**
   * The path of something on this wire, from the root of the vendor's host.
   * @param suffix such as `/chat/completions`
   * @param model the vendor's own name of the model that is asked, for vendors that have it in the path
   */
  path(suffix: string, model: string): string;
  /** Credentials, and what the wire asks of every request. */
  readonly headers: Readonly<Record<string, string>>;
}

export function endpointOf(provider: ProviderSettings, wire: VendorWire): Endpoint {
  const { apiKey, azureApiVersion } = provider;
  const base = new URL(provider.baseUrl).pathname.replace(/\/+$/, '');
  switch (wire) {
    case 'anthropic': {
      // Anthropic's own clients take the address without the version, ours with it; both will do.
      const root = /\/v\d+$/.test(base) ? base : `${base}/v1`;
      return {
        path: (suffix) => root + suffix,
        headers: { ...(apiKey !== null && { 'x-api-key': apiKey }), 'anthropic-version': '2023-06-01' },
      };
    }
    case 'gemini': {
      // The address of its OpenAI-compatible interface, which is what this server asks for, lies below that of its own.
      const root = base.replace(/\/openai$/, '');
      return {
        path: (suffix) => root + suffix,
        headers: apiKey === null ? {} : { 'x-goog-api-key': apiKey },
      };
    }
    default:
      // https://learn.microsoft.com/azure/ai-services/openai/reference
      if (azureApiVersion !== null)
        return {
          path(suffix, model) {
            // Responses name their deployment in the body, as the model.
            const deployment = wire === 'openai-responses' ? '' : `/deployments/${encodeURIComponent(model)}`;
            return `${base}/openai${deployment}${suffix}?api-version=${azureApiVersion}`;
          },
          headers: apiKey === null ? {} : { 'api-key': apiKey },
        };
      return {
        path: (suffix) => base + suffix,
        headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      };
  }
}
