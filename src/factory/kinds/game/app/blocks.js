import { app } from '../../shared/app/lib/app.js';
import { h, icon, isFrom, put } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { bestResult, mountGame, onDirection, penOf } from './frame.js';

/** The seven pieces, each in a box of its own, with the hue that it is drawn in. */
const pieces = {
  I: { hue: 190, cells: ['....', 'XXXX', '....', '....'] },
  O: { hue: 45, cells: ['XX', 'XX'] },
  T: { hue: 275, cells: ['.X.', 'XXX', '...'] },
  S: { hue: 140, cells: ['.XX', 'XX.', '...'] },
  Z: { hue: 2, cells: ['XX.', '.XX', '...'] },
  J: { hue: 222, cells: ['X..', 'XXX', '...'] },
  L: { hue: 25, cells: ['..X', 'XXX', '...'] },
};

/** Turned to the right by a quarter. */
const turned = (cells) =>
  cells.map((_, x) =>
    [...cells]
      .reverse()
      .map((line) => line[x])
      .join(''),
  );

/** The places that a piece takes on the board: `[x, y]`, above the board with a negative `y`. */
const placesOf = ({ cells, x, y }) =>
  cells.flatMap((line, dy) => [...line].flatMap((cell, dx) => (cell === 'X' ? [[x + dx, y + dy]] : [])));

let bag = [];

const columns = 10;
const rows = 20;
const cell = 30;
/** Points for one to four lines at once, on the first level. */
const worth = [0, 100, 300, 500, 800];
/** How far a piece may move aside to find room to turn. */
const shifts = [0, -1, 1, -2, 2];

const best = bestResult('best', (a, b) => a > b);
const canvas = h('canvas', {
  class: 'blocks',
  width: columns * cell,
  height: rows * cell,
  role: 'img',
  tabindex: '-1',
  'aria-label': t('boardOf', { name: app.name }),
});
const preview = h('canvas', {
  class: 'blocks-next',
  width: 4 * cell,
  height: 2 * cell,
  role: 'img',
  'aria-label': t('nextPiece'),
});

let field = emptyField();
let piece = null;
let next = drawPiece();
let points = 0;
let lines = 0;
let state = 'ready';
let timer = 0;

const pauseButton = h('button', { type: 'button', class: 'button large', onclick: pause });
const padKey = (place, label, sign, act) =>
  h(
    'button',
    {
      type: 'button',
      class: `pad-${place}`,
      'aria-label': t(label),
      onclick: () => {
        canvas.focus({ preventScroll: true });
        act();
      },
    },
    icon(sign),
  );
const pad = h(
  'div',
  { class: 'pad' },
  padKey('up', 'turnPiece', 'reset', () => play('up')),
  padKey('left', 'left', 'left', () => play('left')),
  padKey('drop', 'dropPiece', 'download', drop),
  padKey('right', 'right', 'right', () => play('right')),
  padKey('down', 'down', 'down', () => play('down')),
);
const game = mountGame({
  board: h(
    'div',
    { class: 'blocks-box' },
    canvas,
    h('div', { class: 'blocks-side' }, h('p', null, t('nextPiece')), preview),
  ),
  help: t('blocksHelp'),
  onrestart: restart,
  extra: [pauseButton, pad],
});
onDirection(canvas, play);
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isFrom(event, 'button, summary, input')) return;
  const act = { ' ': drop, p: pause, Escape: pause }[event.key];
  if (!act || event.repeat) return;
  event.preventDefault();
  act();
});
document.addEventListener('visibilitychange', () => {
  if (document.hidden && state === 'running') pause();
});

function emptyField() {
  return Array.from({ length: rows }, () => Array(columns).fill(null));
}

const level = () => 1 + Math.floor(lines / 10);
const free = (moved) =>
  placesOf(moved).every(([x, y]) => x >= 0 && x < columns && y < rows && (y < 0 || field[y][x] === null));

function restart() {
  field = emptyField();
  points = 0;
  lines = 0;
  state = 'running';
  game.say('');
  canvas.focus({ preventScroll: true });
  bringNext();
  fallLater();
}

function bringNext() {
  piece = { ...next, x: Math.floor((columns - next.cells[0].length) / 2), y: -1 };
  next = drawPiece();
  if (free({ ...piece, y: 0 })) piece.y = 0;
  else end();
  draw();
}

function fallLater() {
  clearTimeout(timer);
  if (state === 'running') timer = setTimeout(fall, Math.max(70, 800 * 0.84 ** (level() - 1)));
}

