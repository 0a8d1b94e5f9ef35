import { ServiceError } from '../contract/errors.ts';
import { previewDomainOf } from '../factory/jobs/addresses.ts';
import type { FactoryService } from '../factory/jobs/service.ts';
import { ownOrigins, previewHeaders, previewPolicy } from '../factory/preview-policy.ts';
import type { HostedPages, Page, PageReply } from '../http/page.ts';
import { html } from './html.ts';
import { page } from './layout.ts';

/** `/preview/{job_id}/`: what a build has made, in its sandbox. */
export function previewPages(factory: FactoryService, publicUrl: string): readonly Page[] {
  return [
    previewPage(factory, publicUrl, false),
    {
      path: '/preview/:job_id',
      render: ({ params }) => ({
        ...plain(308, 'The preview is at the same address with a slash at its end.\n'),
        headers: { location: `/preview/${encodeURIComponent(params['job_id'] ?? '')}/` },
      }),
    },
  ];
}

/**
 * Previews on origins of their own: `<build>.localhost` on a developer's machine, `<build>.<domain>` elsewhere.
 * @param domain null: none but `localhost`
 */
export function previewHosts(factory: FactoryService, publicUrl: string, domain: string | null): HostedPages {
  const preview = previewPage(factory, publicUrl, true);
  const own = previewDomainOf(publicUrl, domain);
  return (host) => {
    const name = host?.replace(/:\d+$/, '').toLowerCase();
    if (own === null || !name?.endsWith(`.${own}`)) return null;
    const label = name.slice(0, -own.length - 1);
    const isBuild = /^[0-9a-z]{26}$/.test(label);
    // The rest of `localhost` may be names that a developer gives to the server itself.
    if (!isBuild && domain === null) return null;
    return { page: preview, params: { job_id: isBuild ? `job_${label}` : '' } };
  };
}

function previewPage(factory: FactoryService, publicUrl: string, ownOrigin: boolean): Page {
  const ancestors = ownOrigin ? ownOrigins(publicUrl) : ["'self'", ...ownOrigins(publicUrl)];
  const contentSecurityPolicy = previewPolicy(ancestors, ownOrigin);
  return {
    path: '/preview/:job_id/',
    async render({ params }) {
      const found = await factory.preview(params['job_id'] ?? '');
      if (found === null) return none('not_found', 'There is no app here', ownOrigin);
      if (found === 'expired')
        return none('expired', 'This app was deleted because its time was over', ownOrigin);
      return {
        status: 200,
        mediaType: 'text/html; charset=utf-8',
        body: found.html,
        contentSecurityPolicy,
        framed: true,
        etag: found.etag,
        headers: previewHeaders,
      };
    },
  };
}

/** What is shown in place of an app. A preview's own host has no styles, and so no page of ours. */
function none(code: 'not_found' | 'expired', title: string, ownOrigin: boolean): PageReply {
  const error = new ServiceError(code, `${title}.`);
  const { status } = error.info;
  if (ownOrigin) return { ...plain(status, `${title}.\n`), error };
  const main = html`<section class="panel narrow"><h1>${title}</h1>
<p>Demo builds are kept for 24 hours. A link that was cut off on its way leads to nothing.</p>
<p><a class="button primary" href="/">Build an app</a></p></section>`;
  return { ...page({ title, main, status, unlisted: true }), error };
}

function plain(status: number, body: string): PageReply {
  return { status, mediaType: 'text/plain; charset=utf-8', body, headers: { 'x-robots-tag': 'noindex' } };
}
