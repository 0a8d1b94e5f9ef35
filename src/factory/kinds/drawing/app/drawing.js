import { app } from '../../shared/app/lib/app.js';
import { download, parsed, pickFile } from '../../shared/app/lib/files.js';
import { t } from '../../shared/app/lib/i18n.js';
import { createStore } from '../../shared/app/lib/store.js';
import { toast } from '../../shared/app/lib/toast.js';

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
