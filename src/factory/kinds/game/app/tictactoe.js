import { focusIn, h, put } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { createStore } from '../../shared/app/lib/store.js';
import { mountGame } from './frame.js';

const rows = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
];
const tally = createStore('tally', { X: 0, O: 0, draws: 0 });
let cells = Array(9).fill(null);
let turn = 'X';
let opponent = 'computer';

const board = h('div', { class: 'ttt', role: 'group', 'aria-label': t('boardOf', { name: t('tictactoe') }) });
const choose = h(
  'select',
  { 'aria-label': t('opponent'), onchange: () => change() },
  h('option', { value: 'computer' }, t('vsComputer')),
  h('option', { value: 'easy' }, t('vsEasy')),
  h('option', { value: 'friend' }, t('vsFriend')),
);
const game = mountGame({ board, help: t('tttHelp'), onrestart: restart, extra: h('div', null, choose) });

function change() {
  opponent = choose.value;
  restart();
}

function restart() {
  cells = Array(9).fill(null);
  turn = 'X';
  draw();
}

const winningRow = (state) =>
  rows.find(([a, b, c]) => state[a] && state[a] === state[b] && state[a] === state[c]);
const free = (state) => state.flatMap((cell, index) => (cell ? [] : [index]));

function play(index) {
  if (cells[index] || winningRow(cells)) return;
  set(index);
  if (opponent !== 'friend' && turn === 'O' && !winningRow(cells) && free(cells).length > 0) set(reply());
  draw();
  focusIn(board, `:scope > :nth-child(${index + 1})`);
}

function set(index) {
  cells = cells.with(index, turn);
  const won = winningRow(cells);
  const count = tally.get();
  if (won) tally.set({ ...count, [turn]: count[turn] + 1 });
  else if (free(cells).length === 0) tally.set({ ...count, draws: count.draws + 1 });
  turn = turn === 'X' ? 'O' : 'X';
}

/** The strong computer looks at every continuation; the easy one often moves by chance. */
function reply() {
  const moves = free(cells);
  if (opponent === 'easy' && Math.random() < 0.6) return moves[Math.floor(Math.random() * moves.length)];
  return moves.map((move) => [value(cells.with(move, 'O'), 'X'), move]).sort((a, b) => b[0] - a[0])[0][1];
}

function value(state, next) {
  const row = winningRow(state);
  if (row) return state[row[0]] === 'O' ? 1 + free(state).length : -1 - free(state).length;
  const values = free(state).map((move) => value(state.with(move, next), next === 'X' ? 'O' : 'X'));
  if (values.length === 0) return 0;
  return next === 'O' ? Math.max(...values) : Math.min(...values);
}

function draw() {
  const won = winningRow(cells);
  const over = won || free(cells).length === 0;
  put(
    board,
    cells.map((cell, index) =>
      h(
        'button',
        {
          type: 'button',
          class: `cell ${cell ?? ''}${won?.includes(index) ? ' won' : ''}`,
          'aria-label': `${t('cell', { number: index + 1 })}: ${cell ?? t('empty')}`,
          'aria-disabled': over || cell ? 'true' : null,
          onclick: () => play(index),
        },
        cell ?? '',
      ),
    ),
  );
  const count = tally.get();
  game.figures([
    ['X', count.X],
    [t('draws'), count.draws],
    ['O', count.O],
  ]);
  game.say(won ? t('wins', { name: cells[won[0]] }) : over ? t('draw') : t('turnOf', { name: turn }));
}

draw();
