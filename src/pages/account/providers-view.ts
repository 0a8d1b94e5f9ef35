import type { ProviderCheck } from '../../gateway/routing/discovery/check-provider.ts';
import type { Session } from '../../tenants/accounts/sessions.ts';
import { type Html, html } from '../html.ts';
import { adminHead } from './admin-parts.ts';
import { badge, count, table } from './parts.ts';

export interface ProvidersView {
  readonly session: Session;
  readonly pending: number;
  readonly checks: readonly ProviderCheck[];
}

/** How the providers of models stand, asked while the page is made. */
export function providersView({ session, pending, checks }: ProvidersView): Html {
  const headings = ['Provider', 'State', 'Milliseconds', 'Models', 'What'];
  const rows = checks.map((check) => [
    html`<span class="stack"><strong>${check.id}</strong><code>${check.baseUrl}</code></span>`,
    check.problem === null ? badge('ok', 'good') : badge(check.problem.replaceAll('_', ' '), 'bad'),
    html`${count(check.latencyMs)}`,
    html`${check.models === null ? '–' : count(check.models)}`,
    html`<span class="stack"><span>${check.message}</span>${unlisted(check)}</span>`,
  ]);
  return html`${adminHead({ title: 'Providers', session, pending, current: 'providers' })}
<section class="panel"><h2>Providers of models</h2>
<p class="muted">Each was asked for its models just now, by its vendor's own client. Load the page again to ask again. A vendor may answer to names that it does not list.</p>
${checks.length === 0 ? html`<p>No provider is configured; the sandbox answers.</p>` : table('Providers', headings, rows)}</section>`;
}

function unlisted({ unknownModels }: ProviderCheck): Html | false {
  return (
    unknownModels.length > 0 &&
    html`<span>Configured, but not listed: ${unknownModels.map((name, n) => html`${n > 0 && ', '}<code>${name}</code>`)}</span>`
  );
}
