import type { Page, PageReply, PageRequest } from '../../http/page.ts';
import { setCookie } from '../../lib/cookies.ts';
import { AccountError } from '../../tenants/accounts/account-error.ts';
import type { Area } from '../../tenants/accounts/oidc/claims.ts';
import type { SignIn } from '../../tenants/accounts/oidc/open-sign-in.ts';
import type { SignIns } from '../../tenants/accounts/oidc/sign-in.ts';
import type { Accounts } from '../../tenants/accounts/open-accounts.ts';
import type { PlanId } from '../../tenants/accounts/plans.ts';
import { mayUse } from '../../tenants/accounts/roles.ts';
import { isCsrfToken, type Session } from '../../tenants/accounts/sessions.ts';
import type { TokenSums } from '../../tenants/metering/settlements.ts';
import { type Html, html } from '../assets/html.ts';
import { flashedPage, privatePage, type RefusedKey, redirect, refused } from './reply.ts';

/** The hidden fields of a form: the token that shows that it is ours, and its action. */
export function formHead({ csrfToken }: Session, action: string, fields: Record<string, string> = {}): Html {
  const all = { csrf: csrfToken, action, ...fields };
  return html`${Object.entries(all).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

export function badge(text: string, tone: 'good' | 'bad' | 'calm'): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** A moment in UTC, to the minute. */
export function moment(ms: number | null, none = 'never'): Html {
  if (ms === null) return html`<span class="muted">${none}</span>`;
  const iso = new Date(ms).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')}</time>`;
}

export function count(value: number): string {
  return value.toLocaleString('en');
}

/** Millionths of a US dollar as an amount; null where no price is known. */
export function dollars(micro: number | null): string {
  if (micro === null) return 'no price';
  if (micro === 0) return '$0';
  return `$${(micro / 1_000_000).toFixed(micro < 1_000_000 ? 4 : 2)}`;
}

/** A table whose rows become cards on a narrow screen. */
export function table(caption: string, headings: readonly string[], rows: readonly Html[][]): Html {
  return html`<table class="records"><caption class="hidden">${caption}</caption>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell, n) => html`<td data-label="${headings[n]}">${cell}</td>`)}</tr>`)}</tbody></table>`;
}

/** The title of a page behind sign-in, with the button to sign out. */
export function head(title: string, session: Session, path: string, back: Html | null = null): Html {
  return html`<div class="head"><div>${back}<h1>${title}</h1></div>
<form method="post" action="${path}">${formHead(session, 'sign-out')}<button class="button">Sign out</button></form></div>`;
}

interface ListLinks {
  readonly name?: string;
  /** Whether the list begins with the latest. */
  readonly older?: boolean;
  /** The cursor of this page; null on the first. */
  readonly cursor: string | null;
  /** The part of the page that has the list. */
  readonly anchor?: string;
}

export function nextListPage(base: string, next: string | null, ways: ListLinks): Html {
  const { name = 'cursor', older = false, cursor, anchor } = ways;
  if (next === null && cursor === null) return html``;
  const end = anchor === undefined ? '' : `#${anchor}`;
  const join = base.includes('?') ? '&' : '?';
  const address = `${base}${join}${name}=${encodeURIComponent(next ?? '')}${end}`;
  return html`<div class="actions">${cursor !== null && html`<a class="button" href="${base}${end}">${older ? 'Latest' : 'First page'}</a>`}
${next !== null && html`<a class="button" href="${address}">${older ? 'Older' : 'Next page'}</a>`}</div>`;
}

/** A page behind sign-in: who may see it, what it shows, and what its forms do. */
interface AccountPage<Who> {
  readonly path: string;
  readonly cookie: string;
  readonly title: string;
  /** The owner of a session; null: no one who may see the page. */
  find(token: string): Promise<Who | null>;
  /** The page for anyone else. */
  entrance(token: string): Promise<PageReply> | PageReply;
  /** Signs in by a form of the entrance, where it has one. */
  readonly enter?: (request: PageRequest) => Promise<PageReply>;
  view(query: URLSearchParams, who: Who, refused: RefusedKey | undefined): Promise<Html>;
  act(form: URLSearchParams, who: Who): Promise<PageReply>;
}

/** Shows the page of an account, and takes its forms, which have to come from it and from its session. */
export function accountPage<Who extends { readonly session: Session }>(
  { accounts: { sessions }, signIn: { signIns } }: { readonly accounts: Accounts; readonly signIn: SignIn },
  publicUrl: string,
  page: AccountPage<Who>,
): Page {
  const { path, cookie } = page;
  const noCookie = setCookie(cookie, '', { secure: publicUrl.startsWith('https:'), maxAge: 0 });
  return {
    path,
    signIn: true,
    methods: ['GET', 'POST'],
    async render(request) {
      const token = request.cookie(cookie) ?? '';
      const who = token === '' ? null : await page.find(token);
      const { method, form, query, sameOrigin } = request;
      if (method !== 'POST') {
        if (!who) return page.entrance(token);
        return flashedPage(page.title, request, publicUrl, (refused) => page.view(query, who, refused));
      }
      if (!sameOrigin) return refused(path);
      if (page.enter && form.get('action') === 'sign-in') return page.enter(request);
      if (!who || !isCsrfToken(who.session, form.get('csrf') ?? '')) return refused(path);
      if (form.get('action') !== 'sign-out') return page.act(form, who);
      await sessions.end(token);
      return signedOut(signIns, who.session, path, noCookie);
    },
  };
}

