import { h } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { arrowPad, bestResult, mountGame, onDirection, penOf } from './frame.js';

const size = 18;
const steps = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };
const best = bestResult('best', (a, b) => a > b);
const canvas = h('canvas', {
  class: 'snake',
  width: 540,
  height: 540,
  role: 'img',
  'aria-label': t('boardOf', { name: 'Snake' }),
});
const pen = penOf(canvas);

let snake = [];
let food = [0, 0];
let direction = 'right';
let turns = [];
let state = 'ready';
let timer = 0;

const turn = (next) => {
  if (state === 'ready' || state === 'over') restart();
  const last = turns.at(-1) ?? direction;
  const [x, y] = steps[last];
  const [nextX, nextY] = steps[next];
  if (last !== next && (x !== -nextX || y !== -nextY) && turns.length < 3) turns.push(next);
};
const game = mountGame({ board: canvas, help: t('snakeHelp'), onrestart: restart, extra: arrowPad(turn) });
onDirection(canvas, turn);

function restart() {
  clearTimeout(timer);
  snake = [
    [6, 9],
    [5, 9],
    [4, 9],
  ];
  direction = 'right';
  turns = [];
  state = 'running';
  placeFood();
  game.say('');
  step();
}

/** @type {(place: number[], parts?: number[][]) => boolean} */
const on = ([x, y], parts = snake) => parts.some((part) => part[0] === x && part[1] === y);

function placeFood() {
  const free = [];
  for (let x = 0; x < size; x++) for (let y = 0; y < size; y++) if (!on([x, y])) free.push([x, y]);
  food = free[Math.floor(Math.random() * free.length)];
}

const points = () => snake.length - 3;

function step() {
  direction = turns.shift() ?? direction;
  const [dx, dy] = steps[direction];
  const head = [snake[0][0] + dx, snake[0][1] + dy];
  const eats = head[0] === food[0] && head[1] === food[1];
  // The end of the tail moves away, unless the snake grows.
  const rest = eats ? snake : snake.slice(0, -1);
  if (head.some((at) => at < 0 || at >= size) || on(head, rest)) return end();
  snake = rest;
  snake.unshift(head);
  if (eats) placeFood();
  draw();
  timer = setTimeout(step, Math.max(70, 165 - points() * 3));
  return undefined;
}

function end() {
  state = 'over';
  const record = points() > 0 && best.offer(points());
  game.say(t(record ? 'gameOverBest' : 'gameOver', { points: points() }));
  draw();
}

function draw() {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
  const cell = canvas.width / size;
  pen.fillStyle = colour('raised');
  pen.fillRect(0, 0, canvas.width, canvas.height);
  /** @type {(place: number[], fill: string, inset: number, round: number) => void} */
  const block = ([x, y], fill, inset, round) => {
    pen.fillStyle = fill;
    pen.beginPath();
    pen.roundRect(x * cell + inset, y * cell + inset, cell - 2 * inset, cell - 2 * inset, round);
    pen.fill();
  };
  block(food, colour('danger'), 4, cell);
  for (const [index, part] of snake.entries())
    block(part, colour(index === 0 ? 'accent-text' : 'accent'), 1, index === 0 ? 10 : 7);
  game.figures([
    [t('points'), points()],
    [t('best'), best.get() ?? 0],
  ]);
}

snake = [
  [6, 9],
  [5, 9],
  [4, 9],
];
placeFood();
draw();
game.say(t('pressArrow'));
