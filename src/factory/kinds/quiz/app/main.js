import { app } from '../../shared/app/lib/app.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { focusIn, h, icon, put } from '../../shared/app/lib/dom.js';
import { download, pickFile } from '../../shared/app/lib/files.js';
import { t } from '../../shared/app/lib/i18n.js';
import { questionList, shuffled, tabs } from '../../shared/app/lib/questions.js';
import { mountShell } from '../../shared/app/lib/shell.js';
import { createStore, importRows, newEntryId, recall, remember } from '../../shared/app/lib/store.js';

const store = createStore(
  'questions',
  app.questions.map((question, index) => ({ id: `seed${index}`, ...question })),
);
let round = null;

const undo = () => toast(store.undo() ? t('undone') : t('nothingToUndo'));
const main = mountShell({
  actions: [
    { icon: 'undo', label: t('undo'), onclick: undo },
    {
      icon: 'download',
      label: t('exportJson'),
      onclick: () => download('questions.json', JSON.stringify(store.get(), null, 2), 'application/json'),
    },
    { icon: 'upload', label: t('import'), onclick: () => pickFile('.json,application/json', take) },
  ],
});
const play = h('div');
const editor = questionList(store, {
  withWrong: true,
  labels: {
    title: t('questions'),
    add: t('addQuestion'),
    edit: t('editQuestion'),
    prompt: t('question'),
    answer: t('rightAnswer'),
  },
});
editor.hidden = true;
const show = (tab) => {
  editor.hidden = tab !== 'edit';
  play.hidden = tab === 'edit';
  if (tab === 'play') drawStart();
};
main.append(
  tabs(
    [
      ['play', t('play')],
      ['edit', t('questions')],
    ],
    show,
  ),
  play,
  editor,
);

function take(text) {
  try {
    const entries = JSON.parse(text).map(({ prompt, answer, wrong }) => ({
      id: newEntryId(),
      prompt: String(prompt),
      answer: String(answer),
      wrong: wrong.map(String),
    }));
    const asText = ({ prompt, answer, wrong }) => JSON.stringify([prompt, answer, wrong]);
    importRows(store, entries, asText, (added, all) => [...all, ...added]);
  } catch {
    toast(t('importNothing'));
  }
}

function drawStart() {
  const count = store.get().length;
  const best = recall('best', /** @type {{ right: number, all: number } | null} */ (null));
  put(
    play,
    h(
      'section',
      { class: 'card quiz-start' },
      h('h2', null, t('quizReady')),
      h('p', { class: 'muted' }, t('questionCount', { n: count })),
      best && h('p', { class: 'chip good' }, icon('star'), t('bestScore', best)),
      count === 0
        ? h('p', null, t('noQuestions'))
        : h('button', { type: 'button', class: 'button primary large', onclick: start }, t('startQuiz')),
    ),
  );
}

function start() {
  round = { questions: shuffled(store.get()), at: 0, right: 0, missed: [] };
  drawQuestion();
}

function drawQuestion() {
  const { questions, at, right } = round;
  const question = questions[at];
  const options = shuffled([question.answer, ...question.wrong]);
  const verdict = h('p', { class: 'verdict', role: 'status' });
  const next = h(
    'button',
    { type: 'button', class: 'button primary', hidden: true, onclick: forward },
    at + 1 < questions.length ? t('nextQuestion') : t('showResult'),
  );
  const buttons = options.map((option, index) =>
    h(
      'button',
      {
        type: 'button',
        class: 'option',
        'data-right': String(option === question.answer),
        onclick: (event) => choose(event.currentTarget),
      },
      h('kbd', null, String(index + 1)),
      h('span', null, option),
    ),
  );
  const choose = (button) => {
    if (!next.hidden) return;
    const good = button.dataset.right === 'true';
    if (good) round.right++;
    else round.missed.push(question);
    for (const other of buttons) {
      other.disabled = true;
      if (other.dataset.right === 'true') other.classList.add('right');
    }
    if (!good) button.classList.add('wrong');
    verdict.textContent = good ? t('correct') : t('wrongIs', { answer: question.answer });
    verdict.classList.add(good ? 'good' : 'bad');
    next.hidden = false;
    next.focus();
  };
  round.choose = (index) => buttons[index] && choose(buttons[index]);
  put(
    play,
    h(
      'section',
      { class: 'card quiz-card' },
      h(
        'div',
        { class: 'row small muted' },
        h('span', null, t('questionOf', { number: at + 1, all: questions.length })),
        h('span', { class: 'spring' }),
        h('span', null, t('score', { right })),
      ),
      h('div', { class: 'progress' }, h('span', { style: `width:${(100 * at) / questions.length}%` })),
      h('h2', { class: 'prompt', tabindex: '-1' }, question.prompt),
      h('div', { class: 'options' }, buttons),
      h('div', { class: 'row' }, verdict, h('span', { class: 'spring' }), next),
    ),
  );
  focusIn(play, '.prompt', { preventScroll: true });
}

function forward() {
  round.at++;
  if (round.at < round.questions.length) return drawQuestion();
  const { right, questions, missed } = round;
  const best = recall('best', /** @type {{ right: number, all: number } | null} */ (null));
  if (!best || right / questions.length >= best.right / best.all)
    remember('best', { right, all: questions.length });
  const share = right / questions.length;
  round = null;
  return put(
    play,
    h(
      'section',
      { class: 'card quiz-start' },
      h('p', { class: 'result' }, `${right}/${questions.length}`),
      h('h2', { tabindex: '-1' }, t(share === 1 ? 'perfect' : share >= 0.6 ? 'wellDone' : 'keepGoing')),
      missed.length > 0 &&
        h(
          'div',
          { class: 'missed' },
          h('h3', null, t('lookAgain')),
          h(
            'ul',
            null,
            missed.map((question) => h('li', null, question.prompt, ' ', h('strong', null, question.answer))),
          ),
        ),
      h('button', { type: 'button', class: 'button primary large', onclick: start }, t('again')),
    ),
  );
}

document.addEventListener('keydown', (event) => {
  if (round && /^[1-6]$/.test(event.key) && !document.querySelector('dialog[open]'))
    round.choose(Number(event.key) - 1);
});
store.subscribe(() => round || drawStart());
