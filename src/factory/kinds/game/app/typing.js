import { app } from '../../shared/app/lib/app.js';
import { h, put } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { bestResult, mountGame } from './frame.js';

const { seconds } = app.settings;
const sentences =
  app.choices.length > 0 ? app.choices : [1, 2, 3, 4, 5, 6, 7, 8].map((number) => t(`sentence${number}`));
/** A round of few words repeats them, as it takes more letters than anybody types in a minute. */
const least = 600;
const best = bestResult('typing', (fresh, old) => fresh > old);

let letters = [];
let startedAt = null;
let tick = 0;
let over = false;

const text = h('p', { class: 'typing-text', lang: app.lang });
const input = h('textarea', {
  id: 'typed',
  rows: 3,
  autocomplete: 'off',
  autocapitalize: 'off',
  autocorrect: 'off',
  spellcheck: 'false',
  'aria-label': t('typeHere'),
  oninput: read,
  onpaste: (event) => event.preventDefault(),
});
const game = mountGame({
  board: h('div', { class: 'typing card' }, text, input),
  help: t('typingHelp'),
  onrestart: restart,
});

function inAnyOrder(texts) {
  const order = [...texts];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** The sentences in an order by chance, as one text. */
function restart() {
  clearInterval(tick);
  const texts = [];
  do texts.push(...inAnyOrder(sentences));
  while (texts.join(' ').length < least && app.choices.length > 0);
  letters = [...texts.join(' ')];
  [startedAt, over] = [null, false];
  input.value = '';
  input.disabled = false;
  game.say(t('typingStart'));
  draw();
  input.focus({ preventScroll: true });
}

const spent = () => (startedAt === null ? 0 : Math.min((Date.now() - startedAt) / 1000, seconds));
const typed = () => [...input.value];
const rightOnes = () => typed().filter((letter, index) => letter === letters[index]).length;

/** Five letters are a word, as typing is counted everywhere; only right letters count. */
function wordsAMinute() {
  const time = spent();
  return time < 1 ? 0 : Math.round(rightOnes() / 5 / (time / 60));
}

function accuracy() {
  const all = typed().length;
  return all === 0 ? 100 : Math.floor((100 * rightOnes()) / all);
}

function read() {
  if (startedAt === null) {
    startedAt = Date.now();
    tick = setInterval(draw, 250);
    game.say('');
  }
  if (typed().length >= letters.length) finish();
  draw();
}

function finish() {
  if (over) return;
  over = true;
  clearInterval(tick);
  input.disabled = true;
  const words = wordsAMinute();
  const record = accuracy() >= 80 && best.offer(words);
  game.say(t(record ? 'typingRecord' : 'typingDone', { words, accuracy: accuracy() }));
}

function draw() {
  if (!over && spent() >= seconds) finish();
  const done = typed();
  const at = done.length;
  // The line that is being typed stays in sight: what is far behind or ahead is left out.
  const from = Math.max(0, at - 60);
  const shown = letters.slice(from, from + 220).map((letter, index) => {
    const place = from + index;
    const state = place >= at ? (place === at ? 'next' : null) : done[place] === letter ? 'right' : 'wrong';
    return state ? h('span', { class: state }, letter) : letter;
  });
  put(text, shown);
  game.figures([
    [t('wordsAMinute'), wordsAMinute()],
    [t('accuracy'), `${accuracy()} %`],
    [t('secondsLeft'), Math.ceil(seconds - spent())],
    [t('best'), best.get() ?? '–'],
  ]);
}

restart();
