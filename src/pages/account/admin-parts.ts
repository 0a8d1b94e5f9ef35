import { AccountError } from '../../tenants/accounts/account-error.ts';
import type { PlanId } from '../../tenants/accounts/plans.ts';
import { mayUse } from '../../tenants/accounts/roles.ts';
import type { Session } from '../../tenants/accounts/sessions.ts';
import { type Html, html } from '../html.ts';
import { head } from './parts.ts';

/** The operation of the contract that each form of the admin area stands for: who may use the one may send the other. */
const operations = {
  'create-tenant': 'createTenant',
  'change-tenant': 'changeTenant',
  'suspend-tenant': 'changeTenant',
  'resume-tenant': 'changeTenant',
  'invite-tenant': 'createDashboardLink',
  'approve-signup': 'approveSignup',
  'reject-signup': 'rejectSignup',
  'create-webhook': 'createWebhook',
  'change-webhook': 'changeWebhook',
  'enable-webhook': 'changeWebhook',
  'disable-webhook': 'changeWebhook',
  'rotate-webhook': 'rotateWebhookSecret',
  'test-webhook': 'testWebhook',
  redeliver: 'redeliverWebhook',
  'delete-webhook': 'deleteWebhook',
  'create-budget': 'createBudget',
  'change-budget': 'changeBudget',
  'delete-budget': 'deleteBudget',
  'create-key': 'createKey',
  'tag-key': 'changeKey',
  'rotate-key': 'rotateKey',
  'revoke-key': 'revokeKey',
  'reload-config': 'reloadConfig',
  'end-session': 'endSession',
} as const satisfies Record<string, Parameters<typeof mayUse>[1]>;

export const adminPath = '/admin/factory/settings/api-keys';

export const planNames: Readonly<Record<PlanId, string>> = {
  free: 'Free',
  pro: 'Pro',
  enterprise: 'Enterprise',
};

interface AdminHead {
  readonly title: string;
  readonly session: Session;
  /** Sign-ups that wait. */
  readonly pending: number;
  readonly current:
    | 'tenants'
    | 'usage'
    | 'signups'
    | 'webhooks'
    | 'providers'
    | 'config'
    | 'servers'
    | 'sessions'
    | 'changes';
}

/** The head of the lists of the admin area. */
export function adminHead({ title, session, pending, current }: AdminHead): Html {
  const sections = [
    ['tenants', adminPath, 'Tenants'],
    ['usage', `${adminPath}?view=usage`, 'Usage'],
    ['signups', `${adminPath}?view=signups`, pending === 0 ? 'Sign-ups' : `Sign-ups (${pending})`],
    ['webhooks', `${adminPath}?view=webhooks`, 'Webhooks'],
    ['providers', `${adminPath}?view=providers`, 'Providers'],
    ['config', `${adminPath}?view=config`, 'Configuration'],
    ['servers', `${adminPath}?view=servers`, 'Servers'],
    ['sessions', `${adminPath}?view=sessions`, 'Signed in'],
    ['changes', `${adminPath}?view=changes`, 'Changes'],
  ] as const;
  const links = sections.map(
    ([name, address, text]) =>
      html`<a href="${address}" ${name === current && html`aria-current="page"`}>${text}</a>`,
  );
  return html`${head(title, session, adminPath)}<nav class="choices tabs" aria-label="Admin area">${links}</nav>`;
}

/** Throws `AccountError` for a form that the session may not send, and for one that is not named above. */
export function requireRight(action: string, rights: ReadonlySet<string>): void {
  const operation = new Map<string, Parameters<typeof mayUse>[1]>(Object.entries(operations)).get(action);
  if (operation === undefined) throw new AccountError('not_allowed', 'The form asks for nothing known.');
  if (mayUse(rights, operation)) return;
  throw new AccountError('not_allowed', 'Your role does not allow this. Nothing was changed.');
}
