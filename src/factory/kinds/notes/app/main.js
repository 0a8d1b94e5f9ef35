import { app, firstItems } from '../../shared/app/lib/app.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { focusIn, h, icon, iconButton, put } from '../../shared/app/lib/dom.js';
import { download } from '../../shared/app/lib/files.js';
import { dayFromNow, formatDay, t } from '../../shared/app/lib/i18n.js';
import { emptyState, mountShell, onKeys, searchBox } from '../../shared/app/lib/shell.js';
import { createStore, newEntryId } from '../../shared/app/lib/store.js';

/** A note is `{id, title, text, day, pinned, mood}`. Words that begin with # are its tags. */
const isJournal = app.variant === 'journal';
const moods = ['😀', '🙂', '😐', '🙁', '😢'];
const store = createStore(
  'notes',
  firstItems().map(({ title, text = '' }, index) => ({
    id: `seed${index}`,
    title,
    text,
    day: dayFromNow(-index),
    pinned: index === 0 && !isJournal,
    mood: null,
  })),
);
let search = '';
let tag = null;
let openId = store.get()[0]?.id ?? null;

const undo = () => {
  toast(store.undo() ? t('undone') : t('nothingToUndo'));
  drawEditor();
};
const exportText = () =>
  download(
    'notes.md',
    store
      .get()
      .map((note) => `# ${note.title || t('untitled')}\n\n${formatDay(note.day)}\n\n${note.text}\n`)
      .join('\n---\n\n'),
    'text/markdown',
  );
const exportJson = () => download('backup.json', JSON.stringify(store.get(), null, 2), 'application/json');
const main = mountShell({
  wide: true,
  actions: [
    { icon: 'undo', label: t('undo'), onclick: undo },
    { icon: 'download', label: t('exportText'), onclick: exportText },
    { icon: 'download', label: t('exportJson'), onclick: exportJson },
    { icon: 'print', label: t('print'), onclick: () => print() },
  ],
});
const searchField = searchBox(t('search'), (text) => {
  search = text;
  drawList();
});
const tagRow = h('div', { class: 'tags' });
const list = h('ul', { class: 'note-list' });
const editor = h('section', { class: 'card editor', 'aria-label': t('note') });
main.append(
  h(
    'div',
    { class: 'notes' },
    h(
      'nav',
      { class: 'stack', 'aria-label': t('notes') },
      h(
        'div',
        { class: 'toolbar' },
        searchField,
        h(
          'button',
          { type: 'button', class: 'button primary', title: t('shortcut', { key: 'N' }), onclick: add },
          icon('plus'),
          t(isJournal ? 'newEntry' : 'newNote'),
        ),
      ),
      tagRow,
      list,
    ),
    editor,
  ),
);

