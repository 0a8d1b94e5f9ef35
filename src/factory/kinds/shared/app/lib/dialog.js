import { h, iconButton, newId } from './dom.js';
import { t } from './i18n.js';

const region = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });

document.body.append(region);

/**
 * Opens a dialog with a form. `onsave` is called with the form when it is sent and valid; `actions` stand at its foot
 * on the left. The browser's own <dialog> keeps the focus inside and closes it with Escape.
 * @param {object} options
 * @param {string} options.title
 * @param {import('./dom.js').Child} options.body
 * @param {string} [options.save] the text of its button
 * @param {(form: HTMLFormElement) => unknown} options.onsave `false` keeps the dialog open
 * @param {{ label: string, danger?: boolean, onclick: () => unknown }[]} [options.actions]
 */
export function openDialog({ title, body, save = t('save'), onsave, actions = [] }) {
  const titleId = newId('dialog');
  const close = () => dialog.close();
  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const submit = (event) => {
    event.preventDefault();
    if (onsave(event.currentTarget) !== false) close();
  };
  const dialog = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': titleId, onclose: () => dialog.remove() },
    h(
      'form',
      { onsubmit: submit },
      h('header', null, h('h2', { id: titleId }, title), iconButton('close', t('close'), close)),
      h('div', { class: 'dialog-body' }, body),
      h(
        'footer',
        null,
        actions.map(({ label, onclick, danger }) => {
          const run = () => {
            onclick();
            close();
          };
          return h(
            'button',
            { type: 'button', class: danger ? 'button danger' : 'button', onclick: run },
            label,
          );
        }),
        h('span', { class: 'spring' }),
        h('button', { type: 'button', class: 'button', onclick: close }, t('cancel')),
        h('button', { type: 'submit', class: 'button primary' }, save),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  const first = dialog.querySelector('.dialog-body :is(input, select, textarea)');
  if (first instanceof HTMLElement) first.focus();
  return dialog;
}

/**
 * Asks before something that cannot be taken back.
 * @param {string} question
 * @param {string} yes the text of the button that does it
 * @param {() => unknown} onyes
 */
export function ask(question, yes, onyes) {
  openDialog({
    title: question,
    body: h('p', { class: 'muted' }, t('cannotUndo')),
    save: yes,
    onsave: onyes,
  });
}

/**
 * Says something for some seconds, with a way back if `undo` is given.
 * @param {string} message
 * @param {(() => unknown) | false} [undo]
 */
export function toast(message, undo) {
  const close = () => element.remove();
  const act = () => {
    if (undo) undo();
    close();
  };
  const element = h(
    'div',
    { class: 'toast' },
    h('span', null, message),
    undo && h('button', { type: 'button', onclick: act }, t('undo')),
  );
  region.replaceChildren(element);
  setTimeout(close, undo ? 8000 : 4000);
}
