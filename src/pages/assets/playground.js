// The playground: a key, kept in this module and nowhere else, and the tabs that call the interface with it.

import { AgentsTab } from './agents-tab.js';
import { ApiCaller } from './api-caller.js';
import { ChatTab } from './chat-tab.js';
import { draw } from './draw.js';
import { FeaturesTab } from './features-tab.js';
import { refusalOf } from './refusal.js';
import { useTabs } from './tabs.js';
import { announcer } from './told.js';
import { element } from './tree.js';

const find = (/** @type {string} */ selector) =>
  /** @type {HTMLElement} */ (document.querySelector(selector));
const announce = announcer(find('[data-announcements]'));
/** @type {ApiCaller | null} */
let caller = null;
const tabParts = (/** @type {string} */ name) => ({
  panel: find(`#panel-${name}`),
  caller: () => caller,
  announce,
});
const chat = new ChatTab(tabParts('chat'));
const agents = new AgentsTab(tabParts('agents'));
const features = new FeaturesTab(tabParts('features'));

/** What each tab needs to know before it is of use. */
const lists = [
  { name: 'chat', path: '/v1/models', offer: (/** @type {any} */ list) => chat.offer(list) },
  { name: 'agents', path: '/v1/agents', offer: (/** @type {any} */ list) => agents.offer(list.data) },
  { name: 'features', path: '/v1/ai', offer: (/** @type {any} */ list) => features.offer(list.data) },
];

const box = /** @type {HTMLInputElement} */ (find('#key'));
const button = find('[data-key-form] button');
useTabs(find('[role="tablist"]'));

find('[data-key-form]').addEventListener('submit', (event) => {
  event.preventDefault();
  if (button.getAttribute('aria-disabled') === 'true') return;
  button.setAttribute('aria-disabled', 'true');
  void signIn(box.value.trim()).finally(() => button.setAttribute('aria-disabled', 'false'));
});
find('[data-sign-out]').addEventListener('click', () => {
  signOut('');
  announce('You are signed out.');
});
// A page that the browser restores from its history has lost the key as well.
addEventListener('pagehide', () => signOut(''));

/** @param {string} key */
async function signIn(key) {
  complain('');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    complain(
      key === ''
        ? 'Enter a key.'
        : 'That cannot be a key: it has spaces or other characters that keys do not have.',
    );
    return box.focus();
  }
  const candidate = new ApiCaller(key, signOut);
  try {
    const answers = await Promise.all(lists.map(({ path }) => candidate.get(path)));
    const failed = answers.find(({ status }) => status !== 200 && status !== 403);
    if (failed) {
      complain((await refusalOf(failed)).message);
      return box.focus();
    }
    await Promise.all(lists.map((list, n) => fill(list, /** @type {Response} */ (answers[n]))));
  } catch {
    complain('The server cannot be reached. Try again in a moment.');
    return box.focus();
  }
  caller = candidate;
  box.value = '';
  show(true);
  find('[role="tab"][aria-selected="true"]').focus();
  announce('Signed in.');
}

/**
 * @param {typeof lists[number]} list
 * @param {Response} answer
 */
async function fill({ name, offer }, answer) {
  const panel = find(`#panel-${name}`);
  const closed = answer.status === 200 ? '' : (await refusalOf(answer)).message;
  const notice = /** @type {HTMLElement} */ (panel.querySelector('[data-closed]'));
  const work = /** @type {HTMLElement} */ (panel.querySelector('[data-work]'));
  draw(notice, closed === '' ? [] : [element('p', {}, closed)]);
  notice.hidden = closed === '';
  work.hidden = closed !== '';
  if (closed === '') offer(await answer.json());
}

/** @param {string} message */
function signOut(message) {
  caller = null;
  for (const tab of [chat, agents, features]) tab.clear();
  show(false);
  complain(message);
  box.focus();
}

/** @param {boolean} signedIn */
function show(signedIn) {
  find('[data-sign-in]').hidden = signedIn;
  find('[data-playground]').hidden = !signedIn;
}

/** @param {string} message */
function complain(message) {
  find('#key-message').textContent = message;
}
