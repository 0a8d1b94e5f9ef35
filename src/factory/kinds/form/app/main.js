import { app } from '../../shared/app/lib/app.js';
import { barList } from '../../shared/app/lib/charts.js';
import { optionShade } from '../../shared/app/lib/colours.js';
import { ask, toast } from '../../shared/app/lib/dialog.js';
import { focusIn, h, icon, iconButton, put } from '../../shared/app/lib/dom.js';
import { openEntries } from '../../shared/app/lib/entries.js';
import { fieldControl, formatValue, readForm } from '../../shared/app/lib/fields.js';
import { download, toCsv } from '../../shared/app/lib/files.js';
import { dayFromNow, formatDay, formatNumber, t } from '../../shared/app/lib/i18n.js';
import { tabs } from '../../shared/app/lib/questions.js';
import { emptyState, mountShell } from '../../shared/app/lib/shell.js';
import { newEntryId } from '../../shared/app/lib/store.js';

/** A page in a frame is a preview: nothing leaves it. */
const isPreview = window.self !== window.top;

const endpoint = app.contact?.endpoint ?? '';

const hasEndpoint = endpoint !== '';

/** Whether an answer goes to the owner, besides being kept on the device. */
const isPosted = hasEndpoint && !isPreview;

/** What becomes of an answer, said before it is sent; nothing where it only stays on the device. */
const postHint = hasEndpoint ? t(isPreview ? 'postNotHere' : 'postTo', { host: new URL(endpoint).host }) : '';

const { fields } = app.entity;
const store = openEntries();
const isPoll = app.variant === 'poll';

const undo = () => toast(store.undo() ? t('undone') : t('nothingToUndo'));
const exportCsv = () => {
  const rows = store.get().map((row) => [row.day ?? '', ...fields.map((field) => row[field.key] ?? '')]);
  download('answers.csv', toCsv([[t('day'), ...fields.map((field) => field.label)], ...rows]), 'text/csv');
};
const main = mountShell({
  actions: [
    { icon: 'undo', label: t('undo'), onclick: undo },
    { icon: 'download', label: t('exportCsv'), onclick: exportCsv },
    {
      icon: 'trash',
      label: t('clearAnswers'),
      onclick: () => ask(t('clearAnswers'), t('delete'), () => store.set([])),
    },
    { icon: 'print', label: t('print'), onclick: () => print() },
  ],
});
const paper = h('div');
const answers = h('div', { class: 'stack', hidden: true });
const show = (tab) => {
  paper.hidden = tab !== 'play';
  answers.hidden = tab === 'play';
};
const bar = tabs(
  [
    ['play', t(isPoll ? 'vote' : 'form')],
    ['answers', t(isPoll ? 'result' : 'answers')],
  ],
  show,
);
main.append(bar, paper, answers);

function send(event) {
  event.preventDefault();
  const row = { id: newEntryId(), day: dayFromNow(), ...readForm(event.currentTarget, fields) };
  store.set([...store.get(), row]);
  const sent = h('p', { class: 'muted', role: 'status' }, isPosted ? t('sending') : t('stored'));
  if (isPosted) postAnswer(row, fields).then((key) => put(sent, t(key)));
  if (isPoll) {
    bar.children[1].dispatchEvent(new Event('click'));
    toast(t('voted'), () => store.undo());
    event.currentTarget.reset();
    return;
  }
  put(
    paper,
    h(
      'section',
      { class: 'card thanks' },
      h('span', { class: 'tick-mark' }, icon('check')),
      h('h2', { tabindex: '-1' }, app.copy.thanks || t('thanks')),
      sent,
      h('button', { type: 'button', class: 'button', onclick: drawForm }, t('answerAgain')),
    ),
  );
  focusIn(paper, 'h2');
}

