import { app } from '../../shared/app/lib/app.js';
import { contactForm } from '../../shared/app/lib/contact-form.js';
import { h, pageTitle } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { picture, scene } from '../../shared/app/lib/picture.js';
import { contactList, mountSite, part } from '../../shared/app/lib/site.js';

const hero = h(
  'section',
  { class: 'hero' },
  h(
    'div',
    { class: 'hero-text' },
    app.copy.kicker && h('p', { class: 'kicker' }, app.copy.kicker),
    pageTitle(app.name),
    h('p', { class: 'lead' }, app.tagline),
    h(
      'div',
      { class: 'row' },
      h('a', { class: 'button primary large', href: '#contact' }, app.copy.action || t('contact')),
      app.sections[0] && h('a', { class: 'button large', href: '#part-0' }, app.sections[0].title),
    ),
  ),
  h('div', { class: 'hero-art' }, scene(480, 420)),
);

const layouts = {
  text: (section) => h('p', { class: 'prose' }, section.text),
  items: (section) =>
    h(
      'ul',
      { class: 'tiles' },
      section.items.map((item) =>
        h(
          'li',
          { class: 'card tile' },
          item.icon && h('span', { class: 'tile-icon' }, picture(item.icon)),
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
