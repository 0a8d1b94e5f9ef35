import { app } from '../../shared/app/lib/app.js';
import { openDialog, toast } from '../../shared/app/lib/dialog.js';
import { focusIn, h, icon, iconButton, pageTitle, put, textIn } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { emptyState, mark, onKeys, searchBox, themeButton } from '../../shared/app/lib/shell.js';
import { createStore, newEntryId, persistent } from '../../shared/app/lib/store.js';

/** Chapters with their articles: `{title, items: [{id, title, text}]}`. */
const store = createStore(
  'articles',
  app.sections.map((section, at) => ({
    title: section.title,
    items: section.items.map((item, index) => ({
      id: `a${at}-${index}`,
      title: item.title,
      text: item.text ?? '',
    })),
  })),
);
let search = '';

const searchField = searchBox(t('searchHelp'), (text) => {
  search = text;
  draw();
});
const nav = h('nav', { class: 'doc-nav', 'aria-label': t('contents') });
const content = h('div', { class: 'doc-content' });
const status = h('p', { class: 'muted small', role: 'status' });
document
  .getElementById('app')
  ?.replaceChildren(
    h('a', { class: 'skip-link', href: '#main' }, t('skip')),
    h(
      'header',
      { class: 'doc-head' },
      h(
        'div',
        { class: 'doc-bar' },
        mark(),
        h('span', { class: 'spring' }),
        h(
          'button',
          { type: 'button', class: 'button', onclick: () => edit(null) },
          icon('plus'),
          t('addArticle'),
        ),
        themeButton(),
      ),
      pageTitle(app.name),
      h('p', { class: 'lead' }, app.tagline),
      searchField,
      status,
    ),
    ...(persistent
      ? []
      : [h('aside', { class: 'hint doc-hint' }, icon('lock'), h('p', null, t('notSaved')))]),
    h('div', { class: 'doc-layout' }, nav, h('main', { id: 'main' }, content)),
  );

function draw() {
  const fits = (article) => `${article.title}\n${article.text}`.toLocaleLowerCase(app.lang).includes(search);
  const chapters = store.get().map((chapter) => ({ ...chapter, items: chapter.items.filter(fits) }));
  const shown = chapters.filter((chapter) => chapter.items.length > 0);
  const hits = shown.reduce((sum, chapter) => sum + chapter.items.length, 0);
  status.textContent = search ? t('hits', { n: hits }) : '';
  put(
    nav,
    shown.map((chapter) =>
      h(
        'div',
        null,
        h('p', { class: 'label' }, chapter.title),
        h(
          'ul',
          null,
          chapter.items.map((article) =>
            h('li', null, h('a', { href: `#${article.id}`, onclick: () => open(article.id) }, article.title)),
          ),
        ),
      ),
    ),
  );
  put(
    content,
    shown.map((chapter) =>
      h(
        'section',
        { 'aria-label': chapter.title },
        h('h2', null, chapter.title),
        chapter.items.map(articleOf),
      ),
    ),
    shown.length === 0 && emptyState(t('noMatch'), t('noMatchText')),
  );
}

const open = (id) => document.getElementById(id)?.setAttribute('open', '');

function articleOf(article) {
  return h(
    'details',
    { class: 'card article', id: article.id, open: search !== '' || app.copy.unfold === 'yes' },
    h('summary', null, h('h3', null, marked(article.title)), icon('down')),
    h(
      'div',
      { class: 'article-text' },
      article.text.split(/\n+/).map((line) => h('p', null, marked(line))),
    ),
    h(
      'div',
      { class: 'row no-print' },
      h('span', { class: 'spring' }),
      iconButton('edit', `${t('editShort')}: ${article.title}`, () => edit(article)),
      iconButton('trash', `${t('delete')}: ${article.title}`, () => remove(article)),
    ),
  );
}

/** The text with what was searched for marked in it. */
function marked(text) {
  if (!search) return [text];
  const lower = text.toLocaleLowerCase(app.lang);
  const pieces = [];
  let from = 0;
  for (let at = lower.indexOf(search); at >= 0; at = lower.indexOf(search, from)) {
    pieces.push(text.slice(from, at), h('mark', null, text.slice(at, at + search.length)));
    from = at + search.length;
  }
  return [...pieces, text.slice(from)];
}

function edit(article) {
  const chapters = store.get();
  const home = Math.max(
    chapters.findIndex((chapter) => chapter.items.some((other) => other.id === article?.id)),
    0,
  );
  const save = (form) => {
    const data = new FormData(form);
    const next = {
      id: article?.id ?? newEntryId(),
      title: textIn(form, 'title'),
      text: textIn(form, 'text'),
    };
    const target = Number(data.get('chapter'));
    store.set(
      chapters.map((chapter, index) => {
        const known = chapter.items.some((other) => other.id === next.id);
        if (index !== target)
          return { ...chapter, items: chapter.items.filter((other) => other.id !== next.id) };
        return {
          ...chapter,
          items: known
            ? chapter.items.map((other) => (other.id === next.id ? next : other))
            : [...chapter.items, next],
        };
      }),
    );
    open(next.id);
    toast(t(article ? 'saved' : 'added'));
  };
  openDialog({
    title: t(article ? 'editArticle' : 'addArticle'),
    body: h(
      'div',
      { class: 'stack' },
      h(
        'div',
        { class: 'field' },
        h('label', { for: 'article-title' }, t('title')),
        h('input', {
          id: 'article-title',
          name: 'title',
          type: 'text',
          required: true,
          maxlength: 120,
          value: article?.title ?? '',
        }),
      ),
      h(
        'div',
        { class: 'field' },
        h('label', { for: 'article-chapter' }, t('chapter')),
        h(
          'select',
          { id: 'article-chapter', name: 'chapter' },
          chapters.map((chapter, index) =>
            h('option', { value: index, selected: index === home }, chapter.title),
          ),
        ),
      ),
      h(
        'div',
        { class: 'field' },
        h('label', { for: 'article-text' }, t('text')),
        h('textarea', {
          id: 'article-text',
          name: 'text',
          required: true,
          rows: 6,
          value: article?.text ?? '',
        }),
      ),
    ),
    onsave: save,
  });
}

function remove(article) {
  store.set(
    store
      .get()
      .map((chapter) => ({ ...chapter, items: chapter.items.filter((other) => other.id !== article.id) })),
  );
  toast(t('deleted', { name: article.title }), () => store.undo());
}

onKeys({ '/': () => focusIn(searchField, 'input'), undo: () => store.undo() });
store.subscribe(draw);
if (location.hash) open(location.hash.slice(1));
