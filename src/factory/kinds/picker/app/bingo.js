import { app } from '../../shared/app/lib/app.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { h, icon, put } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { createStore } from '../../shared/app/lib/store.js';
import { countField, shuffled } from './chance.js';
import { choices, editButton, menuOfChoices, noChoices } from './choices.js';

/** The cards: each a list of squares `{text, marked}`, row by row. */
const store = createStore('bingo', {
  size: app.settings.size,
  count: app.settings.cards,
  /** @type {{ text: string | null, marked: boolean }[][]} */
  cards: [],
});

const undo = () => toast(store.undo() ? t('undone') : t('nothingToUndo'));
const main = mountShell({
  actions: [
    ...menuOfChoices,
    { icon: 'undo', label: t('undo'), onclick: undo },
    { icon: 'print', label: t('print'), onclick: () => print() },
  ],
});
const tools = h(
  'div',
  { class: 'toolbar' },
  countField(store, 'size', { label: t('squares'), min: 3, max: 5, changed: deal }),
  countField(store, 'count', { label: t('cards'), min: 1, max: 30, changed: deal }),
  h('span', { class: 'spring' }),
  editButton(),
  h(
    'button',
    { type: 'button', class: 'button primary', title: t('shortcut', { key: 'N' }), onclick: deal },
    icon('shuffle'),
    t('newCards'),
  ),
);
const none = h('div');
const sheet = h('div', { class: 'bingo' });
main.append(none, tools, sheet);

/** The square in the middle of a card is free where there is one. */
const freeAt = (size) => (size % 2 === 1 ? (size * size - 1) / 2 : -1);
const needed = (size) => size * size - (size % 2);

function deal() {
  const { size, count } = store.get();
  const all = [...new Set(choices.get())];
  if (all.length < needed(size)) return show();
  const card = () => {
    const texts = shuffled(all).slice(0, needed(size));
    const free = freeAt(size);
    if (free >= 0) texts.splice(free, 0, null);
    return texts.map((text) => ({ text, marked: text === null }));
  };
  store.set({ size, count, cards: Array.from({ length: count }, card) });
  return undefined;
}

function mark(card, square) {
  const cards = store
    .get()
    .cards.map((squares, at) =>
      at === card
        ? squares.map((one, place) => (place === square ? { ...one, marked: !one.marked } : one))
        : squares,
    );
  const had = wins(store.get().cards[card]);
  store.set({ ...store.get(), cards });
  const again = sheet.querySelector(`[data-square="${card}-${square}"]`);
  if (again instanceof HTMLElement) again.focus();
  if (!had && wins(cards[card])) toast(t('bingo'));
}

/** Whether a row, a column or a diagonal is full. */
function wins(squares) {
  const size = Math.sqrt(squares.length);
  const full = (at) => Array.from({ length: size }, (_, step) => squares[at(step)].marked).every(Boolean);
  const each = Array.from({ length: size }, (_, index) => index);
  return (
    each.some((row) => full((step) => row * size + step)) ||
    each.some((column) => full((step) => step * size + column)) ||
    full((step) => step * (size + 1)) ||
    full((step) => (step + 1) * (size - 1))
  );
}

function show() {
  const { size, cards } = store.get();
  const there = new Set(choices.get()).size;
  const few = there < needed(size);
  put(none, few && noChoices(t('tooFewChoices', { needed: needed(size), there })));
  put(
    sheet,
    cards.map((squares, card) =>
      h(
        'section',
        { class: 'card bingo-card', 'aria-label': t('card', { number: card + 1 }) },
        h('h2', null, wins(squares) ? t('bingo') : t('card', { number: card + 1 })),
        h(
          'div',
          { class: 'squares', style: `--side:${Math.sqrt(squares.length)}` },
          squares.map(({ text, marked }, square) =>
            h(
              'button',
              {
                type: 'button',
                'data-square': `${card}-${square}`,
                'aria-pressed': String(marked),
                'aria-label': text ?? t('free'),
                onclick: () => mark(card, square),
              },
              text ?? icon('star'),
            ),
          ),
        ),
      ),
    ),
  );
}

choices.subscribe(show);
store.subscribe(show);
if (store.get().cards.length === 0) deal();
onKeys({ n: deal, undo });
