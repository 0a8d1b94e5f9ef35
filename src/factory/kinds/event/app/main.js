import { app } from '../../shared/app/lib/app.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { h, icon, newId, pageTitle, put, textIn } from '../../shared/app/lib/dom.js';
import { download } from '../../shared/app/lib/files.js';
import { dayOf, formatDay, t } from '../../shared/app/lib/i18n.js';
import { artwork, picture, scene } from '../../shared/app/lib/picture.js';
import { mark } from '../../shared/app/lib/shell.js';
import { contactList, mountSite, part } from '../../shared/app/lib/site.js';
import { createStore, newEntryId, recall, remember } from '../../shared/app/lib/store.js';

const day = dayOf(app.copy.day);
const start = new Date(`${day}T${app.copy.time}:00`);
/** A mere countdown asks nobody to come. */
const invites = app.copy.rsvp !== 'no';
const when = !invites && app.copy.time === '00:00' ? formatDay(day) : `${formatDay(day)}, ${app.copy.time}`;
const guests = createStore('guests', /** @type {{ id: string, name: string, count: number }[]} */ ([]));

const countdown = h('dl', { class: 'countdown' });
const facts = h(
  'ul',
  { class: 'event-facts' },
  h('li', { 'data-at': '/copy/day' }, icon('calendar'), when),
  app.copy.place && h('li', null, icon('pin'), app.copy.place),
);
const hero = h(
  'section',
  { class: 'event-hero' },
  scene(1200, 520, { large: false }),
  h(
    'div',
    { class: 'event-card' },
    mark(),
    pageTitle(app.name),
    h('p', { class: 'lead' }, app.tagline),
    facts,
    h(
      'div',
      { role: 'timer', 'aria-label': t('countdownTo', { name: app.name }), 'data-at': '/copy/day' },
      countdown,
    ),
    h(
      'div',
      { class: 'row' },
      invites && h('a', { class: 'button primary large', href: '#rsvp' }, t('iCome')),
      h(
        'button',
        { type: 'button', class: 'button large', onclick: saveDate },
        icon('calendar'),
        t('saveDate'),
      ),
    ),
  ),
);

function drawCountdown() {
  const left = start.getTime() - Date.now();
  if (left <= 0) {
    countdown.replaceChildren(
      h('div', null, h('dt', { class: 'sr-only' }, app.name), h('dd', null, t('hasBegun'))),
    );
    return;
  }
  const minutes = Math.floor(left / 60000);
  const parts = [
    [Math.floor(minutes / 1440), 'unitDays'],
    [Math.floor(minutes / 60) % 24, 'unitHours'],
    [minutes % 60, 'unitMinutes'],
    [Math.floor(left / 1000) % 60, 'unitSeconds'],
  ];
  countdown.replaceChildren(
    ...parts.map(([value, unit]) =>
      h('div', null, h('dt', null, t(String(unit))), h('dd', null, String(value).padStart(2, '0'))),
    ),
  );
}

