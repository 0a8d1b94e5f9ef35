import { app } from '../../shared/app/lib/app.js';
import { openBoard } from './board.js';

const side = app.settings.size;

/**
 * Every square on the way from the last one, so that a fast hand leaves no gaps.
 * @type {import('./board.js').Manner['reach']}
 */
function reach({ points }, x, y) {
  const to = { x: Math.floor(x), y: Math.floor(y) };
  if (points.length === 0) {
    points.push(to.x, to.y);
    return true;
  }
  const [startX, startY] = points.slice(-2);
  const steps = Math.max(Math.abs(to.x - startX), Math.abs(to.y - startY));
  for (let step = 1; step <= steps; step++)
    points.push(
      Math.round(startX + ((to.x - startX) * step) / steps),
      Math.round(startY + ((to.y - startY) * step) / steps),
    );
  return steps > 0;
}

/** @type {import('./board.js').Manner['paint']} */
function paint(context, { colour, points }, from) {
  context.globalCompositeOperation = 'source-over';
  context.fillStyle = colour || '#000000';
  for (let at = 2 * from; at < points.length; at += 2) {
    if (colour) context.fillRect(points[at], points[at + 1], 1, 1);
    else context.clearRect(points[at], points[at + 1], 1, 1);
  }
}

openBoard({
  size: { width: side, height: side },
  widths: [1],
  stride: 1,
  sheet: 'squares',
  paper: null,
  pixels: ({ width }) => Math.max(1, Math.floor(1024 / width)),
  reach,
  paint,
});
