import { h, s } from './dom.js';
import { formatShort } from './i18n.js';

const colour = (index) => `var(--c${(index % 6) + 1})`;

/** Bars from a list of `{label, value}`, with the values beside them; readable as a list without seeing it. */
export function barList(data, format) {
  const top = Math.max(...data.map((entry) => entry.value), 0) || 1;
  return h(
    'ul',
    { class: 'bars' },
    data.map(({ label, value }, index) =>
      h(
        'li',
        null,
        h('span', { class: 'bar-label' }, label),
        h('span', { class: 'bar-value' }, format(value)),
        h(
          'span',
          { class: 'bar-track' },
          h('span', {
            class: 'bar',
            style: `width:${value === 0 ? 0 : Math.max((100 * value) / top, 1)}%;background:${colour(index)}`,
          }),
        ),
      ),
    ),
  );
}

/** A ring of shares, the whole in its middle, with a legend. */
export function donut(data, format, title) {
  const whole = data.reduce((sum, entry) => sum + entry.value, 0);
  const length = 2 * Math.PI * 40;
  let turned = 0;
  const arcs = data.map(({ value }, index) => {
    const share = whole ? (value / whole) * length : 0;
    const arc = s('circle', {
      cx: 60,
      cy: 60,
      r: 40,
      fill: 'none',
      'stroke-width': 16,
      stroke: colour(index),
      'stroke-dasharray': `${Math.max(share - 1.5, 0.1)} ${length}`,
      'stroke-dashoffset': -turned,
      transform: 'rotate(-90 60 60)',
    });
    turned += share;
    return arc;
  });
  const legend = data.map(({ label, value }, index) =>
    h(
      'li',
      null,
      h('span', { class: 'swatch', style: `background:${colour(index)}` }),
      h('span', { class: 'legend-label' }, label),
      h('strong', null, format(value)),
    ),
  );
  return h(
    'div',
    { class: 'donut' },
    h(
      'div',
      { class: 'donut-ring' },
      s(
        'svg',
        { viewBox: '0 0 120 120', role: 'img', 'aria-label': title },
        s('circle', { cx: 60, cy: 60, r: 40, fill: 'none', 'stroke-width': 16, stroke: 'var(--raised)' }),
        ...arcs,
      ),
      h('span', { class: 'donut-sum' }, format(whole).length > 7 ? formatShort(whole) : format(whole)),
    ),
    h('ul', { class: 'legend' }, legend),
  );
}

/** Columns over time from `{label, value}`, with a scale of round numbers. */
export function columns(data, format, title) {
  return plot(data, format, title, 0, (x, y, step) =>
    data.map(({ label, value }, index) => {
      const width = Math.min(step * 0.6, 48);
      return s(
        'rect',
        {
          x: x(index) - width / 2,
          y: y(Math.max(value, 0)),
          width,
          height: Math.max(Math.abs(y(value) - y(0)), 1),
          rx: 4,
          class: 'plot-bar',
        },
        s('title', null, `${label}: ${format(value)}`),
      );
    }),
  );
}

/** A line over time from `{label, value}`. A fitted one begins near the least value, so that small changes show. */
export function line(data, format, title, fitted = false) {
  const least = fitted ? Math.min(...data.map(({ value }) => value)) : 0;
  return plot(data, format, title, least, (x, y, _step, floor) => {
    const points = data.map(({ value }, index) => `${x(index)},${y(value)}`);
    const area = [`${x(0)},${y(floor)}`, ...points, `${x(data.length - 1)},${y(floor)}`].join(' ');
    return [
      s('polygon', { points: area, class: 'plot-area' }),
      s('polyline', { points: points.join(' '), class: 'plot-line' }),
      ...data.map(({ label, value }, index) =>
        s(
          'circle',
          { cx: x(index), cy: y(value), r: 4, class: 'plot-dot' },
          s('title', null, `${label}: ${format(value)}`),
        ),
      ),
    ];
  });
}

function plot(data, format, title, least, draw) {
  const [width, height, left, bottom, top] =
    innerWidth < 640 ? [360, 230, 44, 30, 12] : [640, 260, 52, 32, 14];
  const values = data.map((entry) => entry.value);
  const lowest = Math.min(...values, least);
  const step = niceStep(Math.max(...values, 1) - lowest || 1);
  const high = Math.ceil(Math.max(...values, 1) / step) * step;
  const low = Math.floor(lowest / step) * step;
  const slot = (width - left) / Math.max(data.length, 1);
  const x = (index) => left + slot * (index + 0.5);
  const y = (value) => top + (height - top - bottom) * (1 - (value - low) / (high - low || 1));
  const ticks = [];
  for (let value = low; value <= high + step / 2; value += step) ticks.push(value);
  const every = Math.ceil(data.length / (width < 640 ? 6 : 12));
  return s(
    'svg',
    {
      class: 'plot',
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': `${title}: ${data.map((entry) => `${entry.label} ${format(entry.value)}`).join(', ')}`,
    },
    ...ticks.flatMap((value) => [
      s('line', { x1: left, x2: width, y1: y(value), y2: y(value), class: 'plot-grid' }),
      s('text', { x: left - 8, y: y(value) + 4, 'text-anchor': 'end' }, formatShort(value)),
    ]),
    ...draw(x, y, slot, low),
    ...data.map(({ label }, index) =>
      index % every === 0 ? s('text', { x: x(index), y: height - 10, 'text-anchor': 'middle' }, label) : null,
    ),
  );
}

/** About four steps of 1, 2 or 5 times a power of ten. */
function niceStep(range) {
  const rough = (range || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
}
