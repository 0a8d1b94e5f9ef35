import { readTagsHeader, type Tags } from '../../lib/tags.ts';
import { AccountError } from '../../tenants/accounts/account-error.ts';
import { allScopes } from '../../tenants/accounts/key-secret.ts';
import type { Session } from '../../tenants/accounts/sessions.ts';
import type { KeyView, StoredKeys } from '../../tenants/accounts/stored-keys.ts';
import { type Html, html } from '../assets/html.ts';
import { badge, formHead, moment, table } from './parts.ts';
import { type Flash, good, type RefusedKey } from './reply.ts';

/** Where keys are shown: the address of the page, to which forms are sent, and what every form carries along. */
export interface KeysPage {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly session: Session;
  readonly refused?: RefusedKey | undefined;
  /** Whether keys can be seen but not changed; false if left out. */
  readonly readOnly?: boolean;
}

const tones = { active: 'good', replaced: 'calm', expired: 'bad', revoked: 'bad' } as const;

/** The address of a page with more in its query. */
export function addressOf({ path, fields }: KeysPage, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...fields, ...more }).toString();
  return query === '' ? path : `${path}?${query}`;
}

export function keysTable(keys: readonly KeyView[], page: KeysPage): Html {
  if (keys.length === 0) return html`<p class="muted">There are no keys yet.</p>`;
  const headings = ['Key', 'Scopes', 'Tags', 'Status', 'Expires', 'Last used', 'Actions'];
  return table(
    'Keys',
    headings,
    keys.map((key) => [
      html`<span class="stack"><strong>${key.label || 'No label'}</strong><code>${key.masked}</code></span>`,
      html`<span class="chips">${key.scopes.map((scope) => html`<span class="chip">${scope}</span>`)}</span>`,
      tagsView(key.tags),
      html`<span class="stack">${badge(key.status, tones[key.status])}${key.status === 'replaced' && html`<small class="muted">until ${moment(key.graceUntil)}</small>`}</span>`,
      moment(key.expiresAt),
      moment(key.lastUsedAt),
      actions(key, page),
    ]),
  );
}

function actions(key: KeyView, page: KeysPage): Html {
  const live = key.status === 'active' || key.status === 'replaced';
  if (!live || page.readOnly) return html`<span class="muted">none</span>`;
  const name = key.label || key.masked;
  return html`<span class="links">
${key.status === 'active' && html`<a href="${addressOf(page, { rotate: key.id })}" aria-label="Rotate ${name}">Rotate</a>`}
<a href="${addressOf(page, { tags: key.id })}" aria-label="Tags of ${name}">Tags</a>
<a class="danger" href="${addressOf(page, { revoke: key.id })}" aria-label="Revoke ${name}">Revoke</a></span>`;
}

/** A key has all scopes unless some are taken away. */
const emptyKey = { label: '', expires: '', tags: '', scopes: [...allScopes], message: null };

export function newKeyForm({ path, fields, session, refused, readOnly }: KeysPage): Html {
  if (readOnly)
    return html`<p class="muted">To change keys, sign in with a link from the operator of this server. With a key you can only view them.</p>`;
  const { label, expires, tags, scopes, message } = refused ?? emptyKey;
  const boxes = [...allScopes].map(
    (scope) =>
      html`<label class="check"><input type="checkbox" name="scope" value="${scope}" ${scopes.includes(scope) && html`checked`}> ${scope}</label>`,
  );
  return html`<form class="fields" method="post" action="${path}">${formHead(session, 'create-key', fields)}
<label>Label <input name="label" maxlength="200" placeholder="Website" autocomplete="off" value="${label}"></label>
<label>Expires (UTC, optional) <input type="date" name="expires" value="${expires}"></label>
${tagsField(tags)}
<fieldset ${message !== null && html`aria-describedby="key-problem"`}><legend>Scopes</legend>${boxes}</fieldset>
${message !== null && html`<p class="notice bad" id="key-problem" role="alert">${message}</p>`}
<button class="button primary">Create key</button></form>`;
}

const graces: readonly [string, string][] = [
  ['0', 'at once'],
  ['3600', 'in an hour'],
  ['86400', 'in a day'],
  ['604800', 'in a week'],
  ['2592000', 'in 30 days'],
];

