import type { Accounts } from '../../accounts/open-accounts.ts';
import { limitNames, type Overrides } from '../../accounts/plans.ts';
import { signInLink } from '../../accounts/sessions.ts';
import type { Flash } from './flash.ts';
import { keyAction } from './key-actions.ts';

const actor = 'admin';

/** What a form of the admin area led to, and the tenant whose page comes next. */
export interface Outcome {
  readonly flash: Flash;
  readonly tenantId: string | null;
}

/** Does what a form of the admin area asks for. Throws `AccountError`. */
export async function adminAction(
  { tenants, storedKeys, sessions }: Accounts,
  publicUrl: string,
  form: URLSearchParams,
): Promise<Outcome> {
  const tenantId = form.get('tenant') ?? '';
  switch (form.get('action')) {
    case 'create-tenant': {
      const id = (form.get('id') ?? '').trim();
      const name = (form.get('name') ?? '').trim() || id;
      await tenants.create({ id, name, plan: form.get('plan') ?? '' }, actor);
      return { flash: { tone: 'good', message: `The tenant ${id} was created.` }, tenantId: id };
    }
    case 'change-tenant': {
      const name = (form.get('name') ?? '').trim();
      await tenants.change(
        tenantId,
        { name, plan: form.get('plan') ?? '', overrides: limitsOf(form) },
        actor,
      );
      return { flash: { tone: 'good', message: 'The tenant was changed.' }, tenantId };
    }
    case 'suspend-tenant':
    case 'resume-tenant': {
      const suspended = form.get('action') === 'suspend-tenant';
      await tenants.change(tenantId, { suspended }, actor);
      const message = suspended
        ? 'The tenant is suspended: its keys are refused.'
        : 'The tenant is let in again.';
      return { flash: { tone: 'good', message }, tenantId };
    }
    case 'invite-tenant': {
      const { token } = await sessions.invite(tenantId, actor);
      const link = signInLink(publicUrl, token);
      const message = 'Give this link to the tenant: it opens its dashboard.';
      return { flash: { tone: 'good', message, link }, tenantId };
    }
    default: {
      const flash = await keyAction(storedKeys, form, tenantId, actor);
      return { flash: flash ?? { tone: 'bad', message: 'The form asks for nothing known.' }, tenantId };
    }
  }
}

/** The limits of a form: as the plan has it if a field is empty. */
function limitsOf(form: URLSearchParams): Overrides {
  const given = limitNames.flatMap((name) => {
    const text = (form.get(`limit.${name}`) ?? '').trim();
    return text === '' ? [] : [[name, text.toLowerCase() === 'unlimited' ? null : Number(text)]];
  });
  return Object.fromEntries(given) as Overrides;
}
