import { isLoopback } from '../../lib/address.ts';

/**
 * The domain under which each preview has a host of its own: the one that is set, else `localhost` for a server that is
 * reached on its own machine; null where there is none.
 */
export function previewDomainOf(publicUrl: string, domain: string | null): string | null {
  return domain ?? (isLoopback(new URL(publicUrl).hostname) ? 'localhost' : null);
}

/** The two origins of a preview that has its own: of the page that people open, and of the app that it holds in a frame. */
export interface PreviewOrigins {
  readonly holder: string;
  readonly app: string;
}

/**
 * Finds the origins of a preview by the label of its host; null where there are none to give. Both are of one site, or
 * browsers would keep from the app what they keep from third parties: hosts of one registrable domain are, which under
 * `localhost` each name is. Certificates cover one label below a domain, so there the name is not below the other.
 */
export function previewOriginsOf(
  publicUrl: string,
  previewDomain: string | null,
): ((label: string) => PreviewOrigins) | null {
  const { protocol, port } = new URL(publicUrl);
  const domain = previewDomainOf(publicUrl, previewDomain);
  if (domain === null) return null;
  const suffix = port === '' ? '' : `:${port}`;
  const origin = (label: string) => `${protocol}//${label}.${domain}${suffix}`;
  const app = domain === 'localhost' ? 'app.' : 'app-';
  return (label) => ({ holder: origin(label), app: origin(`${app}${label}`) });
}

export class Addresses {
  readonly #publicUrl: string;
  readonly #previewOrigins: ((label: string) => PreviewOrigins) | null;

  /**
   * @param publicUrl address under which clients reach this server, without a slash at the end
   * @param previewDomain domain whose subdomains lead to this server too; null: none but `localhost`
   */
  constructor(publicUrl: string, previewDomain: string | null) {
    this.#publicUrl = publicUrl;
    this.#previewOrigins = previewOriginsOf(publicUrl, previewDomain);
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

  picture(id: string): string {
    return `${this.preview(id)}picture.png`;
  }

  /** The preview on an origin of its own; null where there is none to give. */
  ownOrigin(id: string): string | null {
    return this.#previewOrigins && `${this.#previewOrigins(id.replace(/^job_/, '')).holder}/`;
  }
}
