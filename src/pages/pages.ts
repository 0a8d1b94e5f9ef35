import type { BuildTemplate, FactoryJob } from '../../generated/types.gen.ts';
import type { Accounts } from '../accounts/open-accounts.ts';
import type { Page } from '../http/page.ts';
import { adminPage } from './account/admin.ts';
import { dashboardPage, linkPage } from './account/dashboard.ts';
import { assetPages } from './asset-files.ts';
import { docsPage } from './docs.ts';
import { jobPage } from './factory/job.ts';
import { startPage } from './factory/start.ts';

/** What the pages show of the public demo. */
export interface DemoBuilds {
  /** The families of apps, with prompts to begin with. */
  readonly templates: readonly BuildTemplate[];
  /** The record of a demo build; null if there is none of this id. */
  find(jobId: string): Promise<FactoryJob | null>;
  /** Domain under which each build has an origin of its own; null without one. */
  readonly previewDomain: string | null;
}

/** Every page and every file that a page loads. */
export function pages(
  accounts: Accounts,
  demo: DemoBuilds,
  publicUrl: string,
  version: string,
): readonly Page[] {
  const place = { publicUrl, previewDomain: demo.previewDomain };
  return [
    startPage({ place, templates: demo.templates, version }),
    jobPage({ place, find: demo.find }),
    docsPage(publicUrl),
    adminPage(accounts, publicUrl),
    dashboardPage(accounts, publicUrl),
    linkPage(accounts, publicUrl),
    ...assetPages,
  ];
}
