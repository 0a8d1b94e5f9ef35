import { app } from '../../shared/app/lib/app.js';
import { h, put } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { shuffled } from '../../shared/app/lib/questions.js';
import { bestResult, mountGame } from './frame.js';

/** Pictures with their names, so that the game can be played by ear as well. */
const pictures = [
  '🍎',
  '🚲',
  '🌵',
  '🐙',
  '🎈',
  '🦊',
  '🍄',
  '⛵',
  '🎸',
  '🐝',
  '🌙',
  '🏔️',
  '🍉',
  '🦉',
  '🔑',
  '☂️',
  '🐢',
  '🎲',
];
const best = bestResult('best', (a, b) => a < b);
let pairs = app.settings.pairs ?? 8;
let cards = [];
let open = [];
let moves = 0;

const board = h('div', { class: 'memory', role: 'group', 'aria-label': t('boardOf', { name: t('memory') }) });
const choose = h(
  'select',
  { 'aria-label': t('size'), onchange: () => resize() },
  [6, 8, 10, 12, 18].map((count) =>
    h('option', { value: count, selected: count === pairs }, t('pairs', { n: count })),
  ),
);
const game = mountGame({ board, help: t('memoryHelp'), onrestart: restart, extra: h('div', null, choose) });

function resize() {
  pairs = Number(choose.value);
  restart();
}

function restart() {
  const chosen = shuffled(pictures).slice(0, pairs);
  cards = shuffled([...chosen, ...chosen]).map((picture) => ({ picture, found: false }));
  open = [];
  moves = 0;
  board.setAttribute('style', `--columns: ${columnsFor(cards.length)}`);
  put(
    board,
    cards.map((_, index) => h('button', { type: 'button', class: 'tile', onclick: () => turn(index) })),
  );
  draw();
}

/** As many columns as make whole rows, of all the ways the one nearest to a square. */
function columnsFor(count) {
  const whole = [6, 5, 4, 3].filter((columns) => count % columns === 0);
  const height = (columns) => Math.abs(columns - count / columns);
  return whole.sort((a, b) => height(a) - height(b))[0] ?? Math.min(6, Math.ceil(Math.sqrt(count)));
}

function turn(index) {
  if (cards[index].found || open.includes(index)) return;
  if (open.length === 2) open = [];
  open.push(index);
  if (open.length === 2) {
    moves++;
    const [first, second] = open.map((at) => cards[at]);
    if (first.picture === second.picture) {
      first.found = true;
      second.found = true;
      open = [];
    } else hideLater(open);
  }
  draw();
}

/** Two different pictures stay to be seen for a moment. */
function hideLater(shown) {
  setTimeout(() => {
    if (open !== shown) return;
    open = [];
    draw();
  }, 1100);
}

function draw() {
  cards.forEach((card, index) => {
    const up = card.found || open.includes(index);
    const tile = board.children[index];
    tile.className = `tile${up ? ' up' : ''}${card.found ? ' found' : ''}`;
    tile.textContent = up ? card.picture : '';
    tile.setAttribute('aria-label', t('card', { number: index + 1 }) + (up ? `: ${card.picture}` : ''));
  });
  const found = cards.filter((card) => card.found).length / 2;
  const done = found === cards.length / 2;
  if (done) best.offer(moves);
  game.figures([
    [t('moves'), moves],
    [t('found'), t('ofAll', { part: found, all: cards.length / 2 })],
    [t('best'), best.get() ?? '–'],
  ]);
  game.say(done ? t('memoryDone', { moves }) : '');
}

restart();
