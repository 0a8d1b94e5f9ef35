import { app } from './app.js';
import { toast } from './dialog.js';
import { h, icon, iconButton, pageTitle, put } from './dom.js';
import { appActions } from './edit-app.js';
import { t } from './i18n.js';
import { picture } from './picture.js';
import { persistent, recall, remember } from './store.js';

const root = document.documentElement;

const systemDark = matchMedia('(prefers-color-scheme: dark)');

const isDark = () => root.dataset.theme === 'dark' || (root.dataset.theme === 'auto' && systemDark.matches);

/**
 * Draws the frame that every tool has: name, menu, light and dark, and the room for its content.
 * @param {{ actions?: { icon: string, label: string, onclick: () => unknown }[], wide?: boolean }} options entries of
 *   the menu, and whether there is more room
 */
export function mountShell({ actions = [], wide = false } = {}) {
  const main = h('main', { id: 'main', class: 'stack' });
  const frame = h(
    'div',
    { class: wide ? 'page wide' : 'page' },
    h('a', { class: 'skip-link', href: '#main' }, t('skip')),
    h(
      'header',
      { class: 'top' },
      mark(),
      h('div', { class: 'names' }, pageTitle(app.name), app.tagline && h('p', null, app.tagline)),
      h('div', { class: 'top-actions' }, themeButton(), menu([...actions, ...appActions()])),
    ),
    !persistent && h('aside', { class: 'hint' }, icon('lock'), h('p', null, t('notSaved'))),
    main,
  );
  document.title = app.name;
  document.getElementById('app')?.replaceChildren(frame);
  document.addEventListener('storage-full', () => toast(t('storageFull')));
  return main;
}

/** The sign of the app: its picture in its colour. */
export const mark = () => h('span', { class: 'mark', 'aria-hidden': 'true' }, picture());

/** @param {{ icon: string, label: string, onclick: () => unknown }[]} actions */
function menu(actions) {
  const items = actions.map(({ icon: name, label, onclick }) => {
    const run = () => {
      details.open = false;
      onclick();
    };
    return h('li', null, h('button', { type: 'button', onclick: run }, icon(name), label));
  });
  const details = h(
    'details',
    { class: 'menu' },
    h('summary', { class: 'icon-button', 'aria-label': t('menu'), title: t('menu') }, icon('more')),
    h('ul', null, items),
  );
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Node && details.contains(event.target))) details.open = false;
  });
  details.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    details.open = false;
    details.querySelector('summary')?.focus();
  });
  return details;
}

/**
 * Keys for the whole page, for example `{n: add}`; they rest while somebody types or a dialog is open.
 * @param {Record<string, (event: KeyboardEvent) => unknown>} keys
 */
export function onKeys(keys) {
  document.addEventListener('keydown', (event) => {
    if (document.querySelector('dialog[open]')) return;
    const at = event.target;
    if (at instanceof Element && at.closest('input, select, textarea, [contenteditable]')) return;
    const undo = (event.ctrlKey || event.metaKey) && event.key === 'z';
    if ((event.ctrlKey || event.metaKey || event.altKey) && !undo) return;
    const action = keys[undo ? 'undo' : event.key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}

/**
 * What stands where nothing is yet.
 * @param {string} title
 * @param {string} text
 * @param {import('./dom.js').Child} [button]
 */
export function emptyState(title, text, button) {
  return h('div', { class: 'empty' }, picture(), h('h2', null, title), h('p', null, text), button);
}

/**
 * A search box with its label.
 * @param {string} label
 * @param {(text: string) => unknown} oninput called with small letters
 */
export function searchBox(label, oninput) {
  const input = h('input', {
    type: 'search',
    placeholder: label,
    'aria-label': label,
    autocomplete: 'off',
    oninput: () => oninput(input.value.trim().toLocaleLowerCase(app.lang)),
  });
  return h('div', { class: 'search' }, icon('search'), input);
}

/** A button that turns between light and dark and remembers the choice. */
export function themeButton() {
  root.dataset.theme = recall('theme', root.dataset.theme);
  const draw = () => put(button, icon(isDark() ? 'sun' : 'moon'));
  const turn = () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    remember('theme', root.dataset.theme);
    draw();
  };
  const button = iconButton('moon', t('theme'), turn);
  systemDark.addEventListener('change', draw);
  draw();
  return button;
}
