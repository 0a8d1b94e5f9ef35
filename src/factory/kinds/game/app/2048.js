import { h, icon, put } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { createStore } from '../../shared/app/lib/store.js';
import { arrowPad, bestResult, mountGame, onDirection } from './frame.js';

const size = 4;
const best = bestResult('best', (a, b) => a > b);
const store = createStore('game', withNewTile(withNewTile({ cells: Array(size * size).fill(0), points: 0 })));

const board = h('div', { class: 'grid-2048', role: 'img', tabindex: '0' });
const undoButton = h(
  'button',
  { type: 'button', class: 'button large', onclick: () => store.undo() },
  icon('undo'),
  t('undo'),
);
const game = mountGame({
  board,
  help: t('help2048'),
  onrestart: restart,
  extra: [undoButton, arrowPad(move)],
});
onDirection(board, move);

function restart() {
  store.set(withNewTile(withNewTile({ cells: Array(size * size).fill(0), points: 0 })));
}

function withNewTile(state) {
  const free = state.cells.flatMap((value, index) => (value === 0 ? [index] : []));
  if (free.length === 0) return state;
  return {
    ...state,
    cells: state.cells.with(free[Math.floor(Math.random() * free.length)], Math.random() < 0.9 ? 2 : 4),
  };
}

/** The cells of each line, beginning at the side towards which they slide. */
function linesTowards(direction) {
  return Array.from({ length: size }, (_, line) => {
    const cells = Array.from({ length: size }, (_, at) =>
      direction === 'left' || direction === 'right' ? line * size + at : at * size + line,
    );
    return direction === 'right' || direction === 'down' ? cells.reverse() : cells;
  });
}

/** Slides one line: equal neighbours become one of twice the value, once for each move. */
function slide(values) {
  const full = values.filter(Boolean);
  const result = [];
  let gained = 0;
  for (let at = 0; at < full.length; at++) {
    const pair = full[at] === full[at + 1];
    result.push(pair ? full[at] * 2 : full[at]);
    if (pair) gained += full[at++] * 2;
  }
  return [[...result, ...Array(size - result.length).fill(0)], gained];
}

function after(state, direction) {
  let { cells, points } = state;
  for (const line of linesTowards(direction)) {
    const [values, gained] = slide(line.map((index) => state.cells[index]));
    points += gained;
    line.forEach((index, at) => {
      cells = cells.with(index, values[at]);
    });
  }
  return { cells, points };
}

const moved = (a, b) => a.cells.some((value, index) => value !== b.cells[index]);

function move(direction) {
  const state = store.get();
  const next = after(state, direction);
  if (moved(state, next)) store.set(withNewTile(next));
}

store.subscribe((state) => {
  put(
    board,
    state.cells.map((value) =>
      h('span', { class: `tile v${Math.min(value, 2048)}` }, value === 0 ? '' : String(value)),
    ),
  );
  board.setAttribute('aria-label', `2048: ${state.cells.join(' ')}`);
  best.offer(state.points);
  const stuck = ['up', 'down', 'left', 'right'].every((direction) => !moved(state, after(state, direction)));
  game.figures([
    [t('points'), state.points],
    [t('best'), best.get() ?? 0],
  ]);
  game.say(stuck ? t('gameOver', { points: state.points }) : state.cells.includes(2048) ? t('won2048') : '');
});
