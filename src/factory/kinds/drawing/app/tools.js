import { h, icon, iconButton, put } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { recall, remember } from '../../shared/app/lib/store.js';

const colours = [
  ['black', '#1f2328'],
  ['grey', '#8b949e'],
  ['brown', '#8a5a2b'],
  ['red', '#d92d20'],
  ['orange', '#f58518'],
  ['yellow', '#f9d423'],
  ['green', '#2ca02c'],
  ['turquoise', '#17a2b8'],
  ['blue', '#2563eb'],
  ['purple', '#7c3aed'],
  ['pink', '#ec4899'],
];

/**
 * What is drawn with: `width` in units of the sheet.
 * @typedef {{ colour: string, width: number, rubs: boolean }} Tool
 */

/**
 * The tools that lie beside a sheet. They are remembered.
 * @param {number[]} widths the pen sizes to choose from; none are offered where there is one only
 */
export function toolBox(widths) {
  /** @type {Tool} */
  const kept = recall('tool', { colour: colours[0][1], width: widths[1] ?? widths[0], rubs: false });
  let tool = widths.includes(kept.width) ? kept : { ...kept, width: widths[0] };
  const element = h('div', { class: 'tools', role: 'group', 'aria-label': t('tools') });

  const choose = (part) => {
    tool = { ...tool, ...part };
    remember('tool', tool);
    own.classList.toggle('chosen', !tool.rubs && !colours.some(([, colour]) => colour === tool.colour));
    for (const button of element.querySelectorAll('[data-tool]'))
      button.setAttribute('aria-pressed', String(isChosen(button.getAttribute('data-tool'))));
  };
  const isChosen = (name) =>
    name === 'eraser' ? tool.rubs : name === String(tool.width) || (!tool.rubs && name === tool.colour);

  /** @param {string[]} named */
  const swatch = ([name, colour]) =>
    h('button', {
      type: 'button',
      class: 'swatch-button',
      'data-tool': colour,
      'aria-pressed': 'false',
      'aria-label': t(`colour_${name}`),
      title: t(`colour_${name}`),
      style: `--swatch:${colour}`,
      onclick: () => choose({ colour, rubs: false }),
    });
  const size = (width, index) =>
    h(
      'button',
      {
        type: 'button',
        class: 'size-button',
        'data-tool': String(width),
        'aria-pressed': 'false',
        'aria-label': t(`pen_${index + 1}`),
        title: t(`pen_${index + 1}`),
        onclick: () => choose({ width }),
      },
      h('span', { style: `--dot:${0.3 + index * 0.28}rem` }),
    );
  const own = h('input', {
    type: 'color',
    class: 'own-colour',
    'aria-label': t('ownColour'),
    title: t('ownColour'),
    value: tool.colour,
    oninput: () => choose({ colour: own.value, rubs: false }),
  });
  put(
    element,
    h('div', { class: 'colours', role: 'group', 'aria-label': t('colour') }, colours.map(swatch), own),
    widths.length > 1 &&
      h('div', { class: 'segments sizes', role: 'group', 'aria-label': t('penSize') }, widths.map(size)),
    h(
      'button',
      {
        type: 'button',
        class: 'button eraser',
        'data-tool': 'eraser',
        'aria-pressed': 'false',
        title: t('shortcut', { key: 'E' }),
        onclick: () => choose({ rubs: !tool.rubs }),
      },
      t('eraser'),
    ),
  );
  choose({});
  return { element, get: () => tool, turn: () => choose({ rubs: !tool.rubs }) };
}

/**
 * The buttons by which steps are taken back. `can` says which of them can do anything now.
 * @param {{ undo: () => unknown, redo: () => unknown, wipe: () => unknown }} actions
 */
export function stepButtons({ undo, redo, wipe }) {
  const back = iconButton('undo', t('undo'), undo);
  const forth = iconButton('undo', t('redo'), redo, { class: 'icon-button mirrored' });
  const clear = h('button', { type: 'button', class: 'button', onclick: wipe }, icon('trash'), t('wipe'));
  /** @param {{ undo: boolean, redo: boolean, wipe: boolean }} what */
  const can = (what) => {
    back.disabled = !what.undo;
    forth.disabled = !what.redo;
    clear.disabled = !what.wipe;
  };
  return { element: h('div', { class: 'steps' }, back, forth, clear), can };
}
