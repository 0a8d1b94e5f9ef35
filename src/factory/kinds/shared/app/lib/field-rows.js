import { h, iconButton, newId, put } from './dom.js';

import { fieldTypes, freeKey, heldKey } from './entries.js';
import { t } from './i18n.js';

/** The part of the form for the fields of an entry. It changes `fields` in place. */
export function fieldRows(fields) {
  const list = h('ol', { class: 'edit-list' });
  const status = h('p', { class: 'sr-only', role: 'status' });
  const draw = (focus = -1) => {
    put(
      list,
      fields.map((field, at) => fieldRow(field, at)),
    );
    if (focus >= 0) list.children[focus]?.querySelector('input')?.focus();
  };
  const move = (at, step) => {
    fields.splice(at + step, 0, ...fields.splice(at, 1));
    status.textContent = t('movedToPlace', { name: fields[at + step].label, n: at + step + 1 });
    draw(at + step);
  };
  const fieldRow = (field, at) => {
    const held = field.key === heldKey;
    return h(
      'li',
      { class: 'edit-row' },
      textLine(t('fieldName'), field.label, 60, (text) => {
        field.label = text;
      }),
      typeControl(field, held, () => draw(at)),
      field.type === 'select' &&
        textLine(
          t('choices'),
          (field.options ?? []).join('\n'),
          1000,
          (text) => {
            field.options = [...new Set(text.split('\n').map((option) => option.trim().slice(0, 60)))]
              .filter(Boolean)
              .slice(0, 16);
          },
          'textarea',
        ),
      field.type !== 'checkbox' && requiredControl(field),
      h(
        'div',
        { class: 'edit-buttons' },
        at > 0 && iconButton('up', t('moveUp', { name: field.label }), () => move(at, -1)),
        at < fields.length - 1 && iconButton('down', t('moveDown', { name: field.label }), () => move(at, 1)),
        !held &&
          fields.length > 1 &&
          iconButton('trash', `${t('delete')}: ${field.label}`, () => {
            fields.splice(at, 1);
            status.textContent = t('deleted', { name: field.label });
            draw(Math.max(0, at - 1));
          }),
      ),
    );
  };
  const add = () => {
    fields.push({ key: freeKey(fields), label: '', type: 'text' });
    draw(fields.length - 1);
  };
  draw();
  return h(
    'fieldset',
    { class: 'edit-part' },
    h('legend', null, t('fields')),
    list,
    fields.length < 24 && h('button', { type: 'button', class: 'button', onclick: add }, t('addField')),
    status,
  );
}

function typeControl(field, held, onchange) {
  const id = newId('edit');
  const control = h(
    'select',
    {
      id,
      disabled: held,
      onchange: () => {
        field.type = control.value;
        if (field.type === 'select') field.options ??= [];
        onchange();
      },
    },
    fieldTypes.map((type) => h('option', { value: type, selected: type === field.type }, t(`type_${type}`))),
  );
  return h('div', { class: 'field' }, h('label', { for: id }, t('fieldType')), control);
}

function requiredControl(field) {
  const id = newId('edit');
  const control = h('input', {
    type: 'checkbox',
    id,
    checked: field.required === true,
    onchange: () => {
      if (control.checked) field.required = true;
      else delete field.required;
    },
  });
  return h('label', { class: 'check', for: id }, control, t('mustBeFilled'));
}

/** The part of the form for headings, texts and lists. It changes `sections` in place. */
export function sectionRows(sections) {
  return sections.map((section) => {
    const list = h('ol', { class: 'edit-list' });
    const draw = (focus = -1) => {
      put(
        list,
        section.items.map((item, at) => itemRow(item, at)),
      );
      if (focus >= 0) list.children[focus]?.querySelector('input')?.focus();
    };
    const itemRow = (item, at) => {
      const member = (name, label, most, type) =>
        textLine(
          label,
          item[name],
          most,
          (text) => {
            if (text || name === 'title') item[name] = text;
            else delete item[name];
          },
          type,
        );
      return h(
        'li',
        { class: 'edit-row' },
        member('title', t('heading'), 120),
        member('text', t('text'), 600, 'textarea'),
        (section.type === 'prices' || section.type === 'items') && member('price', t('price'), 40),
        ['schedule', 'timeline', 'quotes'].includes(section.type) && member('meta', t('note'), 60),
        h(
          'div',
          { class: 'edit-buttons' },
          iconButton('trash', `${t('delete')}: ${item.title}`, () => {
            section.items.splice(at, 1);
            draw(Math.max(0, at - 1));
          }),
        ),
      );
    };
    const add = () => {
      section.items.push({ title: '' });
      draw(section.items.length - 1);
    };
    draw();
    return h(
      'fieldset',
      { class: 'edit-part' },
      h('legend', null, section.title),
      textLine(t('heading'), section.title, 80, (text) => {
        section.title = text;
      }),
      textLine(
        t('text'),
        section.text,
        800,
        (text) => {
          if (text) section.text = text;
          else delete section.text;
        },
        'textarea',
      ),
      section.type !== 'text' && [
        list,
        h('button', { type: 'button', class: 'button', onclick: add }, t('addLine')),
      ],
    );
  });
}

/** A labelled control for a text, or for several lines of it. */
export function textLine(label, value, most, onchange, type = 'input') {
  const id = newId('edit');
  const control = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (
    h(type, {
      id,
      maxlength: most,
      value: value ?? '',
      rows: type === 'textarea' ? 3 : null,
      autocomplete: 'off',
      oninput: () => onchange(control.value.trim()),
    })
  );
  return h('div', { class: 'field' }, h('label', { for: id }, label), control);
}
