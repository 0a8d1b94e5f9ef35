import { app, isChanged, original } from './app.js';
import { restart } from './changes.js';
import { ask, openDialog } from './dialog.js';
import { h } from './dom.js';
import { fitted, heldKey, keepFields, openedEntries, plainFields } from './entries.js';
import { fieldRows, sectionRows, textLine } from './field-rows.js';
import { download } from './files.js';
import { t } from './i18n.js';
import { remember } from './store.js';

/** The entries of the menu by which the app itself is changed. */
export function appActions() {
  const reset = () => {
    keep(original.entity?.fields);
    restart(original, null);
  };
  return [
    { icon: 'edit', label: t('editApp'), onclick: editApp },
    { icon: 'download', label: t('savePage'), onclick: savePage },
    ...(isChanged
      ? [
          {
            icon: 'undo',
            label: t('resetApp'),
            onclick: () => ask(t('resetApp'), t('resetApp'), reset),
          },
        ]
      : []),
  ];
}

let hasTexts = true;

/** Leaves headings, texts and contact out of the form: the app changes them where they are shown. */
export const textsInPlace = () => {
  hasTexts = false;
};

/** Opens the form in which name, fields, headings and texts are changed. */
export function editApp() {
  const draft = structuredClone({
    name: app.name,
    tagline: app.tagline,
    ...(app.entity && { entity: app.entity }),
    // The lists of other apps are changed where they are shown.
    ...(hasTexts && app.contact && { sections: app.sections, contact: app.contact }),
    ...(app.hours && { hours: app.hours }),
  });
  const wrong = h('p', { class: 'field-hint', role: 'alert', hidden: true });
  openDialog({
    title: t('editApp'),
    body: h(
      'div',
      { class: 'edit-app' },
      textLine(t('appName'), draft.name, 60, (text) => {
        draft.name = text;
      }),
      textLine(t('appLine'), draft.tagline, 160, (text) => {
        draft.tagline = text;
      }),
      draft.entity && [
        textLine(t('oneThing'), draft.entity.singular, 60, (text) => {
          draft.entity.singular = text;
        }),
        textLine(t('manyThings'), draft.entity.plural, 60, (text) => {
          draft.entity.plural = text;
        }),
        fieldRows(draft.entity.fields),
      ],
      draft.sections && sectionRows(draft.sections),
      draft.contact && contactLines(draft),
      wrong,
    ),
    onsave: () => {
      const problem = problemOf(draft);
      wrong.textContent = problem;
      wrong.hidden = problem === '';
      if (problem) return false;
      keep(draft.entity?.fields);
      restart(original, { ...draft, ...(draft.entity && keysIn(draft.entity.fields)) });
    },
  });
}

function contactLines(draft) {
  const { contact } = draft;
  const member = (name, label, most) =>
    textLine(label, contact[name], most, (text) => {
      if (text) contact[name] = text;
      else delete contact[name];
    });
  return h(
    'fieldset',
    { class: 'edit-part' },
    h('legend', null, t('contact')),
    member('address', t('address'), 160),
    member('phone', t('type_phone'), 40),
    member('email', t('type_email'), 120),
    draft.hours &&
      textLine(
        t('hoursLines'),
        draft.hours.map(({ days, time }) => `${days}: ${time}`).join('\n'),
        400,
        (text) => {
          draft.hours = text.split('\n').flatMap((entry) => {
            const [, days, time] = /^(.+?):\s+(.+)$/.exec(entry.trim()) ?? [];
            return days ? [{ days, time }] : [];
          });
        },
        'textarea',
      ),
  );
}

/**
 * What is wrong with a draft, in words for who made it; empty when nothing is.
 * @param {Partial<import('./app.js').App>} draft
 */
function problemOf({ name, entity, sections }) {
  if (!name) return t('needsText', { what: t('appName') });
  if (sections?.some(({ title, items }) => !title || items.some((item) => !item.title)))
    return t('needsText', { what: t('heading') });
  if (!entity) return '';
  if (!entity.singular || !entity.plural) return t('needsText', { what: t('oneThing') });
  if (entity.fields.length === 0) return t('needsText', { what: t('fields') });
  for (const { label, type, options } of entity.fields) {
    if (!label) return t('needsText', { what: t('fieldName') });
    if (type === 'select' && !options?.length) return t('needsText', { what: `${label}: ${t('choices')}` });
  }
  return '';
}

/** What else the app says of its fields: the one that ticks an entry off, the date to keep, the first order. */
function keysIn(fields) {
  const keyOf = (key, type) =>
    fields.find((field) => field.key === key && field.type === type)?.key ??
    (key === null || key === undefined ? key : (fields.find((field) => field.type === type)?.key ?? null));
  const sort = fields.some(({ key }) => key === app.sort?.key) ? app.sort : { key: '', down: false };
  return {
    ...('done' in app && { done: keyOf(app.done, 'checkbox') }),
    ...('due' in app && { due: keyOf(app.due, 'date') }),
    ...('sort' in app && { sort }),
  };
}

/** Keeps the entries in the form that the new fields have. */
function keep(fields) {
  const entries = openedEntries();
  if (!entries || !fields) return;
  remember(
    entries.name,
    entries.get().map((row) => fitted(row, app.entity.fields, fields)),
  );
  keepFields(fields);
}

/** The app with its changes as one page, which opens by double-click. Entries stay in the browser. */
function savePage() {
  const page = /** @type {HTMLElement} */ (document.documentElement.cloneNode(true));
  const put = (selector, text) => page.querySelector(selector)?.replaceChildren(text);
  put('#app', '');
  put('#app-data', JSON.stringify(app, null, 2).replaceAll('<', '\\u003c'));
  put('title', app.name);
  for (const made of page.querySelectorAll('.toasts, dialog')) made.remove();
  download('page.html', `<!doctype html>\n${page.outerHTML}\n`, 'text/html');
}

/**
 * Takes over the rows of a file that was saved here. Where its fields differ from those of the app, it asks first whether to go
 * on with them.
 * @param saved the fields that the file names, which anybody may have written
 * @param take puts the rows of the file into the app, read by these fields
 */
export function takeWithFields(saved, take) {
  const fields = plainFields(saved);
  const same = JSON.stringify(fields) === JSON.stringify(plainFields(app.entity.fields));
  const held = heldKey === null || fields.some(({ key, type }) => key === heldKey && type === 'select');
  if (fields.length === 0 || same || !held) return take(app.entity.fields);
  openDialog({
    title: t('otherFields'),
    body: h('p', null, fields.map(({ label }) => label).join(', ')),
    save: t('takeFields'),
    onsave: () => {
      const entries = openedEntries();
      entries.set(entries.get().map((row) => fitted(row, app.entity.fields, fields)));
      take(fields);
      keepFields(fields);
      const { name, tagline, entity } = app;
      restart(original, { name, tagline, entity: { ...entity, fields }, ...keysIn(fields) });
    },
    actions: [{ label: t('leaveFields'), onclick: () => take(app.entity.fields) }],
  });
}