/**
 * The answer after signing out here: a redirect to the issuer of the session, if it can sign the user out
 * too (OpenID Connect RP-Initiated Logout 1.0). By a page, as no form of ours may lead to another site.
 */
async function signedOut(
  signIns: SignIns,
  { issuer }: Session,
  path: string,
  noCookie: string,
): Promise<PageReply> {
  const url = await signIns.endSessionUrl(issuer, path);
  if (url === null) return redirect(path, [noCookie]);
  const main = html`<section class="panel narrow"><h1>You are signed out here</h1>
<p>Sign out of ${url.host}, too, or it will let you in again without asking.</p>
<p><a class="button primary" href="${url.href}">Continue to ${url.host}</a> <a class="button" href="${path}">Stay here</a></p></section>`;
  return privatePage({ title: 'Signed out', main }, [noCookie]);
}

/** The ways to sign in to an area by an issuer. Links, as browsers let no form lead to another site from here. */
export function issuerLinks(signIns: SignIns, area: Area): Html {
  const offered = signIns.offered(area);
  if (offered.length === 0) return html``;
  return html`<div class="actions">${offered.map(
    ({ id, name }) => html`<a class="button" href="/sign-in/${id}?for=${area}">Sign in with ${name}</a>`,
  )}</div>`;
}

/** The parts of the tokens of prompts, as far as more is known than their number. */
export function promptParts(sums: TokenSums): string {
  return listed([
    [sums.cachedTokens, 'read from the cache'],
    [sums.cacheWrite5mTokens, 'written to it for 5 minutes'],
    [sums.cacheWrite1hTokens, 'written to it for an hour'],
    [sums.audioPromptTokens, 'audio'],
    [sums.imagePromptTokens, 'images'],
  ]);
}

/** The same of the tokens of answers. */
export function completionParts(sums: TokenSums): string {
  return listed([
    [sums.reasoningTokens, 'reasoning'],
    [sums.audioCompletionTokens, 'audio'],
    [sums.imageCompletionTokens, 'images'],
  ]);
}

export function tokensView(tokens: number, parts: string): Html {
  return html`${count(tokens)}${parts !== '' && html` <small class="muted">(${parts})</small>`}`;
}

function listed(parts: readonly (readonly [number, string])[]): string {
  return parts
    .filter(([tokens]) => tokens > 0)
    .map(([tokens, what]) => `${count(tokens)} ${what}`)
    .join(', ');
}

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
  'connect-mcp': 'reloadConfig',
  'disconnect-mcp': 'reloadConfig',
  'end-session': 'endSession',
} as const satisfies Record<string, Parameters<typeof mayUse>[1]>;

export const adminPath = '/admin/factory/settings/api-keys';

export const planNames: Readonly<Record<PlanId, string>> = {
  free: 'Free',
  pro: 'Pro',
  enterprise: 'Enterprise',
};

/** The lists of the admin area, by their names in its address. */
const lists = {
  tenants: 'Tenants',
  usage: 'Usage',
  signups: 'Sign-ups',
  webhooks: 'Webhooks',
  providers: 'Providers',
  mcp: 'MCP servers',
  config: 'Configuration',
  servers: 'Servers',
  sessions: 'Sessions',
  changes: 'Audit log',
} as const;

type AdminList = keyof typeof lists;

/** The list that the query names; that of the tenants without one. */
export function listNamed(name: string | null): AdminList {
  return name !== null && Object.hasOwn(lists, name) ? (name as AdminList) : 'tenants';
}

export function listAddress(name: AdminList): string {
  return name === 'tenants' ? adminPath : `${adminPath}?view=${name}`;
}

/**
 * The head of the lists of the admin area.
 * @param pending sign-ups that wait
 */
export function adminHead(current: AdminList, session: Session, pending: number): Html {
  const links = Object.keys(lists).map((key) => {
    const name = listNamed(key);
    const waiting = name === 'signups' && pending > 0 && ` (${pending})`;
    return html`<a href="${listAddress(name)}" ${name === current && html`aria-current="page"`}>${lists[name]}${waiting}</a>`;
  });
  return html`${head(lists[current], session, adminPath)}<nav class="choices tabs" aria-label="Admin area">${links}</nav>
`;
}

/** Throws `AccountError` for a form that the session may not send, and for one that is not named above. */
export function requireRight(action: string, rights: ReadonlySet<string>): void {
  const operation = new Map<string, Parameters<typeof mayUse>[1]>(Object.entries(operations)).get(action);
  if (operation === undefined) throw new AccountError('not_allowed', 'This form is unknown.');
  if (mayUse(rights, operation)) return;
  throw new AccountError('not_allowed', 'Your role does not allow this. Nothing was changed.');
}
