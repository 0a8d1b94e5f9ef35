import type { Accounts } from '../../tenants/accounts/open-accounts.ts';
import { limitNames, type Overrides } from '../../tenants/accounts/plans.ts';
import { type Session, signInLink } from '../../tenants/accounts/sessions.ts';
import { budgetAction } from './budgets.ts';
import { keyAction, unknownAction } from './keys.ts';
import { adminPath, requireRight } from './parts.ts';
import { type Flash, good } from './reply.ts';
import { type WebhooksParts, webhookAction } from './webhooks.ts';

/** The record that a page of the admin area is about; none: all tenants. */
interface AdminRecord {
  readonly tenant?: string | null;
  readonly signup?: string | null;
  readonly budget?: string | null;
  readonly webhook?: string | null;
  /** A list, where it is about none of these. */
  readonly view?: string;
}

export function addressOfRecord({ tenant, signup, budget, webhook, view }: AdminRecord): string {
  const at = (query: Record<string, string>) => `${adminPath}?${new URLSearchParams(query)}`;
  if (tenant) return at({ tenant, ...(budget && { budget }) });
  if (webhook) return at({ webhook });
  if (signup) return at({ signup });
  return view === undefined ? adminPath : at({ view });
}

/** The lists that forms are on. */
const views: ReadonlyMap<string, string> = new Map([
  ['create-webhook', 'webhooks'],
  ['end-session', 'sessions'],
]);

export function recordOf(form: URLSearchParams): AdminRecord {
  const [tenant, signup] = [form.get('tenant'), form.get('signup')];
  const [budget, webhook] = [form.get('budget'), form.get('webhook')];
  const view = views.get(form.get('action') ?? '');
  return { tenant, signup, budget, webhook, ...(view !== undefined && { view }) };
}

/** The outcome of a form of the admin area, and the record of the next page. */
interface Outcome {
  readonly flash: Flash;
  readonly next: AdminRecord;
}

/** Does what a form of the admin area asks for. Throws `AccountError`. */
export async function adminAction(
  { tenants, storedKeys, sessions, signups, budgets }: Accounts,
  webhooks: WebhooksParts,
  publicUrl: string,
  form: URLSearchParams,
  { rights, actor }: Session,
): Promise<Outcome> {
  requireRight(form.get('action') ?? '', rights);
  const tenantId = form.get('tenant') ?? '';
  const next = { tenant: tenantId };
  switch (form.get('action')) {
    case 'create-tenant': {
      const id = (form.get('id') ?? '').trim();
      const name = (form.get('name') ?? '').trim() || id;
      await tenants.create({ id, name, plan: form.get('plan') ?? '' }, actor);
      return { flash: good(`The tenant ${id} was created.`), next: { tenant: id } };
    }
    case 'change-tenant': {
      const name = (form.get('name') ?? '').trim();
      await tenants.change(
        tenantId,
        { name, plan: form.get('plan') ?? '', overrides: limitsOf(form), ...requiredTagsOf(form) },
        actor,
      );
      return { flash: good('The tenant was changed.'), next };
    }
    case 'suspend-tenant':
    case 'resume-tenant': {
      const suspended = form.get('action') === 'suspend-tenant';
      await tenants.change(tenantId, { suspended }, actor);
      const message = suspended
        ? 'The tenant is suspended: its keys are refused.'
        : 'The tenant is active again.';
      return { flash: good(message), next };
    }
    case 'invite-tenant': {
      const { token } = await sessions.invite(tenantId, actor);
      const shown = { link: signInLink(publicUrl, token) };
      return { flash: good('Give this link to the tenant: it opens its dashboard.', shown), next };
    }
    case 'approve-signup': {
      const id = (form.get('id') ?? '').trim();
      const give = form.get('give') === 'key' ? 'key' : 'dashboard_link';
      const approval = { give, ...(id !== '' && { tenantId: id }) } as const;
      const { tenant, signup, link, key } = await signups.approve(form.get('signup') ?? '', approval, actor);
      const message = `The tenant ${tenant.id} was created. Hand this over to ${signup.email}: it is shown this once.`;
      const shown = {
        ...(link && { link: signInLink(publicUrl, link.token) }),
        ...(key && { key: key.text }),
      };
      return { flash: good(message, shown), next: { tenant: tenant.id } };
    }
    case 'end-session': {
      await sessions.endById(form.get('session') ?? '', actor);
      return { flash: good('The session has ended.'), next: { view: 'sessions' } };
    }
    case 'reject-signup': {
      const { id, orgName } = await signups.reject(form.get('signup') ?? '', actor);
      return { flash: good(`The sign-up of ${orgName} was rejected.`), next: { signup: id } };
    }
    default: {
      const webhook = await webhookAction(webhooks, form, actor);
      if (webhook) return { flash: webhook.flash, next: { webhook: webhook.webhook, view: 'webhooks' } };
      const budget = await budgetAction(budgets, form, tenantId, actor);
      if (budget) return { flash: budget.flash, next: { ...next, budget: budget.budget } };
      const flash = await keyAction(storedKeys, form, tenantId, actor);
      return { flash: flash ?? unknownAction, next };
    }
  }
}

/** The tags that requests need, where a form has a field of them. */
function requiredTagsOf(form: URLSearchParams): { requiredTags?: string[] } {
  const text = form.get('required-tags');
  return text === null ? {} : { requiredTags: text.split(/[\s,]+/).filter(Boolean) };
}

/** The limits of a form: as the plan has it if a field is empty. */
function limitsOf(form: URLSearchParams): Overrides {
  const given = limitNames.flatMap((name) => {
    const text = (form.get(`limit.${name}`) ?? '').trim();
    return text === '' ? [] : [[name, text.toLowerCase() === 'unlimited' ? null : Number(text)]];
  });
  return Object.fromEntries(given) as Overrides;
}
