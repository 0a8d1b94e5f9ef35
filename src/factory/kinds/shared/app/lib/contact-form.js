import { app } from './app.js';
import { toast } from './dialog.js';
import { h, newId, put, textIn } from './dom.js';
import { t } from './i18n.js';
import { createStore, newEntryId } from './store.js';

const { email } = app.contact;

/**
 * The page has no server, and says before anything is sent what becomes of a message: with an address known it goes
 * there by the visitor's own mail program, else it stays on this device, where it can be read.
 */
export function contactForm() {
  const after = h('div', { class: 'stack' });
  const take = email ? mailMessage(after) : keepMessage(after);
  const submit = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const [name, reach, message] = ['name', 'reach', 'message'].map((field) => textIn(form, field));
    take({ name, reach, message }, form);
  };
  return h(
    'form',
    { class: 'card contact-form', onsubmit: submit },
    control('name', t('yourName'), { type: 'text', autocomplete: 'name' }),
    control('reach', t('yourReach'), { type: 'text', autocomplete: 'email' }),
    control('message', t('yourMessage'), { tag: 'textarea', rows: 4 }),
    h('p', { class: 'muted small' }, email ? t('messageMailed', { email }) : t('messageStays')),
    h('button', { type: 'submit', class: 'button primary large' }, t(email ? 'send' : 'keepMessage')),
    after,
  );
}

function control(name, label, { tag = 'input', ...rest }) {
  const id = newId('contact');
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    h(tag, { id, name, required: true, ...rest }),
  );
}

/** The form keeps what was written: whether the mail was sent is known to the mail program only. */
function mailMessage(after) {
  return ({ name, reach, message }) => {
    const body = encodeURIComponent(`${message}\n\n${name}\n${reach}`);
    const href = `mailto:${email}?subject=${encodeURIComponent(app.name)}&body=${body}`;
    const link = h('a', { href, target: '_blank' }, t('mailAgain', { email }));
    put(after, h('p', { class: 'small', role: 'status' }, link));
    link.click();
  };
}

function keepMessage(after) {
  const messages = createStore(
    'messages',
    /** @type {{ id: string, name: string, reach: string, message: string }[]} */ ([]),
  );
  messages.subscribe((all) =>
    put(
      after,
      all.length > 0 && [
        h('h3', null, t('keptMessages')),
        h(
          'ul',
          { class: 'stack' },
          all.map((kept) =>
            h(
              'li',
              null,
              h('p', null, kept.message),
              h('p', { class: 'muted small' }, `${kept.name}, ${kept.reach}`),
            ),
          ),
        ),
      ],
    ),
  );
  return ({ name, reach, message }, form) => {
    messages.set([...messages.get(), { id: newEntryId(), name, reach, message }]);
    form.reset();
    toast(t('messageKept', { name }));
  };
}
