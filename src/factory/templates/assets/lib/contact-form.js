import { app } from './app.js';
import { h, newId } from './dom.js';
import { t } from './i18n.js';
import { createStore, newEntryId } from './store.js';
import { toast } from './toast.js';

const messages = createStore('messages', []);

/** A message opens the visitor's own mail program when there is an address; it is kept on this device as well. */
export function contactForm() {
  const control = (name, label, props) => {
    const id = newId('contact');
    const { tag = 'input', ...rest } = props;
    return h(
      'div',
      { class: 'field' },
      h('label', { for: id }, label),
      h(tag, { id, name, required: true, ...rest }),
    );
  };
  const send = (event) => {
    event.preventDefault();
    const { name, reach, message } = Object.fromEntries(new FormData(event.currentTarget));
    messages.set([...messages.get(), { id: newEntryId(), name, reach, message }]);
    event.currentTarget.reset();
    toast(t('messageKept', { name }));
    if (!app.contact.email) return;
    const link = h('a', {
      href: `mailto:${app.contact.email}?subject=${encodeURIComponent(app.name)}&body=${encodeURIComponent(`${message}\n\n${name}\n${reach}`)}`,
      target: '_blank',
    });
    link.click();
  };
  return h(
    'form',
    { class: 'card contact-form', onsubmit: send },
    control('name', t('yourName'), { type: 'text', autocomplete: 'name' }),
    control('reach', t('yourReach'), { type: 'text', autocomplete: 'email' }),
    control('message', t('yourMessage'), { tag: 'textarea', rows: 4 }),
    h('button', { type: 'submit', class: 'button primary large' }, t('send')),
  );
}
