import type { ListPage } from '../../store/list-page.ts';
import type { AuditEntry } from '../../tenants/accounts/changes.ts';
import type { SignIn } from '../../tenants/accounts/oidc/open-sign-in.ts';
import { limitNames, limitsOf, type PlanId, type Plans, planIds } from '../../tenants/accounts/plans.ts';
import type { Session } from '../../tenants/accounts/sessions.ts';
import type { KeyView } from '../../tenants/accounts/stored-keys.ts';
import type { Tenant } from '../../tenants/accounts/tenants.ts';
import { type Html, html } from '../assets/html.ts';
import { type BudgetsView, budgetsSection } from './budgets.ts';
import { addressOf, type KeysPage, keysTable, newKeyForm } from './keys.ts';
import {
  adminPath,
  badge,
  count,
  formHead,
  head,
  issuerLinks,
  listAddress,
  moment,
  nextListPage,
  planNames,
  table,
} from './parts.ts';
import { type UsagePlace, type UsageView, usageSection } from './usage-view.ts';

export function signInView({ signIns, passwords }: SignIn, problem: string | null): Html {
  return html`<section class="panel narrow"><h1>Sign in</h1>
${passwords && html`<p class="muted">For the administrator of this server. The password was printed at the first start, or is set as <code>ADMIN_PASSWORD</code>.</p>`}
${problem !== null && html`<p class="notice bad" role="alert">${problem}</p>`}
${
  passwords &&
  html`<form class="fields" method="post" action="${adminPath}"><input type="hidden" name="action" value="sign-in">
<label>Password <input type="password" name="password" required autocomplete="current-password" autofocus></label>
<button class="button primary">Sign in</button></form>`
}
${issuerLinks(signIns, 'admin')}</section>`;
}

/** @param requests of the last 30 days by tenant */
export function tenantsView(
  session: Session,
  tenants: ListPage<Tenant>,
  cursor: string | null,
  requests: ReadonlyMap<string, number>,
): Html {
  const headings = ['Tenant', 'Plan', 'Status', 'Requests in 30 days', 'Since (UTC)'];
  const rows = tenants.items.map((tenant) => [
    html`<span class="stack"><a href="${adminPath}?tenant=${tenant.id}"><strong>${tenant.name}</strong></a><code>${tenant.id}</code></span>`,
    html`${planNames[tenant.plan]}`,
    tenant.suspendedAt === null ? badge('active', 'good') : badge('suspended', 'bad'),
    html`${count(requests.get(tenant.id) ?? 0)}`,
    moment(tenant.createdAt),
  ]);
  return html`<section class="panel">${table('Tenants', headings, rows)}${nextListPage(adminPath, tenants.nextCursor, { cursor })}</section>
<section class="panel"><h2>New tenant</h2>
<form class="fields" method="post" action="${adminPath}">${formHead(session, 'create-tenant')}
<label>Id <input name="id" required pattern="[a-z0-9][a-z0-9\\-]{0,62}" title="Lower-case letters, digits and -" placeholder="acme" autocomplete="off"></label>
<label>Name <input name="name" maxlength="200" placeholder="Acme Inc." autocomplete="off"></label>
<label>Plan ${planSelect('free')}</label>
<button class="button primary">Create tenant</button></form></section>`;
}

export function changesView(audit: ListPage<AuditEntry>, cursor: string | null): Html {
  const rows = audit.items.map(({ at, actor, action, target }) => [
    moment(at),
    html`${actor}`,
    html`<code>${action}</code>`,
    html`<code>${target}</code>`,
  ]);
  return html`<section class="panel">${table('Changes', ['When (UTC)', 'Who', 'What', 'To'], rows)}
${nextListPage(listAddress('changes'), audit.nextCursor, { older: true, cursor })}</section>`;
}

interface TenantView {
  readonly page: KeysPage;
  readonly tenant: Tenant;
  readonly plans: Plans;
  readonly keys: ListPage<KeyView>;
  readonly cursor: string | null;
  readonly usage: UsageView;
  readonly budgets: BudgetsView;
}

