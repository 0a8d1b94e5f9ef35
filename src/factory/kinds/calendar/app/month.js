import { h, iconButton, put } from '../../shared/app/lib/dom.js';
import { dayFromNow, t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { monthAfter, monthName, weekdayName, weeksOf, wholeDay } from './days.js';
import { colourOf, edit, entries, markOf, marks, menu, undo } from './entries.js';

const today = dayFromNow();
let month = `${today.slice(0, 8)}01`;

const main = mountShell({ actions: menu });
const name = h('strong', { class: 'span', 'aria-live': 'polite' });
const sheet = h('div', { class: 'card sheet' });
const legend = h('ul', { class: 'legend card' });
main.append(
  h(
    'div',
    { class: 'toolbar' },
    iconButton('left', t('previousMonth'), () => turn(-1)),
    name,
    iconButton('right', t('nextMonth'), () => turn(1)),
    h('span', { class: 'spring' }),
    h('button', { type: 'button', class: 'button', onclick: goToday }, t('today')),
  ),
  sheet,
  legend,
);

function turn(step) {
  month = monthAfter(month, step);
  draw();
}

function goToday() {
  month = `${today.slice(0, 8)}01`;
  draw();
}

function dayCell(day) {
  if (!day.startsWith(month.slice(0, 7))) return h('td', { class: 'other' });
  const text = entries.get()[day] ?? '';
  const index = markOf(text);
  return h(
    'td',
    null,
    h(
      'button',
      {
        type: 'button',
        class: day === today ? 'day now' : 'day',
        'data-day': day,
        'aria-label': text ? `${wholeDay(day)}: ${text}` : wholeDay(day),
        'aria-current': day === today ? 'date' : null,
        onclick: () => edit(day, wholeDay(day)),
      },
      h('b', null, String(Number(day.slice(8)))),
      index >= 0 && h('span', { class: 'dot', style: `background:${colourOf(index)}` }),
      text !== '' && h('span', { class: 'entry' }, text),
    ),
  );
}

function draw() {
  const focused = document.activeElement?.getAttribute('data-day');
  name.textContent = monthName(month);
  const weeks = weeksOf(month);
  put(
    sheet,
    h(
      'table',
      { class: 'month' },
      h('caption', { class: 'sr-only' }, monthName(month)),
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          weeks[0].map((day) => h('th', { scope: 'col' }, weekdayName(day))),
        ),
      ),
      h(
        'tbody',
        null,
        weeks.map((days) => h('tr', null, days.map(dayCell))),
      ),
    ),
  );
  const here = Object.entries(entries.get()).filter(([day]) => day.startsWith(month.slice(0, 7)));
  legend.hidden = marks.length === 0;
  put(
    legend,
    marks.map(({ label }, index) =>
      h(
        'li',
        null,
        h('span', { class: 'dot', style: `background:${colourOf(index)}` }),
        h('span', { class: 'legend-label' }, label),
        h('strong', null, t('days', { n: here.filter(([, text]) => text === label).length })),
      ),
    ),
  );
  const again = focused && sheet.querySelector(`[data-day="${focused}"]`);
  if (again instanceof HTMLElement) again.focus();
}

onKeys({ ArrowLeft: () => turn(-1), ArrowRight: () => turn(1), t: goToday, undo });
entries.subscribe(draw);