/** The date as a calendar file, which every calendar reads. */
function saveDate() {
  const stamp = (date) => date.toISOString().replace(/[-:]|\.\d+/g, '');
  const text = (value) => value.replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n');
  const end = new Date(start.getTime() + 3 * 3600000);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//event page//',
    'BEGIN:VEVENT',
    `UID:${app.id}`,
    `DTSTAMP:${stamp(new Date())}`,
    `DTSTART:${stamp(start)}`,
    `DTEND:${stamp(end)}`,
    `SUMMARY:${text(app.name)}`,
    `DESCRIPTION:${text(app.tagline)}`,
    `LOCATION:${text(app.copy.place ?? '')}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  download('event.ics', `${lines.join('\r\n')}\r\n`, 'text/calendar');
}

/** The programme; a star puts a point on one's own plan. */
function schedule(section) {
  const starred = new Set(recall('starred', /** @type {string[]} */ ([])));
  const flip = (title) => (event) => {
    if (!starred.delete(title)) starred.add(title);
    remember('starred', [...starred]);
    event.currentTarget.setAttribute('aria-pressed', String(starred.has(title)));
  };
  return h(
    'ol',
    { class: 'schedule' },
    section.items.map((item) =>
      h(
        'li',
        { class: 'card' },
        h('span', { class: 'when' }, [item.meta, item.end].filter(Boolean).join('–')),
        h(
          'div',
          null,
          h('h3', null, item.title),
          item.place && h('p', { class: 'muted' }, item.place),
          item.text && h('p', { class: 'muted' }, item.text),
        ),
        h(
          'button',
          {
            type: 'button',
            class: 'icon-button pin',
            'aria-label': `${t('mark')}: ${item.title}`,
            'aria-pressed': String(starred.has(item.title)),
            onclick: flip(item.title),
          },
          icon('star'),
        ),
      ),
    ),
  );
}

const layouts = {
  schedule,
  text: (section) => h('p', { class: 'prose' }, section.text),
  items: (section) =>
    h(
      'ul',
      { class: 'people' },
      section.items.map((item) =>
        h(
          'li',
          { class: 'card' },
          h(
            'div',
            { class: 'face', 'aria-hidden': 'true' },
            item.icon ? picture(item.icon) : artwork(item.title + app.name, 120, 120),
          ),
          h('h3', null, item.title),
          item.text && h('p', { class: 'muted' }, item.text),
          item.price && h('p', { class: 'price' }, item.price),
        ),
      ),
    ),
  faq: (section) =>
    h(
      'div',
      { class: 'faq' },
      section.items.map((item) =>
        h(
          'details',
          { class: 'card' },
          h('summary', null, item.title),
          h('p', { class: 'muted' }, item.text),
        ),
      ),
    ),
};

function rsvp() {
  const control = (name, label, props) => {
    const id = newId('guest');
    return h(
      'div',
      { class: 'field' },
      h('label', { for: id }, label),
      h('input', { id, name, required: true, ...props }),
    );
  };
  const send = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = textIn(form, 'name');
    guests.set([...guests.get(), { id: newEntryId(), name, count: Number(textIn(form, 'count')) }]);
    form.reset();
    toast(t('seeYou', { name }), () => guests.undo());
  };
  const list = h('div');
  const remove = (guest) => {
    guests.set(guests.get().filter((other) => other.id !== guest.id));
    toast(t('deleted', { name: guest.name }), () => guests.undo());
  };
  guests.subscribe((all) =>
    put(
      list,
      h('h3', null, t('guestCount', { n: all.reduce((sum, guest) => sum + guest.count, 0) })),
      h(
        'ul',
        { class: 'guests' },
        all.map((guest) =>
          h(
            'li',
            null,
            icon('user'),
            h('span', null, guest.count > 1 ? `${guest.name} (${guest.count})` : guest.name),
            h(
              'button',
              {
                type: 'button',
                class: 'icon-button',
                'aria-label': `${t('delete')}: ${guest.name}`,
                onclick: () => remove(guest),
              },
              icon('trash'),
            ),
          ),
        ),
      ),
      all.length === 0 && h('p', { class: 'muted' }, t('noGuests')),
    ),
  );
  return h(
    'div',
    { class: 'rsvp-grid' },
    h(
      'form',
      { class: 'card rsvp-form', onsubmit: send },
      control('name', t('yourName'), { type: 'text', autocomplete: 'name', maxlength: 80 }),
      control('count', t('howMany'), { type: 'number', min: 1, max: 20, value: 1 }),
      h('button', { type: 'submit', class: 'button primary large' }, t('iCome')),
    ),
    list,
  );
}

const parts = app.sections.map((section, index) => {
  const id = `part-${index}`;
  const layout = layouts[section.type] ?? layouts.items;
  return {
    id,
    nav: section.title,
    element: part(id, section.title, section.type === 'text' ? null : section.text, layout(section)),
  };
});
const answer = invites && part('rsvp', t('rsvp'), t('rsvpText'), rsvp());
const place =
  (app.contact.email || app.contact.phone || app.contact.address) &&
  part('contact', t('contact'), null, contactList());

mountSite(
  [
    { element: hero },
    ...parts,
    ...(answer ? [{ id: 'rsvp', nav: t('rsvp'), element: answer }] : []),
    ...(place ? [{ id: 'contact', nav: t('contact'), element: place }] : []),
  ],
  { label: formatDay(day) },
);
drawCountdown();
setInterval(drawCountdown, 1000);
