import type { Tags } from '../../lib/tags.ts';
import { readTagsHeader } from '../../lib/tags.ts';
import { AccountError } from '../../tenants/accounts/account-error.ts';
import { allScopes } from '../../tenants/accounts/configured-keys.ts';
import type { StoredKeys } from '../../tenants/accounts/stored-keys.ts';
import type { Html } from '../layout.ts';
import type { Flash } from './flash.ts';
import { type KeysPage, revokeForm, rotateForm, tagsForm } from './keys-view.ts';

/** What is said of a form that no page of ours sends. */
export const unknownAction: Flash = { tone: 'bad', message: 'This form is not known.' };

/** The step before a key changes, where the query asks for one; null otherwise. Throws `AccountError`. */
export async function keyStep(
  keys: StoredKeys,
  query: URLSearchParams,
  page: KeysPage,
  tenantId: string,
): Promise<Html | null> {
  const [rotate, revoke, tags] = [query.get('rotate'), query.get('revoke'), query.get('tags')];
  if (tags !== null) return tagsForm(await keys.get({ id: tags, tenantId }), page);
  if (rotate !== null) return rotateForm(await keys.get({ id: rotate, tenantId }), page);
  return revoke === null ? null : revokeForm(await keys.get({ id: revoke, tenantId }), page);
}

/** What the next page says of a form that was refused: of a new key's at the form, with what was typed. */
export function refusalOf({ message }: AccountError, form: URLSearchParams): Flash {
  if (form.get('action') !== 'create-key') return { tone: 'bad', message };
  const text = (name: string) => (form.get(name) ?? '').slice(0, 200);
  const scopes = form.getAll('scope').filter((scope) => allScopes.has(scope));
  const refusedKey = { label: text('label'), expires: text('expires'), tags: text('tags'), scopes, message };
  return { tone: 'bad', message, refusedKey };
}

/** What was typed as tags. Throws `AccountError`. */
function tagsTyped(form: URLSearchParams): Tags {
  try {
    return readTagsHeader(form.get('tags') ?? '');
  } catch (error) {
    if (error instanceof SyntaxError) throw new AccountError('invalid', error.message, 'tags');
    throw error;
  }
}

/** Does what a form asks for with a tenant's keys; null for another action. Throws `AccountError`. */
export async function keyAction(
  keys: StoredKeys,
  form: URLSearchParams,
  tenantId: string,
  actor: string,
): Promise<Flash | null> {
  const address = { id: form.get('key') ?? '', tenantId };
  switch (form.get('action')) {
    case 'create-key': {
      const expires = form.get('expires') ?? '';
      // To the end of the day that was chosen.
      const expiresAt = expires === '' ? null : Date.parse(`${expires}T23:59:59.999Z`);
      const fields = { tenantId, label: (form.get('label') ?? '').trim(), scopes: form.getAll('scope') };
      if (fields.scopes.length === 0)
        throw new AccountError('invalid', 'Choose at least one scope.', 'scopes');
      const tags = tagsTyped(form);
      const { text } = await keys.create({ ...fields, expiresAt, tags }, actor);
      return { tone: 'good', message: 'The key was created. Copy it now: it is shown this once.', key: text };
    }
    case 'tag-key': {
      const { label, masked } = await keys.change(address, { tags: tagsTyped(form) }, actor);
      return { tone: 'good', message: `The tags of the key “${label || masked}” were changed.` };
    }
    case 'rotate-key': {
      const { text } = await keys.rotate(address, Number(form.get('grace')) * 1000, actor);
      return {
        tone: 'good',
        message: 'The key was rotated. Copy the new one now: it is shown this once.',
        key: text,
      };
    }
    case 'revoke-key': {
      const { label, masked } = await keys.revoke(address, actor);
      return { tone: 'good', message: `The key “${label || masked}” was revoked.` };
    }
    default:
      return null;
  }
}
