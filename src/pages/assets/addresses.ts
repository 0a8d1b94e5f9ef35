/**
 * Where links of a build may lead. What a stream says is not trusted: only this server's own paths and the origin that
 * belongs to the build pass, everything else is left out.
 */
export type SiteAddresses = { publicUrl: string; previewDomain: string | null };

/**
 * The path of an address of this server, so that it works under whatever name the visitor has reached it.
 * @param under what the path has to begin with
 */
export function ownPath(
  address: string | null | undefined,
  under: string,
  { publicUrl }: SiteAddresses,
): string | null {
  const url = parse(address);
  if (url === null || url.origin !== new URL(publicUrl).origin) return null;
  return url.pathname.startsWith(under) ? url.pathname : null;
}

/** The address of the build on an origin of its own, under the domain that is set aside for previews. */
export function previewOrigin(
  address: string | null | undefined,
  { previewDomain }: SiteAddresses,
): string | null {
  const url = parse(address);
  if (url === null || previewDomain === null) return null;
  const web = url.protocol === 'http:' || url.protocol === 'https:';
  return web && url.hostname.endsWith(`.${previewDomain}`) ? url.href : null;
}

/**
 * The domain of previews, if it leads the visitor to this server: `localhost` is the visitor's own machine.
 * @param hostname under which the visitor has reached this server
 */
export function usableDomain(domain: string | undefined, hostname: string): string | null {
  if (domain !== 'localhost') return domain ?? null;
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname) ? domain : null;
}

function parse(address: string | null | undefined) {
  return typeof address === 'string' && URL.canParse(address) ? new URL(address) : null;
}