export function tenantView({ page, tenant, plans, keys, cursor, usage, budgets }: TenantView): Html {
  const { session } = page;
  const fields = { tenant: tenant.id };
  const suspended = tenant.suspendedAt !== null;
  const form = (action: string) => formHead(session, action, fields);
  return html`${head(tenant.name, session, adminPath, html`<a href="${adminPath}">All tenants</a>`)}
<p class="facts"><code>${tenant.id}</code> ${badge(planNames[tenant.plan], 'calm')} ${suspended ? badge('suspended', 'bad') : badge('active', 'good')}</p>
<section class="panel"><h2>Keys</h2>${keysTable(keys.items, page)}${nextListPage(addressOf(page), keys.nextCursor, { older: true, cursor })}</section>
<section class="panel" id="new-key"><h2>New key</h2>${newKeyForm(page)}</section>
${usageSection(usage, usagePlace(page.fields, tenant.id))}
${budgetsSection(budgets, page)}
<section class="panel"><h2>Plan and limits</h2>
<form class="fields" method="post" action="${adminPath}">${form('change-tenant')}
<label>Name <input name="name" required maxlength="200" value="${tenant.name}"></label>
<label>Plan ${planSelect(tenant.plan)}</label>
<label>Tags that its requests need <input name="required-tags" value="${tenant.requiredTags.join(', ')}" maxlength="1200" placeholder="none" autocomplete="off"></label>
<details ${Object.keys(tenant.overrides).length > 0 && html`open`}><summary>Limits of its own</summary>
<p class="muted">Empty: the value of the plan. Otherwise a number, or “unlimited”.</p><div class="fields">${limitFields(tenant, plans)}</div></details>
<button class="button primary">Save</button></form></section>
<section class="panel"><h2>Access</h2>
${suspended ? suspendedAccess(form('resume-tenant')) : openAccess(form('invite-tenant'), addressOf(page, { suspend: 'yes' }))}</section>`;
}

export function allUsageView(usage: UsageView): Html {
  return usageSection(usage, usagePlace({ view: 'usage' }, null));
}

function usagePlace(fields: Readonly<Record<string, string>>, tenantId: string | null): UsagePlace {
  return {
    addressOf: (query) => `${adminPath}?${new URLSearchParams({ ...fields, ...query })}`,
    path: adminPath,
    fields,
    exportOf: (format, { from, to }) => {
      const query = { format, from, to, ...(tenantId !== null && { tenant_id: tenantId }) };
      return `/api/admin/usage/export?${new URLSearchParams(query)}`;
    },
  };
}

function openAccess(invite: Html, suspendAddress: string): Html {
  return html`<p class="muted">A sign-in link opens the tenant's dashboard, once and within 24 hours. A suspended tenant's keys are refused.</p>
<div class="actions"><form method="post" action="${adminPath}">${invite}<button class="button">Make a sign-in link</button></form>
<a class="button danger" href="${suspendAddress}">Suspend tenant</a></div>`;
}

function suspendedAccess(resume: Html): Html {
  return html`<p class="muted">The tenant is suspended: its keys are refused, and its dashboard and sign-in links are closed.</p>
<div class="actions"><form method="post" action="${adminPath}">${resume}<button class="button">Resume tenant</button></form></div>`;
}

export function suspendForm({ id, name }: Tenant, page: KeysPage): Html {
  return html`<section class="panel narrow"><h1>Suspend the tenant “${name}”?</h1>
<p>Programs that use a key of <code>${id}</code> are refused within a second, and its dashboard is closed, until you resume it.</p>
<form method="post" action="${adminPath}">${formHead(page.session, 'suspend-tenant', page.fields)}
<div class="actions"><button class="button danger">Suspend tenant</button><a class="button" href="${addressOf(page)}">Cancel</a></div></form></section>`;
}

const limitTitles: Readonly<Record<(typeof limitNames)[number], string>> = {
  requestsPerMinute: 'Requests a minute',
  requestsPerDay: 'Requests a day',
  requestsPerMonth: 'Requests a month',
  tokensPerMinute: 'Tokens a minute',
  concurrentRequests: 'Requests at once',
};

function limitFields({ plan, overrides }: Tenant, plans: Plans): Html[] {
  const ofPlan = limitsOf(plans[plan], {});
  return limitNames.map((name) => {
    const own = overrides[name];
    const value = own === undefined ? '' : (own ?? 'unlimited');
    return html`<label>${limitTitles[name]} <input name="limit.${name}" value="${value}" placeholder="${ofPlan[name] ?? 'unlimited'}" pattern="[0-9]+|unlimited" autocomplete="off"></label>`;
  });
}

function planSelect(chosen: PlanId): Html {
  return html`<select name="plan">${planIds.map((id) => html`<option value="${id}" ${id === chosen && html`selected`}>${planNames[id]}</option>`)}</select>`;
}
