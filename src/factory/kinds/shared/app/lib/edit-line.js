import { h, newId } from './dom.js';

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