function fall() {
  if (!move(0, 1)) settle();
  fallLater();
}

/** Moves the piece if there is room, and says whether there was. */
function move(dx, dy, cells = piece.cells) {
  const moved = { ...piece, cells, x: piece.x + dx, y: piece.y + dy };
  if (!free(moved)) return false;
  piece = moved;
  draw();
  return true;
}

function play(direction) {
  if (state === 'ready') return restart();
  if (state !== 'running') return undefined;
  if (direction === 'left') move(-1, 0);
  if (direction === 'right') move(1, 0);
  if (direction === 'up') shifts.some((shift) => move(shift, 0, turned(piece.cells)));
  if (direction === 'down') {
    if (move(0, 1)) points += 1;
    else settle();
    fallLater();
    draw();
  }
  return undefined;
}

function drop() {
  if (state === 'ready') return restart();
  if (state !== 'running') return undefined;
  while (move(0, 1)) points += 2;
  settle();
  fallLater();
  return undefined;
}

function settle() {
  for (const [x, y] of placesOf(piece)) if (y >= 0) field[y][x] = piece.name;
  const kept = field.filter((line) => line.includes(null));
  const cleared = rows - kept.length;
  field = [...emptyField().slice(0, cleared), ...kept];
  points += worth[cleared] * level();
  lines += cleared;
  bringNext();
}

function pause() {
  if (state !== 'running' && state !== 'paused') return;
  state = state === 'running' ? 'paused' : 'running';
  game.say(state === 'paused' ? t('paused') : '');
  canvas.focus({ preventScroll: true });
  fallLater();
  draw();
}

function end() {
  state = 'over';
  clearTimeout(timer);
  const record = points > 0 && best.offer(points);
  game.say(t(record ? 'gameOverBest' : 'gameOver', { points }));
}

function paint(pen, x, y, name, ghost = false) {
  const { hue } = pieces[name];
  const [left, top, size] = [x * cell + 1.5, y * cell + 1.5, cell - 3];
  pen.beginPath();
  pen.roundRect(left, top, size, size, 6);
  if (ghost) {
    pen.strokeStyle = `hsl(${hue} 60% 50% / 70%)`;
    pen.lineWidth = 2;
    pen.stroke();
    return;
  }
  pen.fillStyle = `hsl(${hue} 68% 50%)`;
  pen.fill();
  pen.beginPath();
  pen.roundRect(left + 4, top + 4, size - 8, 5, 2.5);
  pen.fillStyle = `hsl(${hue} 80% 70%)`;
  pen.fill();
}

function draw() {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
  const pen = penOf(canvas);
  pen.fillStyle = colour('raised');
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = colour('line');
  for (let x = 1; x < columns; x++) pen.fillRect(x * cell - 0.5, 0, 1, canvas.height);
  for (const [y, line] of field.entries())
    for (const [x, name] of line.entries()) if (name) paint(pen, x, y, name);
  if (piece) {
    const landing = { ...piece };
    while (state === 'running' && free({ ...landing, y: landing.y + 1 })) landing.y += 1;
    for (const [x, y] of placesOf(landing)) paint(pen, x, y, piece.name, true);
    for (const [x, y] of placesOf(piece)) paint(pen, x, y, piece.name);
  }
  const side = penOf(preview);
  side.clearRect(0, 0, preview.width, preview.height);
  const lead = next.name === 'I' ? 1 : 0;
  for (const [x, y] of placesOf({ cells: next.cells, x: (4 - next.cells[0].length) / 2, y: -lead }))
    paint(side, x, y, next.name);
  put(pauseButton, icon(state === 'paused' ? 'play' : 'pause'), t(state === 'paused' ? 'goOn' : 'pause'));
  pauseButton.disabled = state !== 'running' && state !== 'paused';
  game.figures([
    [t('points'), points],
    [t('lines'), lines],
    [t('gameLevel'), level()],
    [t('best'), best.get() ?? 0],
  ]);
}

draw();
game.say(t('pressArrow'));

/** The next piece. All seven come before one comes again, so nobody waits long for the one that fits. */
function drawPiece() {
  if (bag.length === 0) {
    bag = Object.keys(pieces);
    for (let last = bag.length - 1; last > 0; last--) {
      const other = Math.floor(Math.random() * (last + 1));
      [bag[last], bag[other]] = [bag[other], bag[last]];
    }
  }
  const name = bag.pop();
  return { name, cells: pieces[name].cells };
}
