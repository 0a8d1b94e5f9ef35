import { app } from '../../shared/app/lib/app.js';
import { openDialog } from '../../shared/app/lib/dialog.js';
import { h, icon, newId, put } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { createStore } from '../../shared/app/lib/store.js';
import { ringBell, setBell, stopBell, wakeBell } from './bell.js';

const settings = createStore('settings', app.settings);

/** Time left of each side in milliseconds, whose turn it is (or null before the first move), and since when. */
let left = [0, 0];
let turn = null;
let since = null;
let moves = [0, 0];
let tick = 0;

const main = mountShell();
const status = h('p', { class: 'sr-only', role: 'status' });
const sides = [0, 1].map((side) =>
  h('button', { type: 'button', class: 'side', onclick: () => press(side) }),
);
const pauseButton = h('button', { type: 'button', class: 'button large', onclick: pause });
main.append(
  status,
  h('div', { class: 'sides' }, sides),
  h(
    'div',
    { class: 'row center' },
    pauseButton,
    h('button', { type: 'button', class: 'button large', onclick: reset }, icon('reset'), t('reset')),
    h(
      'button',
      { type: 'button', class: 'button large', onclick: openSettings },
      icon('edit'),
      t('settings'),
    ),
  ),
);

const timeOf = (side) => Math.max(left[side] - (turn === side && since !== null ? Date.now() - since : 0), 0);
const over = () => [0, 1].find((side) => timeOf(side) === 0) ?? null;

/** A side that presses has made its move: its increment is added, and the other's time runs. */
function press(side) {
  if (over() !== null || (turn !== null && (turn !== side || since === null))) return;
  wakeBell();
  if (turn === side) {
    left[side] = timeOf(side) + settings.get().increment * 1000;
    moves[side]++;
  }
  turn = 1 - side;
  run();
}

function run() {
  since = Date.now();
  clearInterval(tick);
  tick = setInterval(draw, 100);
  setBell(left[turn], 3);
  drawFrame();
}

function pause() {
  if (turn === null || over() !== null) return;
  if (since === null) return run();
  left[turn] = timeOf(turn);
  since = null;
  clearInterval(tick);
  stopBell();
  return drawFrame();
}

function reset() {
  clearInterval(tick);
  stopBell();
  left = [settings.get().minutes * 60_000, settings.get().minutes * 60_000];
  [turn, since, moves] = [null, null, [0, 0]];
  drawFrame();
}

function clockText(time) {
  const seconds = time < 20_000 ? time / 1000 : Math.ceil(time / 1000);
  const pad = (value) => String(value).padStart(2, '0');
  if (time < 20_000) return `0:${pad(Math.floor(seconds))}.${Math.floor((seconds * 10) % 10)}`;
  const hours = Math.floor(seconds / 3600);
  const rest = `${hours ? pad(Math.floor(seconds / 60) % 60) : Math.floor(seconds / 60)}:${pad(seconds % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

function draw() {
  const lost = over();
  if (lost !== null && since !== null) {
    left[lost] = 0;
    since = null;
    clearInterval(tick);
    ringBell();
    status.textContent = `${t('player', { number: lost + 1 })}: ${t('timeUp')}`;
    return drawFrame();
  }
  for (const side of [0, 1]) put(sides[side].children[1], clockText(timeOf(side)));
  return undefined;
}

function drawFrame() {
  const lost = over();
  for (const side of [0, 1]) {
    const active = turn === side && since !== null;
    sides[side].className = `side${active ? ' active' : ''}${lost === side ? ' lost' : ''}`;
    sides[side].setAttribute('aria-pressed', String(active));
    put(
      sides[side],
      h('span', null, t('player', { number: side + 1 })),
      h('span', { class: 'clock' }, clockText(timeOf(side))),
      h('span', { class: 'moves' }, lost === side ? t('timeUp') : t('moves', { n: moves[side] })),
    );
  }
  put(
    pauseButton,
    icon(since === null ? 'play' : 'pause'),
    t(since !== null ? 'pause' : turn === null ? 'start' : 'continue'),
  );
  pauseButton.disabled = turn === null || lost !== null;
}

function openSettings() {
  const field = (key, min, max, step) => {
    const id = newId(key);
    return h(
      'div',
      { class: 'field' },
      h('label', { for: id }, t(`setting_${key}`)),
      h('input', {
        id,
        name: key,
        type: 'number',
        min,
        max,
        step,
        required: true,
        value: settings.get()[key],
      }),
    );
  };
  openDialog({
    title: t('settings'),
    body: h('div', { class: 'form-grid' }, field('minutes', 0.1, 180, 'any'), field('increment', 0, 60, 1)),
    onsave: (form) => {
      settings.set(Object.fromEntries([...new FormData(form)].map(([key, value]) => [key, Number(value)])));
      reset();
    },
  });
}

/** The space bar presses for whose turn it is; before the first move the second side begins the game. */
onKeys({
  ' ': ({ target }) => {
    const control = target instanceof Element && target.closest('button, summary');
    if (control instanceof HTMLElement) control.click();
    else press(turn ?? 1);
  },
  p: pause,
  r: reset,
});
reset();