function drawForm() {
  const controls = fields.map((field) =>
    isPoll || (field.type === 'select' && field.options.length <= 5) ? choices(field) : fieldControl(field),
  );
  put(
    paper,
    h(
      'form',
      { class: 'card paper', onsubmit: send },
      app.copy.question && h('h2', null, app.copy.question),
      app.copy.intro && h('p', { class: 'muted' }, app.copy.intro),
      h('div', { class: 'stack' }, controls),
      h(
        'div',
        { class: 'row' },
        h('button', { type: 'submit', class: 'button primary large' }, app.copy.submit || t('send')),
        h('span', { class: 'muted small' }, t('requiredHint')),
      ),
      postHint && h('p', { class: 'muted small' }, postHint),
    ),
  );
}

/** Few options are shown side by side: one tap instead of two. */
function choices(field) {
  return h(
    'fieldset',
    { class: 'choices' },
    h('legend', { class: 'label' }, field.label, field.required && h('span', { class: 'must' }, ' *')),
    field.options.map((option) =>
      h(
        'label',
        { class: 'choice' },
        h('input', { type: 'radio', name: field.key, value: option, required: field.required }),
        h('span', null, option),
      ),
    ),
  );
}

function drawAnswers(rows) {
  if (rows.length === 0) return put(answers, emptyState(t('noAnswers'), t('noAnswersText')));
  const counted = fields.filter((field) => ['select', 'checkbox', 'rating'].includes(field.type));
  const panels = counted.map((field) => {
    const options =
      field.type === 'select' ? field.options : field.type === 'rating' ? [5, 4, 3, 2, 1] : [true, false];
    const data = options.map((option) => ({
      label: formatValue(field, option) || t('no'),
      value: rows.filter((row) => row[field.key] === option).length,
      colour: field.type === 'select' ? optionShade(field, option) : undefined,
    }));
    const share = (value) => `${value} (${formatNumber(Math.round((100 * value) / rows.length))} %)`;
    return h('section', { class: 'card panel' }, h('h2', null, field.label), barList(data, share));
  });
  const numbers = fields.filter((field) => field.type === 'number' || field.type === 'currency');
  const tiles = [
    [t('answers'), formatNumber(rows.length)],
    ...numbers.map((field) => [
      `${field.label}, ${t('total')}`,
      formatValue(
        field,
        rows.reduce((sum, row) => sum + (row[field.key] ?? 0), 0),
      ),
    ]),
  ];
  put(
    answers,
    h(
      'dl',
      { class: 'stats' },
      tiles.map(([label, value]) => h('div', { class: 'stat' }, h('dt', null, label), h('dd', null, value))),
    ),
    panels,
    !isPoll && h('ul', { class: 'answer-list' }, [...rows].reverse().map(answerOf)),
  );
  return undefined;
}

function answerOf(row) {
  const filled = fields.filter((field) => formatValue(field, row[field.key]) !== '');
  const [first, ...others] = filled;
  const remove = () => {
    store.set(store.get().filter((other) => other.id !== row.id));
    toast(t('deleted', { name: first ? formatValue(first, row[first.key]) : t('answers') }), () =>
      store.undo(),
    );
  };
  return h(
    'li',
    { class: 'card answer' },
    h(
      'div',
      { class: 'row' },
      h('strong', null, first ? formatValue(first, row[first.key]) : '–'),
      h('span', { class: 'muted small' }, row.day ? formatDay(row.day) : ''),
      h('span', { class: 'spring' }),
      iconButton('trash', `${t('delete')}: ${first ? formatValue(first, row[first.key]) : ''}`, remove),
    ),
    h(
      'dl',
      null,
      others.map((field) =>
        h(
          'div',
          null,
          h('dt', { class: 'muted' }, field.label),
          h('dd', null, formatValue(field, row[field.key])),
        ),
      ),
    ),
  );
}

drawForm();
store.subscribe(drawAnswers);

/** Posts an answer as JSON, by the labels of its fields, and gives the key of what there is to say about it. */
async function postAnswer(row, fields) {
  if (!app.contact.endpoint) return 'notSent';
  const answers = Object.fromEntries(fields.map(({ key, label }) => [label, row[key] ?? null]));
  const body = JSON.stringify({ form: app.name, id: row.id, day: row.day, answers });
  try {
    const reply = await fetch(app.contact.endpoint ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'omit',
      body,
    });
    return reply.ok ? 'sent' : 'notSent';
  } catch {
    return 'notSent';
  }
}
