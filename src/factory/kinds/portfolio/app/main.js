import { app } from '../../shared/app/lib/app.js';
import { contactForm } from '../../shared/app/lib/contact-form.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { h, icon, pageTitle } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { artwork, picture } from '../../shared/app/lib/picture.js';
import { contactList, copyText, mountSite, part } from '../../shared/app/lib/site.js';

const printButton = h(
  'button',
  { type: 'button', class: 'button large no-print', onclick: () => print() },
  icon('print'),
  t('print'),
);

const hero = h(
  'section',
  { class: 'intro' },
  h(
    'div',
    { class: 'portrait', 'aria-hidden': 'true' },
    artwork(app.name, 300, 300),
    h('span', null, initials()),
  ),
  h(
    'div',
    { class: 'intro-text' },
    h('p', { class: 'kicker' }, app.copy.role),
    pageTitle(app.name),
    h('p', { class: 'lead' }, app.tagline),
    h(
      'div',
      { class: 'row' },
      h('a', { class: 'button primary large', href: '#contact' }, t('contact')),
      printButton,
    ),
  ),
);

function initials() {
  const letters = app.name.match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu) ?? ['•'];
  return letters.slice(0, 2).join('').toLocaleUpperCase(app.lang);
}

/** Works can be narrowed down to one kind when they have several. */
function works(section) {
  const kinds = [...new Set(section.items.map((item) => item.meta).filter(Boolean))];
  const cards = section.items.map((item) =>
    h(
      'li',
      { class: 'card work', 'data-kind': item.meta ?? '' },
      h(
        'div',
        { class: 'work-art' },
        artwork(item.title + app.name, 420, 240),
        item.icon && picture(item.icon),
      ),
      h(
        'div',
        { class: 'work-text' },
        h('h3', null, item.title),
        item.text && h('p', { class: 'muted' }, item.text),
        item.meta && h('span', { class: 'chip' }, item.meta),
      ),
    ),
  );
  const pick = (event) => {
    const { kind } = event.currentTarget.dataset;
    for (const button of bar.children)
      button.setAttribute('aria-pressed', String(button === event.currentTarget));
    for (const card of cards) card.hidden = kind !== '' && card.dataset.kind !== kind;
  };
  const bar = h(
    'div',
    { class: 'segments no-print' },
    [['', t('all')], ...kinds.map((kind) => [kind, kind])].map(([kind, label]) =>
      h(
        'button',
        { type: 'button', 'data-kind': kind, 'aria-pressed': String(kind === ''), onclick: pick },
        label,
      ),
    ),
  );
  return h(
    'div',
    { class: 'stack' },
    kinds.length > 1 && h('div', null, bar),
    h('ul', { class: 'works' }, cards),
  );
}

const layouts = {
  text: (section) => h('p', { class: 'prose' }, section.text),
  items: works,
  timeline: (section) =>
    h(
      'ol',
      { class: 'timeline' },
      section.items.map((item) =>
        h(
          'li',
          null,
          h('span', { class: 'when muted' }, item.meta ?? ''),
          h('div', null, h('h3', null, item.title), item.text && h('p', { class: 'muted' }, item.text)),
        ),
      ),
    ),
  tags: (section) =>
    h(
      'ul',
      { class: 'skills' },
      section.items.map((item) => h('li', null, item.title)),
    ),
  prices: (section) =>
    h(
      'ul',
      { class: 'offers' },
      section.items.map((item) =>
        h(
          'li',
          { class: 'card' },
          h('h3', null, item.title),
          item.text && h('p', { class: 'muted' }, item.text),
          item.price && h('p', { class: 'price' }, item.price),
        ),
      ),
    ),
};

const parts = app.sections.map((section, index) => {
  const id = `part-${index}`;
  const layout = layouts[section.type] ?? works;
  return {
    id,
    nav: section.title,
    element: part(id, section.title, section.type === 'text' ? null : section.text, layout(section)),
  };
});

const copyMail = async () => toast(t((await copyText(app.contact.email)) ? 'copied' : 'copyFailed'));
const contact = part(
  'contact',
  t('contact'),
  app.copy.contactText,
  h(
    'div',
    { class: 'contact-grid' },
    h(
      'div',
      null,
      contactList(),
      app.contact.email &&
        h(
          'button',
          { type: 'button', class: 'button no-print copy-mail', onclick: copyMail },
          icon('copy'),
          t('copyMail'),
        ),
    ),
    contactForm(),
  ),
);

mountSite([{ element: hero }, ...parts, { id: 'contact', nav: t('contact'), element: contact }], {
  label: app.copy.role,
});
