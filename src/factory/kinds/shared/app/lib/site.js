import { app } from './app.js';
import { h, icon } from './dom.js';
import { appActions } from './edit-app.js';
import { t } from './i18n.js';
import { mark, themeButton } from './shell.js';

/**
 * The frame of a page that is read: a bar with links to its parts, the content, a foot.
 * @param {{ id?: string, nav?: string, element: Element }[]} sections
 * @param {{ label?: string }} options what the page is of, at its foot
 */
export function mountSite(sections, { label } = {}) {
  const links = sections
    .filter((section) => section.nav)
    .map((section) => h('a', { href: `#${section.id}` }, section.nav));
  const nav = h('nav', { 'aria-label': t('navigation') }, links);
  document.title = app.name;
  document.getElementById('app')?.replaceChildren(
    h('a', { class: 'skip-link', href: '#main' }, t('skip')),
    h(
      'header',
      { class: 'site-bar' },
      h('a', { class: 'brand', href: '#main' }, mark(), h('span', null, app.name)),
      nav,
      themeButton(),
    ),
    h(
      'main',
      { id: 'main' },
      sections.map((section) => section.element),
    ),
    h(
      'footer',
      { class: 'site-foot' },
      h('p', null, h('strong', null, app.name), label ? ` · ${label}` : ''),
      contactLine(),
      mayEdit() && editLine(),
    ),
  );
}

/** Whoever opens the page as a file or in its preview has made it; visitors of a published page have not. */
const mayEdit = () => location.protocol === 'file:' || self !== top || location.hash === '#edit';

function editLine() {
  return h(
    'p',
    { class: 'row' },
    appActions().map(({ icon: name, label, onclick }) =>
      h('button', { type: 'button', class: 'button', onclick }, icon(name), label),
    ),
  );
}

function contactLine() {
  const { email, phone, address } = app.contact;
  return h('p', { class: 'muted' }, [address, phone, email].filter(Boolean).join(' · '));
}

/** How to reach somebody, as links that do something on a phone; nothing when no way is known. */
export function contactList() {
  const { email, phone, address } = app.contact;
  if (!address && !phone && !email) return null;
  const entry = (name, content) => h('li', null, icon(name), content);
  return h(
    'ul',
    { class: 'contact-list' },
    address &&
      entry(
        'pin',
        h(
          'a',
          {
            href: `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`,
            target: '_blank',
            rel: 'noreferrer',
          },
          address,
        ),
      ),
    phone && entry('phone', h('a', { href: `tel:${phone.replace(/[^+\d]/g, '')}` }, phone)),
    email && entry('mail', h('a', { href: `mailto:${email}` }, email)),
  );
}

/**
 * A titled part of the page.
 * @param {string} id
 * @param {string} title
 * @param {string | null | undefined} intro
 * @param {...import('./dom.js').Child} content
 */
export function part(id, title, intro, ...content) {
  return h(
    'section',
    { id, class: `part ${id}`, 'aria-label': title },
    h(
      'div',
      { class: 'inner' },
      h('header', { class: 'part-head' }, h('h2', null, title), intro && h('p', null, intro)),
      ...content,
    ),
  );
}

/** Copies a text, and says so. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
