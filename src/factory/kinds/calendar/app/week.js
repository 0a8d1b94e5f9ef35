import { h, iconButton, put } from '../../shared/app/lib/dom.js';
import { dayFromNow, formatSpan, t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { dayAfter, shortDay, weekOf, wholeDay } from './days.js';
import { colourOf, edit, entries, markOf, menu, rows, undo } from './entries.js';

const today = dayFromNow();
let first = weekOf(today);

const main = mountShell({ actions: menu, wide: true });
const span = h('strong', { class: 'span', 'aria-live': 'polite' });
const sheet = h('div', { class: 'card sheet' });
main.append(
  h(
    'div',
    { class: 'toolbar' },
    iconButton('left', t('previousWeek'), () => turn(-7)),
    span,
    iconButton('right', t('nextWeek'), () => turn(7)),
    h('span', { class: 'spring' }),
    h('button', { type: 'button', class: 'button', onclick: goToday }, t('today')),
  ),
  sheet,
);

function turn(days) {
  first = dayAfter(first, days);
  draw();
}

function goToday() {
  first = weekOf(today);
  draw();
}

function cell(row, day) {
  const key = `${row}/${day}`;
  const text = entries.get()[key] ?? '';
  const index = markOf(text);
  return h(
    'td',
    { class: day === today ? 'now' : null },
    h('span', { class: 'day-name', 'aria-hidden': 'true' }, shortDay(day)),
    h(
      'button',
      {
        type: 'button',
        class: 'slot',
        'data-day': key,
        'aria-label': text ? `${row}, ${wholeDay(day)}: ${text}` : `${row}, ${wholeDay(day)}`,
        onclick: () => edit(key, `${row}, ${wholeDay(day)}`),
      },
      index >= 0 && h('span', { class: 'dot', style: `background:${colourOf(index)}` }),
      h('span', { class: 'entry' }, text || '+'),
    ),
  );
}

function draw() {
  const focused = document.activeElement?.getAttribute('data-day');
  const days = Array.from({ length: 7 }, (_, index) => dayAfter(first, index));
  span.textContent = formatSpan(days[0], days[6]);
  put(
    sheet,
    h(
      'table',
      { class: 'week-grid' },
      h('caption', { class: 'sr-only' }, formatSpan(days[0], days[6])),
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          h('td', null),
          days.map((day) => h('th', { scope: 'col', class: day === today ? 'now' : null }, shortDay(day))),
        ),
      ),
      h(
        'tbody',
        null,
        rows.map((row) =>
          h(
            'tr',
            null,
            h('th', { scope: 'row' }, row),
            days.map((day) => cell(row, day)),
          ),
        ),
      ),
    ),
  );
  const again = focused && sheet.querySelector(`[data-day="${CSS.escape(focused)}"]`);
  if (again instanceof HTMLElement) again.focus();
}

onKeys({ ArrowLeft: () => turn(-7), ArrowRight: () => turn(7), t: goToday, undo });
entries.subscribe(draw);
