import { app } from '../lib/app.js';
import { h, iconButton, put } from '../lib/dom.js';
import { formatNumber, locale, t } from '../lib/i18n.js';
import { mountShell } from '../lib/shell.js';
import { createStore } from '../lib/store.js';
import { currencies, units } from './units.js';

const state = createStore('state', {
  group: app.variant,
  from: app.from ?? '',
  to: app.to ?? '',
  value: 1,
  rates: currencies,
});
const precise = new Intl.NumberFormat(locale, { maximumSignificantDigits: 7 });

const main = mountShell();
const groups = h('div', { class: 'segments' });
const card = h('section', { class: 'card converter' });
const table = h('section', { class: 'card' });
main.append(groups, card, table);

/** A unit is a factor to the base unit, or a pair of functions to it and from it. */
function convert(value, from, to) {
  const base = typeof from === 'number' ? value * from : from[0](value);
  return typeof to === 'number' ? base / to : to[1](base);
}

const unitsOf = ({ group, rates }) =>
  group === 'currency'
    ? Object.fromEntries(Object.entries(rates).map(([code, rate]) => [code, 1 / rate]))
    : units[group];
const nameOf = (unit) =>
  state.get().group === 'currency'
    ? (new Intl.DisplayNames(locale, { type: 'currency' }).of(unit) ?? unit)
    : t(`unit_${unit}`);
const change = (part) => state.set({ ...state.get(), ...part });

function chosen(all) {
  const names = Object.keys(all);
  const { from, to } = state.get();
  const first = names.includes(from) ? from : names[0];
  return [first, names.includes(to) ? to : names.find((name) => name !== first)];
}

let shown = '';
function draw(current) {
  const all = unitsOf(current);
  const [from, to] = chosen(all);
  const view = JSON.stringify([current.group, from, to]);
  if (view !== shown) {
    shown = view;
    drawFrame(current, all, from, to);
  }
  const result = Number.isFinite(current.value) ? convert(current.value, all[from], all[to]) : Number.NaN;
  card.querySelector('output').textContent = Number.isFinite(result) ? precise.format(result) : '–';
  const rows = Object.entries(all).filter(([unit]) => unit !== from);
  put(
    table,
    h('h2', null, `${Number.isFinite(current.value) ? formatNumber(current.value) : '–'} ${nameOf(from)} =`),
    h(
      'dl',
      { class: 'conversions' },
      rows.map(([unit, factor]) =>
        h(
          'div',
          null,
          h('dt', null, nameOf(unit)),
          h(
            'dd',
            null,
            Number.isFinite(current.value) ? precise.format(convert(current.value, all[from], factor)) : '–',
          ),
        ),
      ),
    ),
  );
}

function drawFrame(current, all, from, to) {
  put(
    groups,
    [...Object.keys(units), 'currency'].map((group) =>
      h(
        'button',
        {
          type: 'button',
          'aria-pressed': String(group === current.group),
          onclick: () => change({ group, from: '', to: '' }),
        },
        t(`group_${group}`),
      ),
    ),
  );
  const select = (name, label, value) => {
    const pick = (event) => change({ from, to, [name]: event.currentTarget.value });
    return h(
      'select',
      { 'aria-label': label, onchange: pick },
      Object.keys(all).map((unit) => h('option', { value: unit, selected: unit === value }, nameOf(unit))),
    );
  };
  const read = (event) => change({ value: event.currentTarget.valueAsNumber });
  put(
    card,
    h(
      'div',
      { class: 'side-box' },
      select('from', t('from'), from),
      h('input', {
        type: 'number',
        step: 'any',
        inputmode: 'decimal',
        class: 'big',
        'aria-label': t('value'),
        value: current.value,
        oninput: read,
      }),
    ),
    iconButton('swap', t('swap'), () => change({ from: to, to: from }), { class: 'icon-button swap' }),
    h(
      'div',
      { class: 'side-box' },
      select('to', t('to'), to),
      h('output', { class: 'big', 'aria-live': 'polite' }),
    ),
    current.group === 'currency' && rateField(current, from, to),
  );
}

/** No rate is fetched: the page never talks to anybody, so the visitor writes the rate of the day. */
function rateField(current, from, to) {
  const read = (event) => {
    const rate = event.currentTarget.valueAsNumber;
    if (rate > 0)
      change({ rates: { ...current.rates, ...state.get().rates, [to]: state.get().rates[from] * rate } });
  };
  return h(
    'label',
    { class: 'field rate' },
    h('span', { class: 'label' }, t('rate', { from, to })),
    h('input', {
      type: 'number',
      min: 0,
      step: 'any',
      inputmode: 'decimal',
      value: Number((current.rates[to] / current.rates[from]).toPrecision(6)),
      oninput: read,
    }),
    h('span', { class: 'muted small' }, t('rateNote')),
  );
}

state.subscribe(draw);
