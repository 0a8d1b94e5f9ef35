import { app } from '../../shared/app/lib/app.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { h, icon, put } from '../../shared/app/lib/dom.js';
import { dayFromNow, formatExact, formatMoney, formatNumber, t } from '../../shared/app/lib/i18n.js';
import { hintFor, wrongDay, wrongNumber } from '../../shared/app/lib/limits.js';
import { mountShell } from '../../shared/app/lib/shell.js';
import { createStore, newEntryId } from '../../shared/app/lib/store.js';
import { formula } from './formula.js';

/** What is typed stays, and results can be kept beside each other. */
const start = Object.fromEntries(formula.inputs.map((input) => [input.key, input.start]));
const inputs = createStore('inputs', { ...start, ...app.settings });
const kept = createStore('kept', /** @type {{ id: string, result: string, told: string }[]} */ ([]));

const formats = {
  money: formatMoney,
  number: formatNumber,
  percent: (value) => `${formatNumber(value)} %`,
  years: (value) => t('years', { n: value }),
  days: (value) => t('days', { n: value }),
  text: (value) => t(value),
};

const main = mountShell({
  actions: [
    { icon: 'reset', label: t('startAgain'), onclick: () => inputs.set(start) },
    { icon: 'print', label: t('print'), onclick: () => print() },
  ],
});
const hints = {};
const form = h(
  'form',
  { class: 'card calc-form', novalidate: true, onsubmit: (event) => event.preventDefault() },
  formula.inputs.map(control),
);
const result = h('section', { class: 'card calc-result', 'aria-live': 'polite' });
const list = h('div');
main.append(h('div', { class: 'calc' }, form, result), list);

function control(input) {
  const id = `in-${input.key}`;
  const label = h(
    'label',
    { for: id },
    t(input.label),
    input.unit && h('span', { class: 'muted' }, ` (${input.unit === 'money' ? app.currency : input.unit})`),
  );
  const set = (value) => inputs.set({ ...inputs.get(), [input.key]: value });
  if (input.options) {
    const choose = (event) => set(event.currentTarget.value);
    const options = input.options.map((option) =>
      h('option', { value: option, selected: inputs.get()[input.key] === option }, t(option)),
    );
    return h(
      'div',
      { class: 'field' },
      label,
      h('select', { id, 'data-key': input.key, onchange: choose }, options),
    );
  }
  const type = input.type ?? 'number';
  const read = (event) =>
    set(type === 'date' ? event.currentTarget.value : event.currentTarget.valueAsNumber);
  const field = h('input', {
    id,
    type,
    'data-key': input.key,
    min: input.min,
    max: type === 'date' ? dayFromNow() : input.max,
    step: type === 'date' ? null : (input.step ?? 'any'),
    inputmode: type === 'number' ? 'decimal' : null,
    value: inputs.get()[input.key],
    oninput: read,
  });
  const slider =
    input.slider &&
    h('input', {
      type: 'range',
      'data-key': input.key,
      'aria-label': t(input.label),
      min: input.slider[0],
      max: input.slider[1],
      step: input.slider[2],
      value: inputs.get()[input.key],
      oninput: read,
    });
  hints[input.key] = hintFor(field);
  return h('div', { class: 'field' }, label, field, slider, hints[input.key].element);
}

/** What is wrong with a value; a choice is always right. */
function wrong(input, value) {
  if (input.options) return '';
  return input.type === 'date' ? wrongDay(value, input) : wrongNumber(value ?? Number.NaN, input);
}

function draw(values) {
  for (const element of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('[data-key]'))) {
    const value = values[element.dataset.key ?? ''];
    if (element !== document.activeElement && String(value) !== element.value && !Number.isNaN(value))
      element.value = value;
  }
  const faults = formula.inputs.filter((input) => {
    const message = wrong(input, values[input.key]);
    hints[input.key]?.say(message);
    return message !== '';
  });
  if (faults.length > 0) {
    const empty = faults.every(({ key }) => !values[key] && values[key] !== 0);
    put(result, h('p', null, t(empty ? 'fillIn' : 'checkFields')));
    return;
  }
  const lines = formula.compute(values);
  const [main, ...others] = lines;
  const show = (line) => formats[line.format](line.value);
  put(
    result,
    h('p', { class: 'label' }, t(main.label)),
    h('p', { class: 'figure' }, show(main)),
    main.note && h('p', { class: `chip ${main.tone ?? ''}` }, t(main.note)),
    scaleOf(main),
    h(
      'dl',
      { class: 'lines' },
      others.map((line) => h('div', null, h('dt', null, t(line.label)), h('dd', null, show(line)))),
    ),
    h(
      'button',
      { type: 'button', class: 'button', onclick: () => keep(lines, values) },
      icon('plus'),
      t('keepResult'),
    ),
  );
}

/** A scale with a mark, for a result that has good and bad ranges. */
function scaleOf(line) {
  if (!line.scale) return null;
  const [low, high, ...bounds] = line.scale;
  const at = (value) => `${Math.min(Math.max((100 * (value - low)) / (high - low), 0), 100)}%`;
  const parts = [low, ...bounds].map((from, index) =>
    h('span', {
      class: `part p${index}`,
      style: `left:${at(from)};right:calc(100% - ${at(bounds[index] ?? high)})`,
    }),
  );
  return h(
    'div',
    { class: 'scale', 'aria-hidden': 'true' },
    parts,
    h('span', { class: 'needle', style: `left:${at(line.value)}` }),
  );
}

function keep(lines, values) {
  const told = formula.inputs
    .map(
      (input) =>
        `${t(input.label)}: ${input.options ? t(values[input.key]) : input.type === 'date' ? values[input.key] : formatExact(values[input.key])}`,
    )
    .join(' · ');
  kept.set(
    [{ id: newEntryId(), result: formats[lines[0].format](lines[0].value), told }, ...kept.get()].slice(
      0,
      20,
    ),
  );
}

const drop = (entry) => {
  kept.set(kept.get().filter((other) => other.id !== entry.id));
  toast(t('deleted', { name: entry.result }), () => kept.undo());
};

inputs.subscribe(draw);
kept.subscribe((entries) => {
  const rows = entries.map((entry) =>
    h(
      'li',
      null,
      h('strong', null, entry.result),
      h('span', { class: 'muted small' }, entry.told),
      h(
        'button',
        {
          type: 'button',
          class: 'icon-button',
          'aria-label': `${t('delete')}: ${entry.result}`,
          onclick: () => drop(entry),
        },
        icon('trash'),
      ),
    ),
  );
  put(
    list,
    entries.length > 0 &&
      h('section', { class: 'card kept' }, h('h2', null, t('keptResults')), h('ul', null, rows)),
  );
});
