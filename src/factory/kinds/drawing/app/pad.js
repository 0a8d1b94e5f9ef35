import { openBoard } from './board.js';

/** A sheet lies as the window does when it is begun, and stays so. */
const [long, short] = [1600, 1200];
const size = innerWidth < innerHeight ? { width: short, height: long } : { width: long, height: short };

/** Points that are nearer to the last one are left out. In units of the sheet. */
const near = 3;

/** @type {import('./board.js').Manner['reach']} */
function reach(stroke, x, y, press) {
  const { points } = stroke;
  const [lastX, lastY] = points.slice(-2);
  if (points.length > 0 && Math.hypot(x - lastX, y - lastY) < near) return false;
  if (press !== null && points.length === 0) stroke.press = [];
  points.push(Math.round(x), Math.round(y));
  stroke.press?.push(Math.round((0.3 + 1.4 * (press ?? 0.5)) * 100));
  return true;
}

/**
 * A curve through the middles between points: each point bends it, so that no corners are seen where a hand was fast.
 * @type {import('./board.js').Manner['paint']}
 */
function paint(context, { colour, width, points, press }, from, ended) {
  context.globalCompositeOperation = colour ? 'source-over' : 'destination-out';
  context.strokeStyle = colour || '#000000';
  context.fillStyle = context.strokeStyle;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  const last = points.length / 2 - 1;
  const at = (index) => ({ x: points[2 * index], y: points[2 * index + 1] });
  const middle = (index) => ({
    x: (at(index).x + at(index + 1).x) / 2,
    y: (at(index).y + at(index + 1).y) / 2,
  });
  const broad = (index) => (width * (press?.[index] ?? 100)) / 100;
  /** @param {(context: CanvasRenderingContext2D) => void} way */
  const stretch = (index, start, way) => {
    context.lineWidth = broad(index);
    context.beginPath();
    context.moveTo(start.x, start.y);
    way(context);
    context.stroke();
  };
  for (let index = from; index <= last; index++) {
    if (index === 0) {
      context.beginPath();
      context.arc(at(0).x, at(0).y, broad(0) / 2, 0, 2 * Math.PI);
      context.fill();
      continue;
    }
    const bend = at(index - 1);
    const end = middle(index - 1);
    stretch(index, index === 1 ? at(0) : middle(index - 2), () =>
      context.quadraticCurveTo(bend.x, bend.y, end.x, end.y),
    );
  }
  if (ended && last > 0) stretch(last, middle(last - 1), () => context.lineTo(at(last).x, at(last).y));
}

openBoard({
  size,
  widths: [6, 14, 28, 60],
  stride: 20,
  sheet: 'blank',
  paper: '#ffffff',
  pixels: () => 1,
  reach,
  paint,
});
