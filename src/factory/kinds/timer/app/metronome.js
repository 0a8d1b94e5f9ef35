import { app } from '../../shared/app/lib/app.js';
import { h, icon, newId, put } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { createStore } from '../../shared/app/lib/store.js';

/** How far ahead clicks are set, and how often that is looked after: timers of a page are late, the sound's clock is not. */
const [ahead, every] = [0.25, 60];

/** In the background, a page is woken about once a second. */
const farAhead = 1.5;

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

/**
 * Steady clicks. They are set a little ahead by the clock of the sound, so that a page that is busy does not make them
 * stumble; a change of tempo holds from the next click that is not set yet.
 * @param settings gives `{beats, bar}`: beats a minute, and how many make a bar
 * @param onbeat is told the place in the bar at each click, for the eye
 */
function clicker(settings, onbeat) {
  let audio = null;
  let timer = 0;
  let next = 0;
  let beat = 0;

  const now = () => audio?.currentTime ?? performance.now() / 1000;

  function look() {
    while (next < now() + (document.hidden ? farAhead : ahead)) {
      // After a sleep of the device nothing is made up for.
      if (next < now() - 1) next = now();
      const place = beat % settings().bar;
      if (audio) click(audio, next, place === 0);
      const wait = Math.max((next - now()) * 1000, 0);
      setTimeout(() => timer && onbeat(place), wait);
      next += 60 / settings().beats;
      beat = place + 1;
    }
  }

  return {
    running: () => timer !== 0,
    start() {
      try {
        audio ??= new AudioContext();
        audio.resume();
      } catch {
        audio = null;
      }
      beat = 0;
      next = now() + 0.06;
      timer = setInterval(look, every);
      look();
    },
    stop() {
      clearInterval(timer);
      timer = 0;
      audio?.suspend();
    },
  };
}

/** A short click, higher on the first beat of a bar. */
function click(audio, at, first) {
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.4, at);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.05);
  const tone = audio.createOscillator();
  tone.frequency.value = first ? 1500 : 1000;
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.06);
}