const tagsOf = (note) =>
  [...new Set(`${note.title} ${note.text}`.match(/#[\p{L}\p{N}_-]+/gu) ?? [])].map((word) =>
    word.toLocaleLowerCase(app.lang),
  );

function shownNotes() {
  const fits = (note) =>
    (!tag || tagsOf(note).includes(tag)) &&
    `${note.title}\n${note.text}`.toLocaleLowerCase(app.lang).includes(search);
  return store
    .get()
    .filter(fits)
    .sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.day.localeCompare(a.day));
}

function add() {
  const note = { id: newEntryId(), title: '', text: '', day: dayFromNow(), pinned: false, mood: null };
  openId = note.id;
  store.set([note, ...store.get()]);
  drawEditor();
  focusIn(editor, 'input');
  if (matchMedia('(max-width: 52rem)').matches) editor.scrollIntoView();
}

function open(id) {
  openId = id;
  drawList();
  drawEditor();
  if (matchMedia('(max-width: 52rem)').matches) editor.scrollIntoView();
}

const change = (id, part) =>
  store.set(store.get().map((note) => (note.id === id ? { ...note, ...part } : note)));

function remove(note) {
  store.set(store.get().filter((other) => other.id !== note.id));
  openId = shownNotes()[0]?.id ?? null;
  drawList();
  drawEditor();
  toast(t('deleted', { name: note.title || t('untitled') }), undo);
}

function drawList() {
  const notes = shownNotes();
  const tags = [...new Set(store.get().flatMap(tagsOf))].sort();
  if (!tags.includes(tag)) tag = null;
  const pick = (name) => () => {
    tag = tag === name ? null : name;
    drawList();
  };
  put(
    tagRow,
    tags.map((name) =>
      h(
        'button',
        { type: 'button', class: 'tag', 'aria-pressed': String(name === tag), onclick: pick(name) },
        name,
      ),
    ),
  );
  put(
    list,
    notes.map((note) =>
      h(
        'li',
        null,
        h(
          'button',
          {
            type: 'button',
            class: 'note-item',
            'aria-current': note.id === openId ? 'true' : null,
            onclick: () => open(note.id),
          },
          h(
            'span',
            { class: 'row' },
            note.mood && h('span', { 'aria-hidden': 'true' }, note.mood),
            h('strong', null, note.title || t('untitled')),
            note.pinned && icon('star'),
          ),
          h('span', { class: 'excerpt muted small' }, note.text.slice(0, 120)),
          h('span', { class: 'muted small' }, formatDay(note.day)),
        ),
      ),
    ),
    notes.length === 0 && h('li', { class: 'muted' }, t('noMatch')),
  );
}

function drawEditor() {
  const note = store.get().find((entry) => entry.id === openId);
  if (!note) {
    put(
      editor,
      emptyState(
        t('emptyTitle'),
        t('noNote'),
        h(
          'button',
          { type: 'button', class: 'button primary', onclick: add },
          t(isJournal ? 'newEntry' : 'newNote'),
        ),
      ),
    );
    return;
  }
  const words = h('span', { class: 'muted small' });
  const count = () => {
    words.textContent = t('words', { n: text.value.trim().split(/\s+/).filter(Boolean).length });
  };
  const title = h('input', {
    type: 'text',
    class: 'title',
    'aria-label': t('title'),
    placeholder: t('title'),
    maxlength: 120,
    value: note.title,
    onchange: () => change(note.id, { title: title.value.trim() }),
  });
  const text = h('textarea', {
    'aria-label': t('text'),
    placeholder: t('writeHere'),
    rows: 14,
    value: note.text,
    oninput: count,
    onchange: () => change(note.id, { text: text.value }),
  });
  const day = h('input', {
    type: 'date',
    'aria-label': t('day'),
    value: note.day,
    onchange: () => day.value && change(note.id, { day: day.value }),
  });
  const pin = (event) => {
    const pinned = event.currentTarget.getAttribute('aria-pressed') !== 'true';
    event.currentTarget.setAttribute('aria-pressed', String(pinned));
    change(note.id, { pinned });
  };
  const feel = (mood) => (event) => {
    for (const other of event.currentTarget.parentElement.children)
      other.setAttribute('aria-pressed', String(other === event.currentTarget));
    change(note.id, { mood });
  };
  put(
    editor,
    h(
      'div',
      { class: 'row' },
      h('div', { class: 'day' }, day),
      h('span', { class: 'spring' }),
      iconButton('star', t('pin'), pin, { 'aria-pressed': String(note.pinned), class: 'icon-button pin' }),
      iconButton('trash', t('delete'), () => remove(note)),
    ),
    title,
    isJournal &&
      h(
        'div',
        { class: 'moods', role: 'group', 'aria-label': t('mood') },
        moods.map((mood, index) =>
          h(
            'button',
            {
              type: 'button',
              'aria-pressed': String(note.mood === mood),
              'aria-label': t(`mood${index + 1}`),
              onclick: feel(mood),
            },
            mood,
          ),
        ),
      ),
    text,
    h(
      'div',
      { class: 'row' },
      words,
      h('span', { class: 'spring' }),
      h('span', { class: 'muted small' }, t('savedByItself')),
    ),
  );
  count();
}

/** What is being typed is stored when the page is left as well. */
addEventListener('pagehide', () => document.activeElement?.dispatchEvent(new Event('change')));
onKeys({ n: add, '/': () => focusIn(searchField, 'input'), undo });
store.subscribe(drawList);
drawEditor();
