import { AccountError } from '../../tenants/accounts/account-error.ts';
import { mayUse } from '../../tenants/accounts/roles.ts';

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

/** Throws `AccountError` for a form that the session may not send, and for one that is not named above. */
export function requireRight(action: string, rights: ReadonlySet<string>): void {
  const operation = new Map<string, Parameters<typeof mayUse>[1]>(Object.entries(operations)).get(action);
  if (operation === undefined) throw new AccountError('not_allowed', 'The form asks for nothing known.');
  if (mayUse(rights, operation)) return;
  throw new AccountError('not_allowed', 'Your role does not allow this. Nothing was changed.');
}
