import { app } from '../../shared/app/lib/app.js';
import { openDialog } from '../../shared/app/lib/dialog.js';
import { h } from '../../shared/app/lib/dom.js';
import { fieldControl, readForm } from '../../shared/app/lib/fields.js';
import { dayFromNow, t } from '../../shared/app/lib/i18n.js';
import { newEntryId } from '../../shared/app/lib/store.js';

const { fields, singular } = app.entity;

/** Opens the form for a new entry, of which `known` is known already, or for `row`. */
export function editEntry(row, save, remove, known = {}) {
  const firstDate = fields.find((field) => field.type === 'date');
  const start = (field) => {
    if (row) return row[field.key];
    if (known[field.key]) return known[field.key];
    if (field === firstDate && !app.features.includes('due')) return dayFromNow();
    return field.type === 'select' && field.required ? field.options[0] : null;
  };
  openDialog({
    title: row ? t('edit', { what: singular }) : t('newThing', { what: singular }),
    body: h(
      'div',
      { class: 'form-grid' },
      fields.map((field) => fieldControl(field, start(field))),
    ),
    actions: row ? [{ label: t('delete'), danger: true, onclick: () => remove(row) }] : [],
    onsave: (form) => save({ ...row, id: row?.id ?? newEntryId(), ...readForm(form, fields) }),
  });
}
