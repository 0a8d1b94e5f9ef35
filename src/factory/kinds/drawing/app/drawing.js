import { app } from '../../shared/app/lib/app.js';
import { toast } from '../../shared/app/lib/dialog.js';
import { download, parsed, pickFile } from '../../shared/app/lib/files.js';
import { t } from '../../shared/app/lib/i18n.js';
import { createStore } from '../../shared/app/lib/store.js';

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * One stroke: its points are x and y by turns, in units of the sheet, which do not change with the window. Without a
 * colour it rubs out. `press` is how hard the pen was pressed at each point, in percent of its width.
 * @typedef {{ colour: string, width: number, points: number[], press?: number[] }} Stroke
 *
 * What has been done: a stroke, or the sheet was wiped.
 * @typedef {Stroke | 'wiped'} Step
 *
 * @typedef {{ width: number, height: number, done: Step[], undone: Step[] }} Drawing
 */

/**
 * Opens the drawing that is kept in the browser, or an empty one.
 * @param {{ width: number, height: number }} size of an empty sheet, in units
 */
export function openDrawing({ width, height }) {
  const store = createStore('drawing', /** @type {Drawing} */ ({ width, height, done: [], undone: [] }));

  /** Takes the last step of one list to the other. */
  const shift = (from, to) => {
    const drawing = store.get();
    const step = drawing[from].at(-1);
    if (step === undefined) return false;
    store.set({ ...drawing, [from]: drawing[from].slice(0, -1), [to]: [...drawing[to], step] });
    return true;
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    /** @param {Stroke} stroke */
    add: (stroke) => store.set({ ...store.get(), done: [...store.get().done, stroke], undone: [] }),
    undo: () => shift('done', 'undone'),
    redo: () => shift('undone', 'done'),
    /** Wipes the sheet. What was wiped before that is given up, so that a drawing does not grow for ever. */
    wipe() {
      const { done } = store.get();
      store.set({
        ...store.get(),
        done: [...done.slice(done.lastIndexOf('wiped') + 1), 'wiped'],
        undone: [],
      });
    },
    save() {
      const { undone: _, ...drawing } = store.get();
      const backup = { kind: app.kind, variant: app.variant, ...drawing };
      download('backup.json', JSON.stringify(backup), 'application/json');
    },
    /** Takes the drawing of such a file in place of what is there. */
    load() {
      pickFile('.json,application/json', (text) => {
        const drawing = drawingIn(parsed(text));
        if (!drawing) return toast(t('importNothing'));
        store.set(drawing);
        return toast(t('drawingOpened'), () => store.undo());
      });
    },
  };
}

/** The strokes that can be seen: those since the sheet was last wiped. */
export const visible = ({ done }) => /** @type {Stroke[]} */ (done.slice(done.lastIndexOf('wiped') + 1));

const most = { side: 4000, width: 400, steps: 50_000, numbers: 2_000_000 };

/**
 * The drawing of a file, which anybody may have written; null where it is none of this app.
 * @returns {Drawing | null}
 */
function drawingIn({ kind, variant, width, height, done }) {
  const sides = [width, height].every((side) => Number.isInteger(side) && side > 0 && side <= most.side);
  if (kind !== app.kind || variant !== app.variant || !sides) return null;
  if (!Array.isArray(done) || done.length > most.steps) return null;
  const steps = done.flatMap((step) => (step === 'wiped' ? step : (strokeIn(step) ?? [])));
  const numbers = steps.reduce((sum, step) => sum + (step === 'wiped' ? 0 : step.points.length), 0);
  return steps.length < done.length || numbers > most.numbers
    ? null
    : { width, height, done: steps, undone: [] };
}

/** @returns {Stroke | null} */
function strokeIn(step) {
  const { colour, width, points, press } = step ?? {};
  const coloured = typeof colour === 'string' && /^(#[0-9a-f]{6})?$/.test(colour);
  if (!coloured || !(width > 0 && width <= most.width)) return null;
  if (!isNumbers(points) || points.length === 0 || points.length % 2 === 1) return null;
  const pressed = isNumbers(press) && press.length === points.length / 2;
  return { colour, width, points, ...(pressed && { press }) };
}

const isNumbers = (list) =>
  Array.isArray(list) && list.every((number) => Number.isFinite(number) && Math.abs(number) <= 2 * most.side);

/**
 * What a hand does on a sheet, in units of it.
 * @typedef {object} Doing
 * @property {() => { width: number, height: number }} size of the sheet
 * @property {number} stride how far an arrow key goes
 * @property {(rubs?: boolean) => Stroke} begin
 * @property {(stroke: Stroke, x: number, y: number, press: number | null) => void} reach
 * @property {(stroke: Stroke) => void} end
 */

/**
 * Draws with whatever touches the sheet: mouse, pen, several fingers at once, and the keys.
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLElement} cursor shows where the keys draw
 * @param {Doing} doing
 */
export function keepHand(canvas, cursor, doing) {
  /** The strokes that are being drawn, by pointer. */
  const strokes = new Map();

  /** @param {PointerEvent} event */
  const reach = (stroke, event) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const size = doing.size();
    // Only pens measure how hard they are pressed.
    const press = event.pointerType === 'pen' && event.pressure > 0 ? event.pressure : null;
    doing.reach(
      stroke,
      ((event.clientX - left) / width) * size.width,
      ((event.clientY - top) / height) * size.height,
      press,
    );
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    cursor.hidden = true;
    // The other end of a pen rubs out.
    const stroke = doing.begin((event.buttons & 32) !== 0);
    strokes.set(event.pointerId, stroke);
    reach(stroke, event);
  });
  canvas.addEventListener('pointermove', (event) => {
    const stroke = strokes.get(event.pointerId);
    if (!stroke) return;
    const between = event.getCoalescedEvents?.() ?? [];
    for (const one of between.length > 0 ? between : [event]) reach(stroke, one);
  });
  const end = ({ pointerId }) => {
    const stroke = strokes.get(pointerId);
    strokes.delete(pointerId);
    if (stroke) doing.end(stroke);
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  keepKeys(canvas, cursor, doing);
}

/** Arrow keys move, with Shift they draw, the space bar makes a dot. */
function keepKeys(canvas, cursor, { size, stride, begin, reach, end }) {
  /** Where the keys are, counted in strides from the middle of the sheet. */
  let at = null;

  const place = () => {
    const { width, height } = size();
    at ??= { x: Math.floor(width / stride / 2), y: Math.floor(height / stride / 2) };
    return { x: (at.x + 0.5) * stride, y: (at.y + 0.5) * stride };
  };
  const mark = (from, to) => {
    const stroke = begin();
    reach(stroke, from.x, from.y, null);
    if (from !== to) reach(stroke, to.x, to.y, null);
    end(stroke);
  };
  const show = () => {
    const { width, height } = size();
    const { x, y } = place();
    cursor.style.left = `${(x / width) * 100}%`;
    cursor.style.top = `${(y / height) * 100}%`;
    cursor.hidden = false;
  };
  canvas.addEventListener('keydown', (event) => {
    const way = arrows[event.key];
    if ((!way && event.key !== ' ') || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const from = place();
    if (way) {
      const { width, height } = size();
      const within = (value, length) => Math.min(Math.max(value, 0), Math.ceil(length / stride) - 1);
      at = { x: within(at.x + way[0], width), y: within(at.y + way[1], height) };
      if (event.shiftKey) mark(from, place());
    } else mark(from, from);
    show();
  });
  canvas.addEventListener('focus', () => canvas.matches(':focus-visible') && show());
  canvas.addEventListener('blur', () => {
    cursor.hidden = true;
  });
}
