import type { ListPage } from '../../store/list-page.ts';
import type { SignIn } from '../../tenants/accounts/oidc/open-sign-in.ts';
import { linkPath } from '../../tenants/accounts/sessions.ts';
import type { KeyView } from '../../tenants/accounts/stored-keys.ts';
import type { Tenant } from '../../tenants/accounts/tenants.ts';
import { type LimitStatus, limitDescriptions } from '../../tenants/metering/limit-state.ts';
import type { RequestRecord } from '../../tenants/metering/requests.ts';
import type { OwnUsage } from '../../tenants/metering/usage-reports.ts';
import { type Html, html } from '../assets/html.ts';
import { type BudgetsView, budgetsTable } from './budgets.ts';
import { addressOf, type KeysPage, keysTable, newKeyForm, tagsView } from './keys.ts';
import {
  badge,
  completionParts,
  count,
  dollars,
  head,
  issuerLinks,
  moment,
  nextListPage,
  planNames,
  promptParts,
  table,
  tokensView,
} from './parts.ts';
import { type UsagePlace, type UsageView, usageQuery, usageSection } from './usage-view.ts';

export const dashboardPath = '/dashboard';
export const exportPath = '/dashboard/usage.csv';

/** The form that takes a sign-in link. `sign-in.js` fills it in from the part of the address that no server sees. */
export function linkView({ signIns, passwords }: SignIn, problem: string | null): Html {
  return html`<section class="panel narrow"><h1>Your dashboard</h1>
${passwords && html`<p class="muted">Sign in with an API key, or with the one-time link that you got from the operator of this server.</p>`}
${problem !== null && html`<p class="notice bad" role="alert">${problem}</p>`}
${
  passwords &&
  html`<form class="fields" method="post" action="${linkPath}" data-link>
<label>API key or sign-in link <input type="password" name="link" required autocomplete="off" spellcheck="false"></label>
<button class="button primary">Sign in</button></form>`
}
${issuerLinks(signIns, 'dashboard')}</section>`;
}

interface DashboardView {
  readonly page: KeysPage;
  readonly tenant: Tenant;
  readonly usageView: UsageView;
  readonly usage: OwnUsage;
  readonly budgets: BudgetsView;
  readonly keys: ListPage<KeyView>;
  readonly requests: ListPage<RequestRecord>;
  /** Those of this page; null on the first. */
  readonly cursors: { readonly keys: string | null; readonly requests: string | null };
}

export function dashboardView(view: DashboardView): Html {
  const { page, tenant, usageView, usage, budgets, keys, requests, cursors } = view;
  const base = addressOf(page, usageQuery(usageView));
  const older = { older: true, cursor: cursors.requests, name: 'requests', anchor: 'requests' };
  return html`${head(tenant.name, page.session, dashboardPath)}
<section class="panel"><h2>Plan ${badge(planNames[usage.plan], 'calm')}</h2>
${usage.state.length === 0 ? html`<p class="muted">Unlimited.</p>` : html`<ul class="limits">${usage.state.map(limitView)}</ul>`}</section>
${budgets.budgets.length > 0 && html`<section class="panel" id="budgets"><h2>Budgets</h2>${budgetsTable(budgets, null)}</section>`}
<section class="panel"><h2>Keys</h2>${keysTable(keys.items, page)}${nextListPage(dashboardPath, keys.nextCursor, { older: true, cursor: cursors.keys })}</section>
<section class="panel" id="new-key"><h2>New key</h2>${newKeyForm(page)}</section>
${usageSection(usageView, placeOf(page))}
<section class="panel" id="requests"><h2>Last requests</h2>${requests.items.length === 0 ? html`<p class="muted">There are none${cursors.requests === null && ' yet'}.</p>` : requests.items.map(requestView)}
${nextListPage(base, requests.nextCursor, older)}</section>`;
}

