import { app } from '../../shared/app/lib/app.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { focusIn, h, icon, put } from '../../shared/app/lib/dom.js';
import { download, fromCsv, pickFile, toCsv } from '../../shared/app/lib/files.js';
import { t } from '../../shared/app/lib/i18n.js';
import { picture } from '../../shared/app/lib/picture.js';
import { questionList, shuffled, tabs } from '../../shared/app/lib/questions.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { createStore, importRows, newEntryId } from '../../shared/app/lib/store.js';

/** A card has a box from 0 to 4: known cards move up and come less often, unknown ones go back to 0. */
const store = createStore(
  'cards',
  app.questions.map(({ prompt, answer }, index) => ({
    id: `seed${index}`,
    prompt,
    answer,
    wrong: [],
    box: 0,
  })),
);
let pile = [];
let turned = false;
let counts = { known: 0, unknown: 0 };

const undo = () => toast(store.undo() ? t('undone') : t('nothingToUndo'));
const exportCsv = () =>
  download(
    'cards.csv',
    toCsv([[t('front'), t('back')], ...store.get().map((card) => [card.prompt, card.answer])]),
    'text/csv',
  );
const importCsv = () =>
  pickFile('.csv,text/csv', (text) => {
    const cards = fromCsv(text)
      .slice(1)
      .filter(([front, back]) => front && back);
    if (cards.length === 0) return toast(t('importNothing'));
    const rows = cards.map(([prompt, answer]) => ({ id: newEntryId(), prompt, answer, wrong: [], box: 0 }));
    const asText = (card) => JSON.stringify([card.prompt, card.answer]);
    importRows(store, rows, asText, (added, all) => [...all, ...added]);
  });

const main = mountShell({
  actions: [
    { icon: 'undo', label: t('undo'), onclick: undo },
    { icon: 'download', label: t('exportCsv'), onclick: exportCsv },
    { icon: 'upload', label: t('importCsv'), onclick: importCsv },
    { icon: 'print', label: t('print'), onclick: () => print() },
  ],
});
const study = h('div', { class: 'study' });
const editor = questionList(store, {
  withWrong: false,
  labels: {
    title: t('cards'),
    add: t('addCard'),
    edit: t('editCard'),
    prompt: t('front'),
    answer: t('back'),
  },
});
editor.hidden = true;
const show = (tab) => {
  editor.hidden = tab !== 'edit';
  study.hidden = tab === 'edit';
  if (tab === 'play') start();
};
main.append(
  tabs(
    [
      ['play', t('study')],
      ['edit', t('cards')],
    ],
    show,
  ),
  study,
  editor,
);

/** The least known cards come first, in a new order each time. */
function start() {
  pile = shuffled(store.get().map((card) => card.id)).sort((a, b) => cardOf(a).box - cardOf(b).box);
  counts = { known: 0, unknown: 0 };
  turned = false;
  draw();
}

const cardOf = (id) => store.get().find((card) => card.id === id) ?? store.get()[0];

function answer(known) {
  if (pile.length === 0) return;
  const [id, ...rest] = pile;
  const card = cardOf(id);
  pile = known ? rest : [...rest, id];
  counts[known ? 'known' : 'unknown']++;
  turned = false;
  if (card)
    store.set(
      store
        .get()
        .map((other) => (other.id === id ? { ...card, box: known ? Math.min(card.box + 1, 4) : 0 } : other)),
    );
  draw();
  focusIn(study, '.flashcard', { preventScroll: true });
}

function flip() {
  turned = !turned;
  draw();
  focusIn(study, '.flashcard', { preventScroll: true });
}

function draw() {
  pile = pile.filter(cardOf);
  const all = store.get().length;
  if (pile.length === 0) {
    put(
      study,
      h(
        'section',
        { class: 'card finish' },
        picture(),
        h('h2', null, all === 0 ? t('noCards') : t('allKnown')),
        all > 0 && h('p', { class: 'muted' }, t('studied', counts)),
        all > 0 && h('button', { type: 'button', class: 'button primary large', onclick: start }, t('again')),
      ),
    );
    return;
  }
  const card = cardOf(pile[0]);
  put(
    study,
    h(
      'div',
      { class: 'row small muted' },
      h('span', null, t('cardsLeft', { n: pile.length })),
      h('span', { class: 'spring' }),
      h(
        'span',
        { role: 'img', 'aria-label': t('level', { level: card.box + 1 }) },
        '●'.repeat(card.box + 1) + '○'.repeat(4 - card.box),
      ),
    ),
    h(
      'div',
      { class: 'progress' },
      h('span', { style: `width:${(100 * counts.known) / (counts.known + pile.length)}%` }),
    ),
    h(
      'button',
      {
        type: 'button',
        class: turned ? 'flashcard turned' : 'flashcard',
        'aria-live': 'polite',
        onclick: flip,
      },
      h('span', { class: 'side' }, t(turned ? 'back' : 'front')),
      h('span', { class: 'face' }, turned ? card.answer : card.prompt),
      h('span', { class: 'side' }, turned ? '' : t('turnHint')),
    ),
    turned
      ? h(
          'div',
          { class: 'answers' },
          h(
            'button',
            { type: 'button', class: 'button large', onclick: () => answer(false) },
            icon('reset'),
            t('notYet'),
          ),
          h(
            'button',
            { type: 'button', class: 'button primary large', onclick: () => answer(true) },
            icon('check'),
            t('knewIt'),
          ),
        )
      : h(
          'div',
          { class: 'answers' },
          h('button', { type: 'button', class: 'button large', onclick: flip }, t('turn')),
        ),
  );
}

onKeys({
  1: () => turned && answer(false),
  2: () => turned && answer(true),
  ArrowLeft: () => turned && answer(false),
  ArrowRight: () => turned && answer(true),
  undo,
});
start();
store.subscribe(() => {
  const ids = store.get().map((card) => card.id);
  if (pile.length === 0 && counts.known === 0 && ids.length > 0) start();
});
