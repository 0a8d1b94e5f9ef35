import { ServiceError } from '../contract/errors.ts';
import type { HostedPage, HostedPages, Page, PageReply } from '../http/page.ts';
import { type PreviewOrigins, previewDomainOf, previewOriginsOf } from '../services/builds/addresses.ts';
import type { FactoryService } from '../services/builds/service.ts';
import { html } from './assets/html.ts';
import { page } from './layout.ts';
import {
  appHeaders,
  appPolicy,
  guarded,
  guardVersion,
  holderHeaders,
  holderOf,
  holderPolicy,
  holderStyle,
  ownOrigins,
} from './preview-holder.ts';

/** `/preview/{job_id}/`: the app of a build, in its sandbox; its frame has the path `app` below that. */
export function previewPages(factory: FactoryService, publicUrl: string): readonly Page[] {
  const at = ['/preview/:job_id/', '/preview/:job_id/app'] as const;
  const own = ["'self'", ...ownOrigins(publicUrl)];
  const found = foundBy((error, title) => {
    const { status } = error.info;
    const main = html`<section class="panel narrow"><h1>${title}</h1>
<p>Demo builds are kept for 24 hours. An incomplete link does not work.</p>
<p><a class="button primary" href="/">Build an app</a></p></section>`;
    return { ...page({ title, main, status, unlisted: true }), error };
  });
  const find: Find = (id = '') => found(factory.preview(id));
  const holder = holderPage(at[0], find, { app: "'self'", src: 'app', ownOrigin: false, ancestors: own });
  return [
    holder,
    appPage(at[1], find, './', { ownOrigin: false, ancestors: own }),
    {
      path: '/preview/:job_id/picture.png',
      file: true,
      async render({ params }) {
        const picture = await found(factory.picture(params['job_id'] ?? ''));
        if ('none' in picture) return picture.none;
        const { png, etag } = picture.app;
        const headers = { 'x-robots-tag': 'noindex' };
        return { status: 200, mediaType: 'image/png', body: Buffer.from(png), ownBytes: true, etag, headers };
      },
    },
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
  const own = previewDomainOf(publicUrl, domain);
  const originsOf = previewOriginsOf(publicUrl, domain);
  // A preview's own host has no styles, and so no page of ours.
  const found = foundBy((error, title) => ({ ...plain(error.info.status, `${title}.\n`), error }));
  const find: Find = (id = '') => found(factory.preview(id));
  const ancestors = ownOrigins(publicUrl);
  return (host) => {
    const name = host?.replace(/:\d+$/, '').toLowerCase();
    if (own === null || originsOf === null || !name?.endsWith(`.${own}`)) return null;
    const [, isApp, label] = /^(app[.-])?([0-9a-z]{26})$/.exec(name.slice(0, -own.length - 1)) ?? [];
    // The rest of `localhost` may be names that a developer gives to the server itself.
    if (label === undefined) return domain === null ? null : hosted(holderOn(originsOf('')), '');
    return hosted((isApp ? appOn : holderOn)(originsOf(label)), `job_${label}`);
  };

  function holderOn({ app }: PreviewOrigins): Page {
    return holderPage('/', find, { app, src: `${app}/`, ownOrigin: true, ancestors });
  }
  function appOn({ holder }: PreviewOrigins): Page {
    return appPage('/', find, `${holder}/`, { ownOrigin: true, ancestors: [holder, ...ancestors] });
  }
}

const hosted = (one: Page, id: string): HostedPage => ({ page: one, params: { job_id: id } });

type Found<App> = { readonly app: App } | { readonly none: PageReply };
type Find = (id: string | undefined) => Promise<Found<{ readonly html: string; readonly etag: string }>>;

/** Whether an app has an origin of its own, and the origins whose pages may hold it. */
interface Around {
  readonly ownOrigin: boolean;
  readonly ancestors: readonly string[];
}

/** The app of a build, or the page that says why there is none. */
function foundBy(none: (error: ServiceError, title: string) => PageReply) {
  const refusal = (code: 'not_found' | 'expired', title: string) => ({
    none: none(new ServiceError(code, `${title}.`), title),
  });
  return async <App>(made: Promise<App | 'expired' | null>): Promise<Found<App>> => {
    const app = await made;
    if (app === null) return refusal('not_found', 'There is no app here');
    if (app === 'expired') return refusal('expired', 'This app has expired and was deleted');
    return { app };
  };
}

/** @param parts.app its origin, as a source of a policy */
function holderPage(
  path: string,
  find: Find,
  { app: source, src, ownOrigin, ancestors }: Record<'app' | 'src', string> & Around,
): Page {
  const contentSecurityPolicy = holderPolicy(source, holderStyle, ancestors);
  return {
    path,
    async render({ params }) {
      const found = await find(params['job_id']);
      if ('none' in found) return found.none;
      const body = holderOf(found.app.html, src, ownOrigin);
      return { ...framed, body, contentSecurityPolicy, headers: holderHeaders };
    },
  };
}

/**
 * The app itself, which a browser gets for a frame only.
 * @param holder address of the page that holds it
 */
function appPage(path: string, find: Find, holder: string, { ownOrigin, ancestors }: Around): Page {
  const contentSecurityPolicy = appPolicy(ancestors, ownOrigin);
  return {
    path,
    async render({ params, destination }) {
      // Browsers say what they load for on https and on their own machine; elsewhere the guard looks itself.
      if (destination !== null && destination !== 'iframe') {
        const reply = plain(302, 'An app is shown by the page of its preview only.\n');
        return { ...reply, headers: { ...reply.headers, location: holder, vary: 'sec-fetch-dest' } };
      }
      const found = await find(params['job_id']);
      if ('none' in found) return found.none;
      return {
        ...framed,
        body: guarded(found.app.html),
        contentSecurityPolicy,
        etag: found.app.etag.replace(/"$/, `-${guardVersion}"`),
        headers: { ...appHeaders, vary: 'sec-fetch-dest' },
      };
    },
  };
}

const framed = { status: 200, mediaType: 'text/html; charset=utf-8', framed: true } as const;

function plain(status: number, body: string): PageReply {
  return { status, mediaType: 'text/plain; charset=utf-8', body, headers: { 'x-robots-tag': 'noindex' } };
}
