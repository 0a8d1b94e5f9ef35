import type { Accounts } from '../accounts/open-accounts.ts';
import { templateList } from '../factory/catalogue.ts';
import type { FactoryService } from '../factory/jobs/service.ts';
import type { Page } from '../http/page.ts';
import { adminPage } from './account/admin.ts';
import { dashboardPage, linkPage } from './account/dashboard.ts';
import { assetPages } from './asset-files.ts';
import type { Place } from './assets/addresses.js';
import { docsPage } from './docs.ts';
import { jobPage } from './factory/job.ts';
import { startPage } from './factory/start.ts';
import { previewPages } from './preview.ts';

/** Every page and every file that a page loads. */
export function pages(
  accounts: Accounts,
  factory: FactoryService,
  place: Place,
  version: string,
): readonly Page[] {
  const { publicUrl } = place;
  return [
    startPage({ place, templates: templateList().data, version }),
    jobPage({ place, factory }),
    docsPage(publicUrl),
    adminPage(accounts, publicUrl),
    dashboardPage(accounts, publicUrl),
    linkPage(accounts, publicUrl),
    ...previewPages(factory, publicUrl),
    ...assetPages,
  ];
}