function tagsField(value: string): Html {
  return html`<label>Tags of its requests <input name="tags" maxlength="4000" placeholder="team=search, env=production" autocomplete="off" value="${value}"></label>`;
}

/** Tags as they are typed, and read again by `readTagsHeader`. */
export function tagsAsTyped(tags: Tags): string {
  return Object.entries(tags)
    .map(([name, value]) => `${name}=${typed(value)}`)
    .join(', ');
}

function typed(value: string): string {
  if (/^[\w.:/-]*$/.test(value)) return value;
  if (/^[\x20-\x7e]*$/.test(value)) return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
  return encodeURIComponent(value);
}

export function tagsView(tags: Tags): Html {
  const all = Object.entries(tags);
  if (all.length === 0) return html`<span class="muted">none</span>`;
  return html`<span class="chips">${all.map(([name, value]) => html`<span class="chip">${name}=${value}</span>`)}</span>`;
}

function tagsForm(key: KeyView, page: KeysPage): Html {
  return html`<section class="panel narrow"><h1>Tags of the key “${key.label || key.masked}”</h1>
<p>Requests of <code>${key.masked}</code> have these tags, and no client can change them. Empty: none.</p>
<form class="fields" method="post" action="${page.path}">${formHead(page.session, 'tag-key', { ...page.fields, key: key.id })}
${tagsField(tagsAsTyped(key.tags))}
<div class="actions"><button class="button primary">Save tags</button><a class="button" href="${addressOf(page)}">Cancel</a></div></form></section>`;
}

function rotateForm(key: KeyView, page: KeysPage): Html {
  return html`<section class="panel narrow"><h1>Rotate the key “${key.label || key.masked}”?</h1>
<p>A new key with the same scopes takes its place. Choose when the old one, <code>${key.masked}</code>, ends.</p>
<form class="fields" method="post" action="${page.path}">${formHead(page.session, 'rotate-key', { ...page.fields, key: key.id })}
<label>The old key ends <select name="grace">${graces.map(([seconds, text]) => html`<option value="${seconds}" ${seconds === '86400' && html`selected`}>${text}</option>`)}</select></label>
<div class="actions"><button class="button primary">Rotate key</button><a class="button" href="${addressOf(page)}">Cancel</a></div></form></section>`;
}

function revokeForm(key: KeyView, page: KeysPage): Html {
  return html`<section class="panel narrow"><h1>Revoke the key “${key.label || key.masked}”?</h1>
<p>Programs that use <code>${key.masked}</code> are refused within a second. This cannot be undone.</p>
<form method="post" action="${page.path}">${formHead(page.session, 'revoke-key', { ...page.fields, key: key.id })}
<div class="actions"><button class="button danger">Revoke key</button><a class="button" href="${addressOf(page)}">Cancel</a></div></form></section>`;
}

/** The message for a form that no page of ours sends. */
export const unknownAction: Flash = { tone: 'bad', message: 'This form is unknown.' };

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

/** The message of the next page for a form that was refused: for a new key's at the form, with the typed values. */
export function refusalOf({ message }: AccountError, form: URLSearchParams): Flash {
  if (form.get('action') !== 'create-key') return { tone: 'bad', message };
  const text = (name: string) => (form.get(name) ?? '').slice(0, 200);
  const scopes = form.getAll('scope').filter((scope) => allScopes.has(scope));
  const refusedKey = { label: text('label'), expires: text('expires'), tags: text('tags'), scopes, message };
  return { tone: 'bad', message, refusedKey };
}

/** The typed tags. Throws `AccountError`. */
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
      return good('The key was created. Copy it now: it is shown this once.', { key: text });
    }
    case 'tag-key': {
      const { label, masked } = await keys.change(address, { tags: tagsTyped(form) }, actor);
      return good(`The tags of the key “${label || masked}” were changed.`);
    }
    case 'rotate-key': {
      const { text } = await keys.rotate(address, Number(form.get('grace')) * 1000, actor);
      return good('The key was rotated. Copy the new one now: it is shown this once.', { key: text });
    }
    case 'revoke-key': {
      const { label, masked } = await keys.revoke(address, actor);
      return good(`The key “${label || masked}” was revoked.`);
    }
    default:
      return null;
  }
}
