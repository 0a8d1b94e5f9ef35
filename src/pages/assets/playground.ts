// The playground: a key, kept in this module and nowhere else, and the tabs that call the interface with it.

import { agentsTab } from './agents-tab.ts';
import { type ApiCaller, apiCaller } from './api-caller.ts';
import { chatTab } from './chat-tab.ts';
import { draw, finder, onSubmit, setBlocked } from './draw.ts';
import { refusalOf } from './factory-client.ts';
import { featuresTab } from './features-tab.ts';
import { html } from './html.ts';
import { announcer } from './messages.ts';
import { useTabs } from './tabs.ts';

const find = finder(document);
const announce = announcer(find('[data-announcements]'));
let caller: ApiCaller | null = null;
const tabParts = (name: string) => ({
  panel: find(`#panel-${name}`),
  caller: () => caller,
  announce,
});
const lists = [
  { name: 'chat', path: '/v1/models', ...chatTab(tabParts('chat')) },
  { name: 'agents', path: '/v1/agents', ...agentsTab(tabParts('agents')) },
  { name: 'features', path: '/v1/ai', ...featuresTab(tabParts('features')) },
];

const box = find('#key') as HTMLInputElement;
const button = find('[data-key-form] button');
useTabs(find('[role="tablist"]'));

onSubmit(find('[data-key-form]'), () => {
  if (button.ariaDisabled === 'true') return;
  setBlocked(button, true);
  void signIn(box.value.trim()).finally(() => setBlocked(button, false));
});
find('[data-sign-out]').addEventListener('click', () => {
  signOut('');
  announce('You are signed out.');
});
// A page that the browser restores from its history has lost the key as well.
addEventListener('pagehide', () => signOut(''));

async function signIn(key: string) {
  complain('');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    complain(
      key === ''
        ? 'Enter a key.'
        : 'That cannot be a key: it has spaces or other characters that keys do not have.',
    );
    return box.focus();
  }
  const candidate = apiCaller(key, signOut);
  try {
    const answers = await Promise.all(lists.map(({ path }) => candidate.get(path)));
    const failed = answers.find(({ status }) => status !== 200 && status !== 403);
    if (failed) {
      complain((await refusalOf(failed)).message);
      return box.focus();
    }
    await Promise.all(lists.map((list, n) => fill(list, answers[n] as Response)));
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

async function fill({ name, offer }: (typeof lists)[number], answer: Response) {
  const panel = find(`#panel-${name}`);
  const closed = answer.status === 200 ? '' : (await refusalOf(answer)).message;
  const notice = panel.querySelector('[data-closed]') as HTMLElement;
  const work = panel.querySelector('[data-work]') as HTMLElement;
  draw(notice, closed === '' ? html`` : html`<p>${closed}</p>`);
  notice.hidden = closed === '';
  work.hidden = closed !== '';
  if (closed === '') offer(await answer.json());
}

function signOut(message: string) {
  caller = null;
  for (const tab of lists) tab.clear();
  show(false);
  complain(message);
  box.focus();
}

function show(signedIn: boolean) {
  find('[data-sign-in]').hidden = signedIn;
  find('[data-playground]').hidden = !signedIn;
}

function complain(message: string) {
  find('#key-message').textContent = message;
}
