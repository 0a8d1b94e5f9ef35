import { firstItems } from '../../shared/app/lib/app.js';
import { shadeClass } from '../../shared/app/lib/colours.js';
import { openDialog, toast } from '../../shared/app/lib/dialog.js';
import { focusIn, h, icon, iconButton, put, textIn } from '../../shared/app/lib/dom.js';
import { download, toCsv } from '../../shared/app/lib/files.js';
import { dayFromNow, formatDay, formatSpan, locale, t } from '../../shared/app/lib/i18n.js';
import { emptyState, mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { createStore, newEntryId } from '../../shared/app/lib/store.js';

/** A habit is `{id, name, days}`; `days` holds the days on which it was kept. */
const store = createStore(
  'habits',
  firstItems().map(({ title: name }, index) => ({
    id: `seed${index}`,
    name,
    days: /** @type {string[]} */ ([]),
  })),
);
let week = 0;

const undo = () => toast(store.undo() ? t('undone') : t('nothingToUndo'));
const exportCsv = () => {
  const rows = store.get().flatMap((habit) => [...habit.days].sort().map((day) => [habit.name, day]));
  download('habits.csv', toCsv([[t('habit'), t('day')], ...rows]), 'text/csv');
};
const main = mountShell({
  actions: [
    { icon: 'undo', label: t('undo'), onclick: undo },
    { icon: 'download', label: t('exportCsv'), onclick: exportCsv },
    { icon: 'print', label: t('print'), onclick: () => print() },
  ],
});
const stats = h('div');
const grid = h('div', { class: 'card habit-card' });
const span = h('strong', { class: 'week-span', 'aria-live': 'polite' });
const later = iconButton('right', t('nextWeek'), () => turn(1));
main.append(
  stats,
  h(
    'div',
    { class: 'toolbar' },
    h(
      'div',
      { class: 'week' },
      iconButton('left', t('previousWeek'), () => turn(-1)),
      span,
      later,
    ),
    h('span', { class: 'spring' }),
    h(
      'button',
      {
        type: 'button',
        class: 'button primary',
        title: t('shortcut', { key: 'N' }),
        onclick: () => edit(null),
      },
      icon('plus'),
      t('addHabit'),
    ),
  ),
  grid,
);

function turn(step) {
  week = Math.min(week + step, 0);
  draw();
}

const weekDays = () => Array.from({ length: 7 }, (_, index) => dayFromNow(week * 7 - 6 + index));
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });

/** Days in a row up to today, or up to yesterday while today is still open. */
function streakOf({ days }) {
  let ago = days.includes(dayFromNow()) ? 0 : 1;
  const start = ago;
  while (days.includes(dayFromNow(-ago))) ago++;
  return ago - start;
}

function tick(habit, day) {
  const days = habit.days.includes(day) ? habit.days.filter((other) => other !== day) : [...habit.days, day];
  store.set(store.get().map((other) => (other.id === habit.id ? { ...habit, days } : other)));
  focusIn(grid, `[data-habit="${habit.id}"] [data-day="${day}"]`);
}

function edit(habit) {
  const id = 'habit-name';
  const save = (form) => {
    const name = textIn(form, 'name');
    if (!name) return false;
    const habits = store.get();
    store.set(
      habit
        ? habits.map((other) => (other.id === habit.id ? { ...habit, name } : other))
        : [...habits, { id: newEntryId(), name, days: [] }],
    );
    return true;
  };
  openDialog({
    title: habit ? t('editHabit') : t('addHabit'),
    body: h(
      'div',
      { class: 'field' },
      h('label', { for: id }, t('habitName')),
      h('input', {
        id,
        name: 'name',
        type: 'text',
        required: true,
        maxlength: 80,
        autocomplete: 'off',
        value: habit?.name ?? '',
      }),
    ),
    actions: habit ? [{ label: t('delete'), danger: true, onclick: () => remove(habit) }] : [],
    onsave: save,
  });
}

function remove(habit) {
  store.set(store.get().filter((other) => other.id !== habit.id));
  toast(t('deleted', { name: habit.name }), () => store.undo());
}

function draw() {
  const habits = store.get();
  const days = weekDays();
  const today = dayFromNow();
  span.textContent = formatSpan(days[0], days[6]);
  later.disabled = week === 0;
  const kept = habits.reduce((sum, habit) => sum + days.filter((day) => habit.days.includes(day)).length, 0);
  const tiles = [
    [
      t('today'),
      t('ofAll', { part: habits.filter((habit) => habit.days.includes(today)).length, all: habits.length }),
    ],
    [t('thisWeek'), `${Math.round((100 * kept) / (habits.length * 7 || 1))} %`],
    [t('bestStreak'), t('days', { n: Math.max(0, ...habits.map(streakOf)) })],
  ];
  put(
    stats,
    h(
      'dl',
      { class: 'stats' },
      tiles.map(([label, value]) => h('div', { class: 'stat' }, h('dt', null, label), h('dd', null, value))),
    ),
  );
  if (habits.length === 0) return put(grid, emptyState(t('noHabits'), t('noHabitsText')));
  put(
    grid,
    h(
      'table',
      null,
      h('caption', { class: 'sr-only' }, t('habits')),
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          h('th', { scope: 'col' }, t('habit')),
          days.map((day) =>
            h(
              'th',
              { scope: 'col', class: day === today ? 'now' : null },
              h('span', null, weekday.format(new Date(`${day}T00:00:00Z`))),
              h('b', null, String(Number(day.slice(8)))),
            ),
          ),
          h('th', { scope: 'col' }, t('streak')),
        ),
      ),
      h(
        'tbody',
        null,
        habits.map((habit, index) => rowOf(habit, index, days)),
      ),
    ),
  );
  return undefined;
}

function rowOf(habit, index, days) {
  const streak = streakOf(habit);
  const cells = days.map((day) => {
    const kept = habit.days.includes(day);
    return h(
      'td',
      null,
      h(
        'button',
        {
          type: 'button',
          class: 'tick',
          'data-day': day,
          'aria-pressed': String(kept),
          'aria-label': `${habit.name}, ${formatDay(day)}`,
          onclick: () => tick(habit, day),
        },
        kept && icon('check'),
      ),
    );
  });
  return h(
    'tr',
    { class: shadeClass(index), 'data-habit': habit.id },
    h(
      'th',
      { scope: 'row' },
      h('button', { type: 'button', class: 'open', onclick: () => edit(habit) }, habit.name),
    ),
    cells,
    h('td', { class: streak > 1 ? 'streak hot' : 'streak' }, icon('flame'), String(streak)),
  );
}

onKeys({ n: () => edit(null), ArrowLeft: () => turn(-1), ArrowRight: () => turn(1), undo });
store.subscribe(draw);
