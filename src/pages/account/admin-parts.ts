import type { PlanId } from '../../tenants/accounts/plans.ts';
import type { Session } from '../../tenants/accounts/sessions.ts';
import { type Html, html } from '../html.ts';
import { head } from './parts.ts';

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
