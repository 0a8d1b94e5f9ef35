/**
 * Where links of a build may lead. What a stream says is not trusted: only this server's own paths and the origin that
 * belongs to the build pass, everything else is left out.
 * @typedef {{ publicUrl: string, previewDomain: string | null }} SiteAddresses
 */

/**
 * The path of an address of this server, so that it works under whatever name the visitor has reached it.
 * @param {string | null | undefined} address
 * @param {string} under what the path has to begin with
 * @param {SiteAddresses} addresses
 * @returns {string | null}
 */
export function ownPath(address, under, { publicUrl }) {
  const url = parse(address);
  if (url === null || url.origin !== new URL(publicUrl).origin) return null;
  return url.pathname.startsWith(under) ? url.pathname : null;
}

/**
 * The address of the build on an origin of its own, under the domain that is set aside for previews.
 * @param {string | null | undefined} address
 * @param {SiteAddresses} addresses
 * @returns {string | null}
 */
export function previewOrigin(address, { previewDomain }) {
  const url = parse(address);
  if (url === null || previewDomain === null) return null;
  const web = url.protocol === 'http:' || url.protocol === 'https:';
  return web && url.hostname.endsWith(`.${previewDomain}`) ? url.href : null;
}

/**
 * The domain of previews, if it leads the visitor to this server: `localhost` is the visitor's own machine.
 * @param {string | undefined} domain
 * @param {string} hostname under which the visitor has reached this server
 * @returns {string | null}
 */
export function usableDomain(domain, hostname) {
  if (domain !== 'localhost') return domain ?? null;
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname) ? domain : null;
}

/** @param {string | null | undefined} address */
function parse(address) {
  return typeof address === 'string' && URL.canParse(address) ? new URL(address) : null;
}