function placeOf(page: KeysPage): UsagePlace {
  return {
    addressOf: (query) => addressOf(page, query),
    path: page.path,
    fields: page.fields,
    exportOf: (format, { from, to }) => `${exportPath}?${new URLSearchParams({ format, from, to })}`,
  };
}

function limitView({ name, limit, remaining, resetMs }: LimitStatus): Html {
  const used = limit - remaining;
  const reset = resetMs !== null && resetMs > 0 && used > 0 ? ` Resets in ${spoken(resetMs)}.` : '';
  return html`<li><strong>${count(remaining)} left</strong> of ${count(limit)} ${limitDescriptions[name].title}
<meter min="0" max="${Math.max(limit, 1)}" value="${used}" aria-label="${count(used)} of ${count(limit)} ${limitDescriptions[name].title} used"></meter>
<small class="muted">${count(used)} used.${reset}</small></li>`;
}

function spoken(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 2) return `${Math.ceil(ms / 1000)} seconds`;
  if (minutes < 120) return `${Math.ceil(minutes)} minutes`;
  return minutes < 2880 ? `${Math.ceil(minutes / 60)} hours` : `${Math.ceil(minutes / 1440)} days`;
}

const tones = {
  running: 'calm',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'calm',
  interrupted: 'bad',
} as const;

/** The record of a request, folded to a line. */
function requestView(request: RequestRecord): Html {
  const { usage, timings, attempts, warnings } = request;
  const facts: [string, unknown][] = [
    ['Request id', html`<code>${request.requestId}</code>`],
    ['Key', html`<code>${request.keyId}</code>`],
    ['Tags', Object.keys(request.tags).length > 0 && tagsView(request.tags)],
    ['Model', `${request.modelAsked ?? 'default'} → ${request.model ?? 'none'}`],
    ['Error', request.errorCode && html`<code>${request.errorCode}</code>`],
    ['Finish reason', request.finishReason],
    [
      'Tokens',
      usage &&
        html`${tokensView(usage.promptTokens, promptParts(usage))} in, ${tokensView(usage.completionTokens, completionParts(usage))} out, ${usage.source === 'provider' ? 'counted by the provider' : 'estimated'}`,
    ],
    ['Cost', dollars(request.costMicroUsd)],
    ['Warnings', warnings.length > 0 && warningsView(warnings)],
    ['Waited', milliseconds(timings.queueMs)],
    ['First byte', milliseconds(timings.firstByteMs)],
    ['Total', milliseconds(timings.totalMs)],
  ];
  const shown = facts.filter(([, value]) => value !== null && value !== '' && value !== false);
  return html`<details class="request"><summary>${badge(request.status, tones[request.status])}
<span>${request.model ?? request.modelAsked ?? 'no model'}</span><span class="muted">${milliseconds(timings.totalMs)}</span>${moment(request.createdAt)}</summary>
<dl>${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${
  attempts.length > 0 &&
  table(
    'Attempts',
    ['Attempt', 'Provider', 'Model', 'Outcome', 'Why', 'Time'],
    attempts.map((attempt, n) => [
      html`${n + 1}`,
      html`${attempt.provider}`,
      html`${attempt.model}`,
      badge(attempt.outcome, attempt.outcome === 'succeeded' ? 'good' : 'bad'),
      html`${attempt.errorCode ?? '–'}${attempt.status !== null && ` (${attempt.status})`}`,
      html`${milliseconds(attempt.durationMs)}`,
    ]),
  )
}</details>`;
}

/** The warnings of a request: their codes, each with the field that it is about. */
function warningsView(warnings: RequestRecord['warnings']): Html {
  return html`${warnings.map(
    ({ code, param }, n) =>
      html`${n > 0 && ', '}<code>${code}</code>${param !== null && html` (<code>${param}</code>)`}`,
  )}`;
}

function milliseconds(ms: number | null): string | null {
  return ms === null ? null : `${count(Math.round(ms))} ms`;
}
