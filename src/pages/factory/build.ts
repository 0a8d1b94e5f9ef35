import type { FactoryJob } from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Page, PageReply } from '../../http/page.ts';
import { shorten } from '../../lib/static-text.ts';
import type { FactoryService } from '../../services/builds/service.ts';
import type { SiteAddresses } from '../assets/build-parts.ts';
import { buildOf, isOver } from '../assets/build-state.ts';
import { html } from '../assets/html.ts';
import { page } from '../layout.ts';
import { buildView } from './build-view.ts';

interface BuildPageParts {
  readonly addresses: SiteAddresses;
  readonly factory: FactoryService;
}

/** `/factory/jobs/{job_id}`: one demo build, for anyone with its link. */
export function buildPage({ addresses, factory }: BuildPageParts): Page {
  return {
    path: '/factory/jobs/:job_id',
    async render({ params }) {
      const id = idIn(params);
      const build = id === null ? null : await demoBuild(factory, id);
      if (build === null) return unknown();
      return Date.parse(build.expires_at) <= Date.now() ? expired(build) : shown(build, addresses);
    },
  };
}

/** `/factory/jobs/{job_id}/newest`: leads to the page of the newest revision that succeeded of the app that a build belongs to. */
export function newestPage({ factory }: BuildPageParts): Page {
  return {
    path: '/factory/jobs/:job_id/newest',
    async render({ params }) {
      const id = idIn(params);
      const newest = id === null ? null : await factory.newestId(id, null);
      if (newest === null) return unknown();
      return {
        status: 303,
        mediaType: 'text/plain; charset=utf-8',
        body: 'The newest revision is on a page of its own.\n',
        cacheControl: 'no-store',
        headers: { location: `/factory/jobs/${newest}`, 'x-robots-tag': 'noindex' },
      };
    },
  };
}

function idIn(params: Readonly<Record<string, string | undefined>>): string | null {
  const id = params['job_id'] ?? '';
  return /^job_[0-9a-z]{26}$/.test(id) ? id : null;
}

async function demoBuild(factory: FactoryService, id: string): Promise<FactoryJob | null> {
  try {
    return JSON.parse((await factory.record(id, null)).text) as FactoryJob;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return null;
    throw error;
  }
}

function shown(build: FactoryJob, addresses: SiteAddresses): PageReply {
  const state = buildOf(build);
  return page({
    title: state.title ?? 'A build',
    description: `Built by Switchyard from the words “${shorten(build.prompt, 160)}”`,
    picture: build.preview?.picture_url,
    script: '/assets/build.js',
    style: '/assets/factory.css',
    frames: true,
    unlisted: true,
    main: buildView({ addresses, state, level: 1, live: !isOver(build.status) }),
  });
}

function expired({ expires_at }: FactoryJob): PageReply {
  const error = new ServiceError('expired', 'This build has expired.');
  const shown = page({
    title: 'This build has expired',
    status: 410,
    unlisted: true,
    main: html`<section class="panel narrow"><h1>This build has expired</h1>
<p>Demo builds are kept for 24 hours. Preview, files and download of this one were deleted on
<time datetime="${expires_at}">${expires_at.slice(0, 10)}</time>.</p>
<p><a class="button primary" href="/">Build another</a></p></section>`,
  });
  return { ...shown, error };
}

function unknown(): PageReply {
  const shown = page({
    title: 'No such build',
    status: 404,
    unlisted: true,
    main: html`<section class="panel narrow"><h1>There is no such build</h1>
<p>The link may be incomplete: a complete one ends in “job_” and 26 more characters.</p>
<p><a class="button primary" href="/">Build an app</a></p></section>`,
  });
  return { ...shown, error: new ServiceError('not_found', 'There is no such build.') };
}
