import { openDialog, toast } from './dialog.js';
import { h, icon, iconButton, newId, put } from './dom.js';
import { t } from './i18n.js';
import { newEntryId } from './store.js';

/** The list of questions or cards, where one adds, changes and deletes them. */
export function questionList(store, { withWrong, labels }) {
  const list = h('ul', { class: 'question-list card' });

  const edit = (entry) => {
    const control = (name, label, value, required) => {
      const id = newId('question');
      return h(
        'div',
        { class: 'field' },
        h('label', { for: id }, label),
        h('input', {
          id,
          name,
          type: 'text',
          required,
          maxlength: 200,
          autocomplete: 'off',
          value: value ?? '',
        }),
      );
    };
    const save = (form) => {
      const data = new FormData(form);
      const text = (name) => String(data.get(name) ?? '').trim();
      const wrong = withWrong ? [0, 1, 2].map((index) => text(`wrong${index}`)).filter(Boolean) : [];
      const next = {
        ...entry,
        id: entry?.id ?? newEntryId(),
        prompt: text('prompt'),
        answer: text('answer'),
        wrong,
      };
      const all = store.get();
      store.set(entry ? all.map((other) => (other.id === entry.id ? next : other)) : [...all, next]);
      toast(t(entry ? 'saved' : 'added'));
    };
    openDialog({
      title: entry ? labels.edit : labels.add,
      body: h(
        'div',
        { class: 'stack' },
        control('prompt', labels.prompt, entry?.prompt, true),
        control('answer', labels.answer, entry?.answer, true),
        withWrong &&
          [0, 1, 2].map((index) =>
            control(
              `wrong${index}`,
              t('wrongAnswer', { number: index + 1 }),
              entry?.wrong[index],
              index === 0,
            ),
          ),
      ),
      onsave: save,
    });
  };

  const remove = (entry) => {
    store.set(store.get().filter((other) => other.id !== entry.id));
    toast(t('deleted', { name: entry.prompt }), () => store.undo());
  };

  store.subscribe((entries) =>
    put(
      list,
      entries.map((entry) =>
        h(
          'li',
          null,
          h('div', null, h('strong', null, entry.prompt), h('p', { class: 'muted small' }, entry.answer)),
          iconButton('edit', `${t('editShort')}: ${entry.prompt}`, () => edit(entry)),
          iconButton('trash', `${t('delete')}: ${entry.prompt}`, () => remove(entry)),
        ),
      ),
    ),
  );

  const addButton = h(
    'button',
    { type: 'button', class: 'button primary', onclick: () => edit(null) },
    icon('plus'),
    labels.add,
  );
  return h(
    'div',
    { class: 'stack' },
    h('div', { class: 'row' }, h('h2', null, labels.title), h('span', { class: 'spring' }), addButton),
    list,
  );
}

/**
 * Another order of a list.
 * @template Entry
 * @param {Entry[]} list
 */
export function shuffled(list) {
  const copy = [...list];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [copy[last], copy[other]] = [copy[other], copy[last]];
  }
  return copy;
}

/**
 * Tabs between the parts of a tool.
 * @param {[name: string, label: string][]} entries
 * @param {(name: string) => unknown} onpick
 */
export function tabs(entries, onpick) {
  const pick = (event) => {
    for (const button of bar.children)
      button.setAttribute('aria-pressed', String(button === event.currentTarget));
    onpick(event.currentTarget.dataset.tab);
  };
  const bar = h(
    'div',
    { class: 'segments' },
    entries.map(([name, label], index) =>
      h(
        'button',
        { type: 'button', 'data-tab': name, 'aria-pressed': String(index === 0), onclick: pick },
        label,
      ),
    ),
  );
  return bar;
}
