import { templateList } from '../factory/catalogue.ts';
import type { ProviderCheck } from '../gateway/routing/discovery/check-provider.ts';
import type { Page } from '../http/page.ts';
import type { ConfigControl } from '../lib/loaded-config.ts';
import type { FactoryService } from '../services/builds/service.ts';
import type { SignIn } from '../tenants/accounts/oidc/open-sign-in.ts';
import type { Accounts } from '../tenants/accounts/open-accounts.ts';
import type { BudgetReports } from '../tenants/metering/budget-reports.ts';
import type { UsageReports } from '../tenants/metering/usage-reports.ts';
import { adminPage } from './account/admin.ts';
import { dashboardPage, linkPage, usageFile } from './account/dashboard.ts';
import type { ServersSource } from './account/servers-view.ts';
import { signInPages } from './account/sign-in.ts';
import type { WebhooksParts } from './account/webhook-actions.ts';
import { assetPages } from './asset-files.ts';
import type { SiteAddresses } from './assets/addresses.js';
import { configSchemaPage } from './config-schema.ts';
import type { ExampleModels } from './connect/clients.ts';
import { connectPage } from './connect/connect.ts';
import { docsPage } from './docs.ts';
import { buildPage, newestPage } from './factory/build.ts';
import { startPage } from './factory/start.ts';
import { guidePages } from './guides.ts';
import { helloPage } from './hello.ts';
import { playgroundPage } from './playground/playground.ts';
import { previewPages } from './preview.ts';
import { signupPage } from './signup.ts';

export interface PagesParts {
  readonly accounts: Accounts;
  readonly signIn: SignIn;
  readonly reports: UsageReports;
  readonly budgetReports: BudgetReports;
  readonly telling: WebhooksParts;
  /** Asks every provider for its models. */
  readonly checkProviders: () => Promise<readonly ProviderCheck[]>;
  readonly factory: FactoryService;
  readonly addresses: SiteAddresses;
  readonly version: string;
  /** Models of this server that its examples name. */
  readonly exampleModels: ExampleModels;
  /** Whether organisations can sign up. */
  readonly signupOpen: boolean;
  /** The JSON Schema of the YAML file. */
  readonly configSchema: object;
  readonly config: ConfigControl;
  readonly servers: ServersSource;
}

/** Every page and every file that a page loads. */
export function pages({
  accounts,
  signIn,
  reports,
  budgetReports,
  telling,
  checkProviders,
  factory,
  addresses,
  version,
  exampleModels,
  signupOpen,
  configSchema,
  config,
  servers,
}: PagesParts): readonly Page[] {
  const { publicUrl } = addresses;
  return [
    startPage({ addresses, templates: templateList().data, version }),
    buildPage({ addresses, factory }),
    newestPage({ addresses, factory }),
    connectPage(publicUrl, exampleModels),
    docsPage(publicUrl),
    ...guidePages(publicUrl),
    playgroundPage(publicUrl),
    adminPage(
      { accounts, signIn, reports, budgetReports, checkProviders, config, servers, ...telling },
      publicUrl,
    ),
    dashboardPage({ accounts, signIn, reports, budgetReports }, publicUrl),
    usageFile(accounts, reports),
    linkPage(accounts, signIn, publicUrl),
    ...signInPages(accounts, signIn, publicUrl),
    signupPage(signupOpen ? accounts.signups : null, accounts.plans),
    helloPage,
    configSchemaPage(configSchema),
    ...previewPages(factory, publicUrl),
    ...assetPages,
  ];
}
