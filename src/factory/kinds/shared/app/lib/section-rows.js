import { h, iconButton, put } from './dom.js';
import { textLine } from './edit-line.js';
import { t } from './i18n.js';

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
