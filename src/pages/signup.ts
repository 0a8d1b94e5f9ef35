import type { Page, PageReply, PageRequest } from '../http/page.ts';
import { AccountError } from '../tenants/accounts/account-error.ts';
import { type PlanId, type Plans, planIds } from '../tenants/accounts/plans.ts';
import { checkedSignup, type NewSignup, type Signups } from '../tenants/accounts/signups.ts';
import { planNames } from './account/parts.ts';
import { privatePage, refused } from './account/reply.ts';
import { type Html, html } from './layout.ts';

const signupPath = '/factory/signup';

/** What is wrong with a field of the form. */
interface FieldProblem {
  readonly field: string | null;
  readonly message: string;
}

/**
 * `/factory/signup`: the form of a sign-up. With JavaScript it sends the sign-up to the planned endpoint itself, without
 * to this page, which passes it on; either way what comes back makes no difference to what is shown.
 * @param signups null: the server takes no sign-ups, and what is sent is stored nowhere
 */
export function signupPage(signups: Signups | null, plans: Plans): Page {
  const formReply = (fields: NewSignup, problem: FieldProblem | null) => {
    const form = html`<div class="panel" data-signup-form>${formView(plans, fields, problem)}</div>`;
    const done = doneView('', { open: signups !== null, hidden: true });
    return reply(html`${introduction}<div>${form}${done}</div>`, problem === null ? 200 : 400);
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
      await signups?.request(fields, request.client).catch(() => 0);
      return reply(html`${introduction}${doneView(fields.email, { open: signups !== null, hidden: false })}`);
    },
  };
}

const emptyFields: NewSignup = { email: '', orgName: '', tier: 'pro' };

function fieldsOf({ form }: PageRequest): NewSignup {
  const field = (name: string) => form.get(name) ?? '';
  return { email: field('email'), orgName: field('orgName'), tier: field('tier') };
}

function problemOf(fields: NewSignup): FieldProblem | null {
  try {
    checkedSignup(fields);
    return null;
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    return error;
  }
}

function reply(content: Html, status = 200): PageReply {
  const main = html`<section class="signup">${content}</section>`;
  return privatePage({ title: 'Sign up', main, status, script: '/assets/signup.js' });
}

const introduction = html`<div><h1>Sign up your organisation</h1>
<p class="lead">One key for chat with every model, agents, AI features and the build factory.</p>
<ol class="steps">
<li><span>You tell us who you are and which plan fits.</span></li>
<li><span>The operator of this server looks at it.</span></li>
<li><span>You get a link to your dashboard, where you make your keys.</span></li>
</ol></div>`;

function formView(plans: Plans, { email, orgName, tier }: NewSignup, problem: FieldProblem | null): Html {
  const invalid = (field: string) =>
    problem?.field === field && html`aria-invalid="true" aria-describedby="${field}-problem"`;
  const note = (field: string) =>
    problem?.field === field &&
    html`<span class="field-problem" id="${field}-problem" role="alert">${problem.message}</span>`;
  return html`<form class="fields" method="post" action="${signupPath}" data-signup>
<label>E-mail <input type="email" name="email" required maxlength="254" autocomplete="email" value="${email}" ${invalid('email')}>${note('email')}</label>
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
  return limits.length === 0 ? 'Limits made to measure' : limits.join(', ');
}

/** The success state. It promises nothing that a server that takes no sign-ups would not keep. */
function doneView(
  email: string,
  { open, hidden }: { readonly open: boolean; readonly hidden: boolean },
): Html {
  return html`<div class="panel done" role="status" data-signup-done ${hidden && html`hidden`}>
<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="M7.5 12.5l3 3 6-6.5"/></svg>
<h2 tabindex="-1">Thank you, your sign-up is sent</h2>
<p>${open ? 'The operator of this server looks at it and writes to' : 'If this server takes sign-ups, its operator looks at yours and writes to'} <strong data-email>${email}</strong>.${open && ' Once it is approved, you get a link to your dashboard, where you make your keys.'}</p>
<p class="muted">Meanwhile the <a href="/docs">documentation</a> shows what you can do.</p></div>`;
}
