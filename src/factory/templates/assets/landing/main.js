import { app } from '../lib/app.js';
import { artwork } from '../lib/art.js';
import { h, icon, newId } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { contactList, mountSite, part } from '../lib/site.js';
import { createStore, newEntryId } from '../lib/store.js';
import { toast } from '../lib/toast.js';

const messages = createStore('messages', []);

const hero = h(
  'section',
  { class: 'hero' },
  h(
    'div',
    { class: 'hero-text' },
    app.copy.kicker && h('p', { class: 'kicker' }, app.copy.kicker),
    h('h1', null, app.name),
    h('p', { class: 'lead' }, app.tagline),
    h(
      'div',
      { class: 'row' },
      h('a', { class: 'button primary large', href: '#contact' }, app.copy.action),
      app.sections[0] && h('a', { class: 'button large', href: '#part-0' }, app.sections[0].title),
    ),
  ),
  h('div', { class: 'hero-art' }, artwork(app.name, 480, 420)),
);

const drawings = ['sparkle', 'heart', 'leaf', 'star', 'box', 'users'];

const layouts = {
  text: (section) => h('p', { class: 'prose' }, section.text),
  items: (section) =>
    h(
      'ul',
      { class: 'tiles' },
      section.items.map((item, index) =>
        h(
          'li',
          { class: 'card tile' },
          h('span', { class: 'tile-icon' }, icon(drawings[index % drawings.length])),
          h('h3', null, item.title),
          item.text && h('p', null, item.text),
          item.price && h('p', { class: 'price' }, item.price),
        ),
      ),
    ),
  prices: (section) =>
    h(
      'ul',
      { class: 'price-list card' },
      section.items.map((item) =>
        h(
          'li',
          null,
          h('div', null, h('h3', null, item.title), item.text && h('p', { class: 'muted' }, item.text)),
          h('span', { class: 'dots', 'aria-hidden': 'true' }),
          item.price && h('strong', { class: 'price' }, item.price),
        ),
      ),
    ),
  steps: (section) =>
    h(
      'ol',
      { class: 'steps' },
      section.items.map((item, index) =>
        h(
          'li',
          null,
          h('span', { class: 'step-number', 'aria-hidden': 'true' }, String(index + 1)),
          h('h3', null, item.title),
          item.text && h('p', null, item.text),
        ),
      ),
    ),
  quotes: (section) =>
    h(
      'ul',
      { class: 'tiles' },
      section.items.map((item) =>
        h(
          'li',
          { class: 'card quote' },
          h('blockquote', null, item.text),
          h('p', { class: 'muted' }, item.title),
        ),
      ),
    ),
  faq: (section) =>
    h(
      'div',
      { class: 'faq' },
      section.items.map((item) =>
        h('details', { class: 'card' }, h('summary', null, item.title), h('p', null, item.text)),
      ),
    ),
};

const parts = app.sections.map((section, index) => {
  const layout = layouts[section.type] ?? layouts.items;
  const element = part(
    `part-${index}`,
    section.title,
    section.type === 'text' ? null : section.text,
    layout(section),
  );
  return { id: `part-${index}`, nav: section.title, element };
});

function hoursTable() {
  if (app.hours.length === 0) return null;
  return h(
    'div',
    null,
    h('h3', null, t('openingHours')),
    h(
      'dl',
      { class: 'hours' },
      app.hours.map(({ days, time }) => h('div', null, h('dt', null, days), h('dd', null, time))),
    ),
  );
}

/** A message opens the visitor's own mail program when there is an address; it is kept on this device as well. */
function contactForm() {
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

const contact = part(
  'contact',
  app.copy.contactTitle || t('contact'),
  app.copy.contactText,
  h(
    'div',
    { class: 'contact-grid' },
    h('div', { class: 'stack' }, hoursTable(), contactList()),
    contactForm(),
  ),
);

mountSite([{ element: hero }, ...parts, { id: 'contact', nav: t('contact'), element: contact }], {
  label: app.copy.kicker,
});
