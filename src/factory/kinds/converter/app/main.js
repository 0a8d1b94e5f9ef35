import { app } from '../../shared/app/lib/app.js';
import { h, iconButton, put } from '../../shared/app/lib/dom.js';
import { formatExact, locale, t } from '../../shared/app/lib/i18n.js';
import { hintFor, wrongNumber } from '../../shared/app/lib/limits.js';
import { mountShell } from '../../shared/app/lib/shell.js';
import { createStore } from '../../shared/app/lib/store.js';

/** Units by what they measure: the factor to the base unit, or functions to it and from it. */
const units = {
  length: {
    km: 1000,
    mi: 1609.344,
    m: 1,
    ft: 0.3048,
    cm: 0.01,
    inch: 0.0254,
    mm: 0.001,
    yd: 0.9144,
    nmi: 1852,
  },
  weight: { kg: 1, lb: 0.45359237, g: 0.001, oz: 0.028349523125, t: 1000, st: 6.35029318 },
  temperature: {
    celsius: [(value) => value, (base) => base],
    fahrenheit: [(value) => ((value - 32) * 5) / 9, (base) => (base * 9) / 5 + 32],
    kelvin: [(value) => value - 273.15, (base) => base + 273.15],
  },
  volume: {
    cup: 0.2365882365,
    ml: 0.001,
    l: 1,
    tbsp: 0.01478676478,
    tsp: 0.00492892159,
    floz: 0.0295735295625,
    pint: 0.473176473,
    gal: 3.785411784,
    m3: 1000,
  },
  speed: { kmh: 1 / 3.6, mph: 0.44704, ms: 1, kn: 0.514444444 },
  area: { m2: 1, ft2: 0.09290304, ha: 10000, acre: 4046.8564224, km2: 1000000, mi2: 2589988.110336 },
  data: { mb: 1e6, gb: 1e9, kb: 1e3, tb: 1e12, byte: 1, mib: 1048576, gib: 1073741824 },
  time: { min: 60, s: 1, h: 3600, day: 86400, week: 604800, year: 31557600 },
};

/** Rough rates to one euro, to start with. */
const currencies = {
  EUR: 1,
  USD: 1.1,
  GBP: 0.86,
  CHF: 0.95,
  JPY: 165,
  MXN: 20,
  CAD: 1.5,
  AUD: 1.65,
  PLN: 4.3,
  SEK: 11.3,
  INR: 93,
  BRL: 6,
};

const state = createStore('state', {
  group: app.variant,
  from: app.copy.from ?? '',
  to: app.copy.to ?? '',
  value: 1,
  rates: currencies,
});
const precise = new Intl.NumberFormat(locale, { maximumSignificantDigits: 7 });
const format = (value, unit) =>
  state.get().group === 'currency'
    ? new Intl.NumberFormat(locale, { style: 'currency', currency: unit }).format(value)
    : precise.format(value);

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
  return [first, names.includes(to) ? to : (names.find((name) => name !== first) ?? first)];
}

/** Nothing is shorter than nought or colder than the coldest; what somebody owes is less than nothing. */
function limitsOf(group, from) {
  if (group === 'currency') return {};
  if (group !== 'temperature') return { min: 0 };
  return { min: Number(convert(-273.15, units.temperature.celsius, from).toFixed(2)) };
}

const hints = {};
let shown = '';
function draw(current) {
  const all = unitsOf(current);
  const [from, to] = chosen(all);
  const view = JSON.stringify([current.group, from, to]);
  if (view !== shown) {
    shown = view;
    drawFrame(current, all, from, to);
  }
  const wrongValue = wrongNumber(current.value ?? Number.NaN, limitsOf(current.group, all[from]));
  const rate = /** @type {HTMLInputElement | null} */ (card.querySelector('.rate input'));
  const wrongRate = rate ? wrongNumber(rate.valueAsNumber, { above: 0 }) : '';
  hints.value.say(wrongValue);
  if (rate) hints.rate.say(wrongRate);
  const right = !wrongValue && !wrongRate;
  const result = (unit) => (right ? format(convert(current.value, all[from], all[unit]), unit) : '–');
  for (const output of card.querySelectorAll('output')) output.textContent = result(to);
  const rows = Object.keys(all).filter((unit) => unit !== from);
  put(
    table,
    h('h2', null, `${right ? formatExact(current.value) : '–'} ${nameOf(from)} =`),
    h(
      'dl',
      { class: 'conversions' },
      rows.map((unit) => h('div', null, h('dt', null, nameOf(unit)), h('dd', null, result(unit)))),
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
  const input = h('input', {
    id: 'value',
    type: 'number',
    min: limitsOf(current.group, all[from]).min,
    step: 'any',
    inputmode: 'decimal',
    class: 'big',
    'aria-label': t('value'),
    value: current.value,
    oninput: read,
  });
  hints.value = hintFor(input);
  put(
    card,
    h('div', { class: 'side-box' }, select('from', t('from'), from), input, hints.value.element),
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
    if (wrongNumber(rate, { above: 0 })) return draw(state.get());
    const { rates } = state.get();
    return change({ rates: { ...rates, [to]: rates[from] * rate } });
  };
  const input = h('input', {
    id: 'rate',
    type: 'number',
    min: 0,
    step: 'any',
    inputmode: 'decimal',
    value: Number((current.rates[to] / current.rates[from]).toPrecision(8)),
    oninput: read,
  });
  hints.rate = hintFor(input);
  return h(
    'div',
    { class: 'field rate' },
    h('label', { class: 'label', for: 'rate' }, t('rate', { from, to })),
    input,
    hints.rate.element,
    h('p', { class: 'muted small' }, t('rateNote')),
  );
}

state.subscribe(draw);
