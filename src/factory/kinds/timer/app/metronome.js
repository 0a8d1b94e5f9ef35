import { app } from '../../shared/app/lib/app.js';
import { h, icon, newId, put } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { createStore } from '../../shared/app/lib/store.js';
import { clicker } from './clicker.js';

const [slowest, fastest] = [20, 300];
const store = createStore('metronome', app.settings);

const main = mountShell();
const figure = h('output', { class: 'clock', 'aria-live': 'polite' });
const toggleButton = h('button', {
  type: 'button',
  class: 'button primary large',
  title: t('shortcut', { key: t('spaceKey') }),
  onclick: toggle,
});
const lights = h('ol', { class: 'lights', 'aria-hidden': 'true' });
const rangeId = newId('beats');
const range = h('input', {
  id: rangeId,
  type: 'range',
  min: slowest,
  max: fastest,
  step: 1,
  value: store.get().beats,
  oninput: () => setBeats(Number(range.value)),
});
const barId = newId('bar');
const bar = h('input', {
  id: barId,
  type: 'number',
  min: 1,
  max: 12,
  step: 1,
  inputmode: 'numeric',
  value: store.get().bar,
  onchange: () => {
    const size = Math.min(Math.max(Math.round(bar.valueAsNumber) || 1, 1), 12);
    bar.value = String(size);
    store.set({ ...store.get(), bar: size });
  },
});
const step = (by, name) =>
  h(
    'button',
    {
      type: 'button',
      class: 'button large',
      'aria-label': t(name),
      onclick: () => setBeats(store.get().beats + by),
    },
    icon(by < 0 ? 'minus' : 'plus'),
  );
main.append(
  h(
    'section',
    { class: 'card timer' },
    figure,
    h('p', { class: 'muted' }, t('beatsPerMinute')),
    lights,
    h('div', { class: 'row center' }, step(-1, 'slower'), toggleButton, step(1, 'faster')),
    h(
      'div',
      { class: 'row center' },
      h('button', { type: 'button', class: 'button', onclick: tap }, t('tapTempo')),
    ),
    h('div', { class: 'field tempo' }, h('label', { for: rangeId }, t('beatsPerMinute')), range),
    h('div', { class: 'field tempo' }, h('label', { for: barId }, t('beatsInBar')), bar),
  ),
);

/** The lamps follow the sound; where there is no sound, they still beat. */
const clicks = clicker(
  () => store.get(),
  (beat) => {
    for (const [index, lamp] of [...lights.children].entries()) lamp.classList.toggle('on', index === beat);
  },
);

function setBeats(beats) {
  store.set({ ...store.get(), beats: Math.min(Math.max(Math.round(beats), slowest), fastest) });
}

function toggle() {
  if (clicks.running()) clicks.stop();
  else clicks.start();
  show();
}

/** Two to six taps give the tempo; a pause of two seconds begins anew. */
let taps = [];
function tap() {
  const now = performance.now();
  taps = [...(now - (taps.at(-1) ?? now) > 2000 ? [] : taps), now].slice(-6);
  if (taps.length > 1) setBeats((60_000 * (taps.length - 1)) / (now - taps[0]));
}

function show() {
  const running = clicks.running();
  put(toggleButton, icon(running ? 'pause' : 'play'), t(running ? 'pause' : 'start'));
  if (!running) for (const lamp of lights.children) lamp.classList.remove('on');
}

store.subscribe(({ beats, bar: size }) => {
  figure.textContent = String(beats);
  range.value = String(beats);
  if (lights.children.length !== size)
    put(
      lights,
      Array.from({ length: size }, (_, index) => h('li', { class: index === 0 ? 'first' : null })),
    );
});
onKeys({
  ' ': ({ target }) => {
    const control = target instanceof Element && target.closest('button, summary');
    if (control instanceof HTMLElement) control.click();
    else toggle();
  },
  ArrowUp: () => setBeats(store.get().beats + 1),
  ArrowDown: () => setBeats(store.get().beats - 1),
  t: tap,
});
show();
