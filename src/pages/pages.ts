import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Accounts } from '../accounts/open-accounts.ts';
import type { FactoryService } from '../factory/jobs/service.ts';
import type { Page, PageReply } from '../http/page.ts';
import { adminPage } from './account/admin.ts';
import { dashboardPage, linkPage } from './account/dashboard.ts';
import { docsPage } from './docs.ts';
import { previewPages } from './preview.ts';
import { startPage } from './start.ts';

/** Every page and every file that a page loads. */
export function pages(
  accounts: Accounts,
  factory: FactoryService,
  publicUrl: string,
  version: string,
): readonly Page[] {
  const start = startPage(publicUrl, version);
  return [
    { path: '/', render: () => start },
    docsPage(publicUrl),
    adminPage(accounts, publicUrl),
    dashboardPage(accounts, publicUrl),
    linkPage(accounts, publicUrl),
    ...previewPages(factory, publicUrl),
    asset('switchyard.css', 'text/css; charset=utf-8'),
    asset('copy.js', 'text/javascript; charset=utf-8'),
    asset('sign-in.js', 'text/javascript; charset=utf-8'),
    asset('icon.svg', 'image/svg+xml'),
  ];
}

/** A file of `assets/`, read when it is first asked for. */
function asset(name: string, mediaType: string): Page {
  let reply: Promise<PageReply> | undefined;
  const read = async (): Promise<PageReply> => {
    const body = await readFile(path.join(import.meta.dirname, 'assets', name));
    return { status: 200, mediaType, body, cacheControl: 'public, max-age=300' };
  };
  return {
    path: `/assets/${name}`,
    render() {
      reply ??= read();
      return reply;
    },
  };
}
