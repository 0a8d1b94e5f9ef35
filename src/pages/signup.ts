import type { Page, PageReply, PageRequest } from '../http/page.ts';
import { AccountError } from '../tenants/accounts/account-error.ts';
import { type PlanId, type Plans, planIds } from '../tenants/accounts/plans.ts';
import { checkedSignup, type NewSignup, type Signups } from '../tenants/accounts/signups.ts';
import { planNames } from './account/parts.ts';
import { privatePage, refused } from './account/reply.ts';
import { type Html, html } from './assets/html.ts';

const signupPath = '/factory/signup';

interface FieldProblem {
  readonly field: string | null;
  readonly message: string;
}

/**
 * `/factory/signup`: the form of a sign-up. With JavaScript it sends the sign-up to the planned endpoint itself, without
 * to this page, which passes it on. Whatever comes back, the success state is shown and says what is known.
 * @param signups null: the server takes no sign-ups, and what is sent is stored nowhere
 */
export function signupPage(signups: Signups | null, plans: Plans): Page {
  const formReply = (fields: NewSignup, problem: FieldProblem | null) => {
    const form = html`<div class="panel" data-signup-form>${formView(plans, fields, problem)}</div>`;
    const done = doneView('', { outcome: 'unknown', hidden: true });
    const notice = signups === null && html`<p class="notice">${closedNotice}</p>`;
    return reply(html`${introduction}<div>${notice}${form}${done}</div>`, problem === null ? 200 : 400);
  };
  return {
    path: signupPath,
    methods: ['GET', 'POST'],
    async render(request) {
      if (request.method !== 'POST') return formReply(emptyFields, null);
      if (!request.sameOrigin) return refused(signupPath);
      const fields = fieldsOf(request);
      const problem = problemOf(fields);
      if (problem) return formReply(fields, problem);
      const outcome = await outcomeOf(signups, fields, request.client);
      return reply(html`${introduction}${doneView(fields.email, { outcome, hidden: false })}`);
    },
  };
}

const closedNotice = 'This server does not accept sign-ups at the moment.';

async function outcomeOf(signups: Signups | null, fields: NewSignup, client: string): Promise<Outcome> {
  try {
    const waitMs = await signups?.request(fields, client);
    if (waitMs === undefined) return 'closed';
    return waitMs > 0 ? 'unknown' : 'stored';
  } catch {
    return 'unknown';
  }
}

const emptyFields: NewSignup = { email: '', orgName: '', tier: 'pro' };

function fieldsOf({ form }: PageRequest): NewSignup {
  const field = (name: string) => form.get(name) ?? '';
  return { email: field('email'), orgName: field('orgName'), tier: field('tier') };
}

function problemOf(fields: NewSignup): FieldProblem | null {
  try {
    checkedSignup(fields);
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    return error;
  }
  return null;
}

function reply(content: Html, status = 200): PageReply {
  const main = html`<section class="signup">${content}</section>`;
  return privatePage({ title: 'Sign up', main, status, script: '/assets/signup.js' });
}

const introduction = html`<div><h1>Sign up your organisation</h1>
<p class="lead">One key for chat with every model, agents, AI features and the build factory.</p>
<ol class="steps">
<li><span>Tell us who you are and which plan you want.</span></li>
<li><span>The operator of this server reviews your sign-up.</span></li>
<li><span>You get a link to your dashboard, where you create keys.</span></li>
</ol></div>`;

function formView(plans: Plans, { email, orgName, tier }: NewSignup, problem: FieldProblem | null): Html {
  const invalid = (field: string) =>
    problem?.field === field && html`aria-invalid="true" aria-describedby="${field}-problem"`;
  const note = (field: string) =>
    problem?.field === field &&
    html`<span class="field-problem" id="${field}-problem" role="alert">${problem.message}</span>`;
  return html`<form class="fields" method="post" action="${signupPath}" data-signup>
<label>E-mail <input type="email" name="email" pattern="[^@\\s]+@[^@\\s]+\\.[^@\\s]+" title="such as ada@example.com" required maxlength="254" autocomplete="email" value="${email}" ${invalid('email')}>${note('email')}</label>
<label>Organisation <input name="orgName" required maxlength="200" pattern=".*\\S.*" title="Its name" autocomplete="organization" value="${orgName}" ${invalid('orgName')}>${note('orgName')}</label>
<fieldset><legend>Plan</legend><div class="tiers">${planIds.map((id) => tierView(id, plans, id === tier))}</div>${note('tier')}</fieldset>
<button class="button primary">Sign up</button></form>`;
}

function tierView(id: PlanId, plans: Plans, checked: boolean): Html {
  return html`<label><input type="radio" name="tier" value="${id}" required ${checked && html`checked`}>${planNames[id]}<small>${limitsInWords(id, plans)}</small></label>`;
}

function limitsInWords(id: PlanId, plans: Plans): string {
  const { requestsPerMinute, requestsPerDay, requestsPerMonth } = plans[id];
  const parts = [
    [requestsPerMinute, 'a minute'],
    [requestsPerDay, 'a day'],
    [requestsPerMonth, 'a month'],
  ] as const;
  const limits = parts.flatMap(([limit, window]) =>
    limit === null ? [] : [`${limit.toLocaleString('en')} requests ${window}`],
  );
  return limits.length === 0 ? 'Limits by agreement' : limits.join(', ');
}

/** Whether the server has the sign-up, takes none, or did not say. */
type Outcome = 'stored' | 'closed' | 'unknown';

/** The success state, which says what became of the sign-up. The browser shows the sentence that fits. */
function doneView(
  email: string,
  { outcome, hidden }: { readonly outcome: Outcome; readonly hidden: boolean },
): Html {
  const address = html`<strong data-email>${email}</strong>`;
  const sentences: Readonly<Record<Outcome, Html>> = {
    stored: html`The operator of this server will review your sign-up and write to ${address}. Once it is approved, you get a link to your dashboard, where you create keys.`,
    closed: html`${closedNotice} Nothing was stored for ${address}. Ask the operator of this server for a key.`,
    unknown: html`The server did not confirm the sign-up of ${address}, so it may not be stored. Try again later, or ask the operator of this server.`,
  };
  return html`<div class="panel done" role="status" data-signup-done ${hidden && html`hidden`}>
<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="M7.5 12.5l3 3 6-6.5"/></svg>
<h2 tabindex="-1">Thank you</h2>
${Object.entries(sentences).map(([name, text]) => html`<p data-outcome="${name}" ${name !== outcome && html`hidden`}>${text}</p>`)}
<p class="muted">The <a href="/docs/guides">documentation</a> shows what you can do.</p></div>`;
}
