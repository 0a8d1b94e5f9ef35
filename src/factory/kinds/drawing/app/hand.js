/**
 * @typedef {import('./drawing.js').Stroke} Stroke
 *
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

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

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
