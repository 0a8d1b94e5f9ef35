import { isLoopback } from '../../lib/loopback.ts';

/**
 * The domain under which each preview has a host of its own: the one that is set, else `localhost` for a server that is
 * reached on its own machine; null where there is none.
 */
export function previewDomainOf(publicUrl: string, domain: string | null): string | null {
  return domain ?? (isLoopback(new URL(publicUrl).hostname) ? 'localhost' : null);
}

/** Where clients find what belongs to a build. */
export class Addresses {
  readonly #publicUrl: string;
  readonly #previewHost: ((label: string) => string) | null;

  /**
   * @param publicUrl address under which clients reach this server, without a slash at the end
   * @param previewDomain domain whose subdomains lead to this server too; null: none but `localhost`
   */
  constructor(publicUrl: string, previewDomain: string | null) {
    this.#publicUrl = publicUrl;
    const { protocol, port } = new URL(publicUrl);
    const domain = previewDomainOf(publicUrl, previewDomain);
    const suffix = port === '' ? '' : `:${port}`;
    this.#previewHost = domain === null ? null : (label) => `${protocol}//${label}.${domain}${suffix}`;
  }

  /** The record of a build, under which its events and the rest are. */
  record(id: string, tenantId: string | null): string {
    const folder = tenantId === null ? 'api/factory/public-demo' : 'api/v1/factory/jobs';
    return `${this.#publicUrl}/${folder}/${id}`;
  }

  /** Where a person can watch a demo build. */
  page(id: string): string {
    return `${this.#publicUrl}/factory/jobs/${id}`;
  }

  preview(id: string): string {
    return `${this.#publicUrl}/preview/${id}/`;
  }

  /** The preview on an origin of its own; null where there is none to give. */
  ownOrigin(id: string): string | null {
    return this.#previewHost && `${this.#previewHost(id.replace(/^job_/, ''))}/`;
  }
}
