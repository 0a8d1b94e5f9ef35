import { app } from '../../shared/app/lib/app.js';
import { columns, line, sharesOf } from '../../shared/app/lib/charts.js';
import { optionShade } from '../../shared/app/lib/colours.js';
import { h } from '../../shared/app/lib/dom.js';
import {
  dayFromNow,
  formatDay,
  formatMoney,
  formatMonth,
  formatNumber,
  t,
} from '../../shared/app/lib/i18n.js';

const { fields, plural } = app.entity;
const byType = (type) => fields.find((field) => field.type === type);
const doneField = fields.find((field) => field.key === app.done);
const amount = byType('currency') ?? byType('number');
const format = (value) => (amount?.type === 'currency' ? formatMoney(value) : formatNumber(value));
const sum = (rows, field) => rows.reduce((total, row) => total + (Number(row[field.key]) || 0), 0);

/** The figures above the list. They count what is shown, so a filter answers a question. */
export function statTiles(rows) {
  /** @type {[label: string, value: string, alert?: boolean][]} */
  const tiles = [[plural, formatNumber(rows.length)]];
  if (app.features.includes('totals')) {
    const counted = fields.filter(
      (field) => (field.type === 'currency' || field.type === 'number') && field.total !== 'none',
    );
    for (const field of counted.slice(0, 2)) {
      const show = field.type === 'currency' ? formatMoney : formatNumber;
      const add =
        field.total === 'average'
          ? ['average', sum(rows, field) / (rows.filter((row) => row[field.key] !== null).length || 1)]
          : ['total', sum(rows, field)];
      tiles.push([`${field.label}, ${t(add[0])}`, show(add[1])]);
    }
  }
  const rating = byType('rating');
  const rated = rating ? rows.filter((row) => row[rating.key]) : [];
  if (rating && rated.length > 0)
    tiles.push([`${rating.label}, ${t('average')}`, `${formatNumber(sum(rated, rating) / rated.length)} ★`]);
  if (doneField && rows.length > 0) {
    const done = rows.filter((row) => row[doneField.key]).length;
    tiles.push([doneField.label, t('ofAll', { part: done, all: rows.length })]);
  }
  const due = fields.find((field) => field.key === app.due);
  if (due) {
    const late = rows.filter(
      (row) => row[due.key] && row[due.key] < dayFromNow() && !(doneField && row[doneField.key]),
    ).length;
    tiles.push([t('overdue'), formatNumber(late), late > 0]);
  }
  return h(
    'dl',
    { class: fitInOneRow(tiles) ? 'stats three' : 'stats' },
    tiles
      .slice(0, 4)
      .map(([label, value, alert]) =>
        h('div', { class: alert ? 'stat alert' : 'stat' }, h('dt', null, label), h('dd', null, value)),
      ),
  );
}

/** Whether the figures stand side by side on a phone, so that the list itself begins on the first screen. */
const fitInOneRow = (tiles) =>
  app.variant === 'checklist' && tiles.length === 3 && tiles.every(([, value]) => value.length < 10);

/** What begins with a date is measured from day to day: its number is drawn for each day. */
const isLog = fields[0].type === 'date' && amount !== undefined;

/** The sum or the average of the last thirty days that have an entry. */
function overTime(rows, date) {
  if (!amount) return [];
  const days = [...new Set(rows.map((row) => row[date.key]).filter(Boolean))].sort().slice(-30);
  return days.map((day) => {
    const values = rows.filter((row) => row[date.key] === day && typeof row[amount.key] === 'number');
    const total = sum(values, amount);
    return {
      label: formatDay(day),
      value: amount.total === 'average' ? total / (values.length || 1) : total,
    };
  });
}

/** Sums by kind and by month, as far as the entries have such fields. */
export function chartPanel(rows) {
  const group = fields.find((field) => field.type === 'select');
  const date = byType('date');
  const measured = amount && (amount.total ?? 'sum') === 'sum';
  const measure = (part) => (measured ? sum(part, amount) : part.length);
  const show = measured ? format : formatNumber;
  const what = measured ? amount.label : plural;
  const panels = [];
  if (group) {
    const data = [...group.options, null]
      .map((option) => ({
        label: option ?? t('none'),
        value: measure(rows.filter((row) => (row[group.key] ?? null) === option)),
        colour: optionShade(group, option),
      }))
      .filter((entry) => entry.value > 0)
      .sort((a, b) => b.value - a.value);
    const title = t('perField', { what, field: group.label });
    if (data.length > 0) panels.push([title, sharesOf(data, show, title)]);
  }
  if (isLog) {
    const data = overTime(rows, date);
    const title = t('byDay', { what: amount.label });
    const draw = amount.total === 'average' ? line : columns;
    if (data.length > 1) panels.push([title, draw(data, format, title, true)]);
  } else if (date) {
    const months = [...new Set(rows.map((row) => row[date.key]?.slice(0, 7)).filter(Boolean))]
      .sort()
      .slice(-12);
    const data = months.map((month) => ({
      label: formatMonth(month),
      value: measure(rows.filter((row) => row[date.key]?.startsWith(month))),
    }));
    const title = t('perMonth', { what });
    if (data.length > 1) panels.push([title, columns(data, show, title)]);
  }
  if (panels.length === 0) return null;
  return h(
    'div',
    { class: 'panels' },
    panels.map(([title, chart]) => h('section', { class: 'card panel' }, h('h2', null, title), chart)),
  );
}
