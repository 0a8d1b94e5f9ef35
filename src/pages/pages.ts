import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Accounts } from '../accounts/open-accounts.ts';
import { withAccounts } from '../accounts/service-errors.ts';
import type { FactoryService } from '../factory/jobs/service.ts';
import type { Page, PageReply } from '../http/page.ts';
import { adminPage } from './account/admin.ts';
import { dashboardPage, linkPage } from './account/dashboard.ts';
import { docsPage } from './docs.ts';
import { previewPages } from './preview.ts';
import { signupPage } from './signup.ts';
import { startPage } from './start.ts';

export interface PagesParts {
  readonly accounts: Accounts;
  readonly factory: FactoryService;
  /** Address under which clients reach this server, without a slash at the end. */
  readonly publicUrl: string;
  readonly version: string;
  /** Whether organisations can sign up. */
  readonly signupOpen: boolean;
}

/** Every page and every file that a page loads. */
export function pages({ accounts, factory, publicUrl, version, signupOpen }: PagesParts): readonly Page[] {
  const start = startPage(publicUrl, version);
  return [
    { path: '/', render: () => start },
    docsPage(publicUrl),
    ...[adminPage, dashboardPage, linkPage].map((make) => guarded(make(accounts, publicUrl))),
    signupPage(signupOpen ? accounts.signups : null, accounts.plans),
    ...previewPages(factory, publicUrl),
    asset('switchyard.css', 'text/css; charset=utf-8'),
    asset('account.css', 'text/css; charset=utf-8'),
    asset('copy.js', 'text/javascript; charset=utf-8'),
    asset('sign-in.js', 'text/javascript; charset=utf-8'),
    asset('signup.js', 'text/javascript; charset=utf-8'),
    asset('icon.svg', 'image/svg+xml'),
  ];
}

/** The same page, with failures of the accounts as the errors that a person is told. */
function guarded(page: Page): Page {
  return { ...page, render: (request) => withAccounts(async () => page.render(request)) };
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
