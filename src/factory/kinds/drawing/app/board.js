import { toast } from '../../shared/app/lib/dialog.js';
import { h, icon, iconButton, put } from '../../shared/app/lib/dom.js';
import { offer } from '../../shared/app/lib/files.js';
import { t } from '../../shared/app/lib/i18n.js';
import { mountShell, onKeys } from '../../shared/app/lib/shell.js';
import { recall, remember } from '../../shared/app/lib/store.js';
import { keepHand, openDrawing, visible } from './drawing.js';

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
 * How strokes come onto a sheet.
 * @typedef {object} Manner
 * @property {{ width: number, height: number }} size of an empty sheet, in units
 * @property {number[]} widths the pen sizes, in units
 * @property {number} stride how far an arrow key goes, in units
 * @property {string} sheet the class of the sheet
 * @property {string | null} paper the colour of the paper in pictures; null leaves it clear
 * @property {(size: { width: number, height: number }) => number} pixels of a picture for each unit
 * @property {(stroke: import('./drawing.js').Stroke, x: number, y: number, press: number | null) => boolean} reach
 *   takes a stroke on to a point; false where that changes nothing
 * @property {(context: CanvasRenderingContext2D, stroke: import('./drawing.js').Stroke, from: number, ended: boolean)
 *   => void} paint paints a stroke from one of its points on
 */

/**
 * Shows the sheet with its tools.
 * @param {Manner} manner
 */
export function openBoard(manner) {
  const drawing = openDrawing(manner.size);
  const undo = () => drawing.undo() || toast(t('nothingToUndo'));
  const redo = () => drawing.redo() || toast(t('nothingToRedo'));
  const wipe = () => {
    drawing.wipe();
    toast(t('wiped'), () => drawing.undo());
  };
  const main = mountShell({
    wide: true,
    actions: [
      { icon: 'download', label: t('savePicture'), onclick: savePicture },
      { icon: 'download', label: t('exportJson'), onclick: drawing.save },
      { icon: 'upload', label: t('import'), onclick: drawing.load },
      { icon: 'print', label: t('print'), onclick: () => print() },
    ],
  });
  const tools = toolBox(manner.widths);
  const steps = stepButtons({ undo, redo, wipe });
  const canvas = h('canvas', {
    class: 'canvas',
    tabindex: '0',
    // Arrow keys draw here; a screen reader would keep them for itself otherwise.
    role: 'application',
    'aria-label': t('sheet'),
    'aria-describedby': 'sheet-state sheet-keys',
  });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const cursor = h('span', { class: 'cursor', hidden: true });
  const sheet = h('div', { class: `sheet ${manner.sheet}` }, canvas, cursor);
  const state = h('p', { id: 'sheet-state', role: 'status', class: 'muted small' });
  const keys = h('p', { id: 'sheet-keys', class: 'muted small keys' }, t('keysOfSheet'));
  const easel = h('div', { class: 'easel' }, sheet, h('div', { class: 'below' }, state, keys));
  main.append(
    h(
      'div',
      { class: 'bench' },
      h(
        'div',
        { class: 'card tray' },
        tools.element,
        steps.element,
        h(
          'button',
          { type: 'button', class: 'button primary', onclick: savePicture },
          icon('download'),
          t('savePicture'),
        ),
      ),
      easel,
    ),
  );

  /**
   * The stroke that lies on the canvas already, as a hand has just drawn it: to paint all of them anew would take the
   * longer the more there are, and would wipe away what other fingers are drawing.
   * @type {import('./drawing.js').Stroke | null}
   */
  let painted = null;

  /** Units of the sheet as pixels of the canvas. */
  function rescale() {
    const { width, height } = drawing.get();
    easel.style.setProperty('--wide', String(width));
    easel.style.setProperty('--high', String(height));
    const scale = (sheet.clientWidth * devicePixelRatio) / width;
    if (scale === 0) return;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    context.setTransform(canvas.width / width, 0, 0, canvas.height / height, 0, 0);
    for (const stroke of visible(drawing.get())) manner.paint(context, stroke, 0, true);
  }

  function show() {
    const { done, undone } = drawing.get();
    if (painted === null || done.at(-1) !== painted) rescale();
    painted = null;
    const shown = visible(drawing.get()).length;
    state.textContent = shown === 0 ? t('sheetEmpty') : t('strokes', { n: shown });
    steps.can({ undo: done.length > 0, redo: undone.length > 0, wipe: shown > 0 });
  }

  function savePicture() {
    const { width, height } = drawing.get();
    const scale = manner.pixels({ width, height });
    const layer = (paper) => {
      const made = h('canvas', { width: width * scale, height: height * scale });
      const brush = /** @type {CanvasRenderingContext2D} */ (made.getContext('2d'));
      if (paper) {
        brush.fillStyle = paper;
        brush.fillRect(0, 0, made.width, made.height);
      }
      return { made, brush };
    };
    const strokes = layer(null);
    strokes.brush.scale(scale, scale);
    for (const stroke of visible(drawing.get())) manner.paint(strokes.brush, stroke, 0, true);
    // What is rubbed out is clear; the paper lies below.
    const picture = layer(manner.paper);
    picture.brush.drawImage(strokes.made, 0, 0);
    picture.made.toBlob((blob) => blob && offer('drawing.png', blob), 'image/png');
  }

  const begin = (rubs = false) => {
    const { colour, width, rubs: eraser } = tools.get();
    return { colour: eraser || rubs ? '' : colour, width, points: [] };
  };
  keepHand(canvas, cursor, {
    size: drawing.get,
    stride: manner.stride,
    begin,
    reach(stroke, x, y, press) {
      const from = stroke.points.length / 2;
      if (manner.reach(stroke, x, y, press)) manner.paint(context, stroke, from, false);
    },
    end(stroke) {
      if (stroke.points.length === 0) return;
      manner.paint(context, stroke, stroke.points.length / 2, true);
      painted = stroke;
      drawing.add(stroke);
    },
  });
  onKeys({ e: tools.turn, undo });
  document.addEventListener('keydown', (event) => {
    const wanted = (event.ctrlKey || event.metaKey) && (event.key === 'y' || event.key === 'Z');
    if (!wanted || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    redo();
  });
  new ResizeObserver(rescale).observe(sheet);
  drawing.subscribe(show);
}

/**
 * What is drawn with: `width` in units of the sheet.
 * @typedef {{ colour: string, width: number, rubs: boolean }} Tool
 */

/**
 * The tools that lie beside a sheet. They are remembered.
 * @param {number[]} widths the pen sizes to choose from; none are offered where there is one only
 */
function toolBox(widths) {
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
function stepButtons({ undo, redo, wipe }) {
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
