import { app } from '../../shared/app/lib/app.js';
import { openDialog, toast } from '../../shared/app/lib/dialog.js';
import { h, icon, newId, put, s } from '../../shared/app/lib/dom.js';
import { dayFromNow, t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { createStore } from '../../shared/app/lib/store.js';
import { ringBell, setBell, stopBell, wakeBell } from './bell.js';

const settings = createStore('settings', app.settings);
const log = createStore('log', /** @type {{ day: string, minutes: number }[]} */ ([]));
const countsUp = app.variant === 'stopwatch';

/** The phases to go through and how far we are. Time is measured by the clock, so a sleeping tab stays right. */
let phases = planOf(app.variant, settings.get());
let at = 0;
let left = phases[0].seconds * 1000;
let startedAt = null;
let laps = [];
let tick = 0;

const main = mountShell({
  actions: [
    { icon: 'trash', label: t('clearHistory'), onclick: () => log.set([]) },
    { icon: 'undo', label: t('undo'), onclick: () => log.undo() },
  ],
});
const length = 2 * Math.PI * 90;
const ring = s('circle', { class: 'ring', cx: 100, cy: 100, r: 90, 'stroke-dasharray': length });
const clock = h('p', { class: countsUp ? 'clock long' : 'clock', role: 'timer' });
const phaseName = h('p', { class: 'phase', 'aria-live': 'assertive' });
const toggleButton = h('button', { type: 'button', class: 'button primary large', onclick: toggle });
const steps = h('ol', { class: 'phases' });
const lapList = h('ol', { class: 'laps', reversed: true });
const lapButton = countsUp
  ? h('button', { type: 'button', class: 'button large', onclick: lap }, icon('flag'), t('lap'))
  : h(
      'button',
      { type: 'button', class: 'button large', onclick: () => advance(false) },
      icon('skip'),
      t('skipPhase'),
    );
const stats = h('div');
main.append(
  h(
    'section',
    { class: 'card timer' },
    h(
      'div',
      { class: 'dial' },
      s(
        'svg',
        { viewBox: '0 0 200 200', 'aria-hidden': 'true' },
        s('circle', { class: 'track', cx: 100, cy: 100, r: 90 }),
        ring,
      ),
      h('div', { class: 'face' }, phaseName, clock),
    ),
    h(
      'div',
      { class: 'row center' },
      toggleButton,
      lapButton,
      h('button', { type: 'button', class: 'button large', onclick: reset }, icon('reset'), t('reset')),
    ),
    !countsUp && quickSettings(),
    steps,
    countsUp && lapList,
  ),
  stats,
);

const elapsed = () => (startedAt === null ? 0 : Date.now() - startedAt);
const shownTime = () => (countsUp ? left + elapsed() : Math.max(left - elapsed(), 0));

function toggle() {
  if (startedAt === null) {
    startedAt = Date.now();
    tick = setInterval(draw, countsUp ? 33 : 200);
    wakeBell();
    announceEnd();
  } else {
    left = shownTime();
    startedAt = null;
    clearInterval(tick);
    stopBell();
  }
  drawFrame();
}

function reset() {
  clearInterval(tick);
  stopBell();
  startedAt = null;
  phases = planOf(app.variant, settings.get());
  at = 0;
  laps = [];
  left = phases[0].seconds * 1000;
  drawFrame();
}

/** Goes to the next phase; after the last one it stops, only the pomodoro starts again. */
function advance(finished) {
  const phase = phases[at];
  if (!finished) stopBell();
  else {
    ringBell();
    if (at === phases.length - 1) toast(t('timeUp'));
    if (phase.counts)
      log.set([...log.get(), { day: dayFromNow(), minutes: Math.round(phase.seconds / 6) / 10 }].slice(-500));
  }
  at = (at + 1) % phases.length;
  left = phases[at].seconds * 1000;
  const goesOn = startedAt !== null && (at > 0 || app.variant === 'pomodoro');
  startedAt = goesOn ? Date.now() : null;
  if (!goesOn) clearInterval(tick);
  else announceEnd();
  drawFrame();
}

/** The bell is set for the end of the phase: three strokes after the last one, else one. */
function announceEnd() {
  if (!countsUp) setBell(left, at === phases.length - 1 ? 3 : 1);
}

function lap() {
  if (shownTime() === 0) return;
  laps = [shownTime(), ...laps];
  drawFrame();
}

function draw() {
  if (!countsUp && startedAt !== null && shownTime() === 0) return advance(true);
  const now = shownTime();
  clock.textContent = countsUp ? withHundredths(now) : clockText(Math.ceil(now / 1000));
  const whole = phases[at].seconds * 1000;
  const share = countsUp ? (now % 60000) / 60000 : whole ? now / whole : 0;
  ring.setAttribute('stroke-dashoffset', String(length * (1 - share)));
  document.title =
    startedAt === null
      ? app.name
      : `${clockText(Math[countsUp ? 'floor' : 'ceil'](now / 1000))} – ${app.name}`;
  return undefined;
}

function drawFrame() {
  const running = startedAt !== null;
  const begun = running || at > 0 || left !== phases[0].seconds * 1000;
  put(toggleButton, icon(running ? 'pause' : 'play'), t(running ? 'pause' : begun ? 'continue' : 'start'));
  phaseName.textContent = countsUp ? '' : t(phases[at].name);
  phaseName.dataset.kind = phases[at].name;
  put(
    steps,
    phases.length > 1 &&
      phases.map((phase, index) =>
        h(
          'li',
          {
            class: index === at ? `now ${phase.name}` : phase.name,
            'aria-current': index === at ? 'step' : null,
          },
          h('span', { class: 'sr-only' }, `${t(phase.name)} ${clockText(phase.seconds)}`),
        ),
      ),
  );
  put(
    lapList,
    laps.map((time, index) =>
      h(
        'li',
        null,
        h('span', { class: 'muted' }, t('lapNumber', { number: laps.length - index })),
        h('span', null, withHundredths(time - (laps[index + 1] ?? 0))),
        h('strong', null, withHundredths(time)),
      ),
    ),
  );
  draw();
}

const pad = (value) => String(value).padStart(2, '0');
function clockText(seconds) {
  const hours = Math.floor(seconds / 3600);
  const rest = `${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
const withHundredths = (time) => `${clockText(Math.floor(time / 1000))}.${pad(Math.floor(time / 10) % 100)}`;

/** Lengths to choose from with one click, and all settings behind a button. */
function quickSettings() {
  const key = { pomodoro: 'work', countdown: 'minutes' }[app.variant];
  const choose = (minutes) => {
    settings.set({ ...settings.get(), [key]: minutes });
    reset();
  };
  const presets = key ? (app.variant === 'pomodoro' ? [15, 25, 50] : [1, 3, 5, 10, 30]) : [];
  return h(
    'div',
    { class: 'row center' },
    presets.map((minutes) =>
      h(
        'button',
        { type: 'button', class: 'button', onclick: () => choose(minutes) },
        t('minutesShort', { minutes }),
      ),
    ),
    h('button', { type: 'button', class: 'button', onclick: openSettings }, icon('edit'), t('settings')),
  );
}

function openSettings() {
  const fields = Object.entries(settings.get()).map(([key, value]) => {
    const id = newId('setting');
    return h(
      'div',
      { class: 'field' },
      h('label', { for: id }, t(`setting_${key}`)),
      h('input', {
        id,
        name: key,
        type: 'number',
        min: key === 'minutes' ? 0.1 : 1,
        max: 1440,
        step: key === 'minutes' ? 'any' : 1,
        required: true,
        value,
      }),
    );
  });
  const save = (form) => {
    settings.set(Object.fromEntries([...new FormData(form)].map(([key, value]) => [key, Number(value)])));
    reset();
  };
  openDialog({ title: t('settings'), body: h('div', { class: 'form-grid' }, fields), onsave: save });
}

log.subscribe((entries) => {
  if (countsUp) return;
  const today = entries.filter((entry) => entry.day === dayFromNow());
  const minutes = (list) =>
    t('minutesShort', { minutes: Math.round(list.reduce((sum, entry) => sum + entry.minutes, 0)) });
  const week = entries.filter((entry) => entry.day > dayFromNow(-7));
  const tiles = [
    [t('roundsToday'), String(today.length)],
    [t('timeToday'), minutes(today)],
    [t('timeWeek'), minutes(week)],
  ];
  put(
    stats,
    h(
      'dl',
      { class: 'stats' },
      tiles.map(([label, value]) => h('div', { class: 'stat' }, h('dt', null, label), h('dd', null, value))),
    ),
  );
});

/** The space bar starts and stops, unless a control has the focus: it would be pressed as well. */
onKeys({
  ' ': ({ target }) => {
    const control = target instanceof Element && target.closest('button, summary');
    if (control instanceof HTMLElement) control.click();
    else toggle();
  },
  r: reset,
  l: () => countsUp && lap(),
});
drawFrame();

/** The phases of a timer, in order. `counts` marks the ones that go into the log. */
function planOf(variant, settings) {
  if (variant === 'stopwatch') return [{ name: 'time', seconds: 0, counts: false }];
  if (variant === 'countdown')
    return [{ name: 'countdown', seconds: Math.round(settings.minutes * 60), counts: true }];
  if (variant === 'intervals') {
    const rounds = Array.from({ length: settings.rounds }, (_, index) => [
      { name: 'effort', seconds: settings.effort, counts: true },
      ...(index < settings.rounds - 1 ? [{ name: 'rest', seconds: settings.rest, counts: false }] : []),
    ]);
    return [{ name: 'prepare', seconds: 10, counts: false }, ...rounds.flat()];
  }
  return Array.from({ length: settings.rounds }, (_, index) => [
    { name: 'work', seconds: settings.work * 60, counts: true },
    index < settings.rounds - 1
      ? { name: 'shortBreak', seconds: settings.shortBreak * 60, counts: false }
      : { name: 'longBreak', seconds: settings.longBreak * 60, counts: false },
  ]).flat();
}
