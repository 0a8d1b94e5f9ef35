import { distinct, shade } from './colours.js';
import { h, put, s } from './dom.js';
import { formatShort } from './i18n.js';

/** About how wide a letter of a label is. */
const letter = 6.6;

/** @param {string[]} texts */
const widest = (texts) => Math.max(0, ...texts.map((text) => text.length)) * letter;

/**
 * Shares as a ring as long as each has a colour to be known by, else as bars. Entries are `{label, value, colour}`.
 * @param {{ label: string, value: number, colour?: string | undefined }[]} data
 * @param {(value: number) => string} format
 * @param {string} title
 */
export const sharesOf = (data, format, title) =>
  distinct(data) ? donut(data, format, title) : barList(data, format);

/**
 * Bars from a list of `{label, value, colour}`, with the values beside them; readable as a list without seeing it.
 * @param {{ label: string, value: number, colour?: string | undefined }[]} data
 * @param {(value: number) => string} format
 */
export function barList(data, format) {
  const top = Math.max(...data.map((entry) => entry.value), 0) || 1;
  return h(
    'ul',
    { class: 'bars' },
    data.map(({ label, value, colour = shade(0) }) =>
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
            style: `width:${value === 0 ? 0 : Math.max((100 * value) / top, 1)}%;background:${colour}`,
          }),
        ),
      ),
    ),
  );
}

/** More letters would have to be too small to stand in the ring. */
const longestMiddle = 11;

/**
 * A ring of shares, the whole in its middle, with a legend.
 * @param {{ label: string, value: number, colour?: string | undefined }[]} data
 * @param {(value: number) => string} format
 * @param {string} title
 */
function donut(data, format, title) {
  const whole = data.reduce((sum, entry) => sum + entry.value, 0);
  const full = format(whole);
  const middle = full.length > longestMiddle ? formatShort(whole) : full;
  const length = 2 * Math.PI * 40;
  let turned = 0;
  const arcs = data.map(({ value, colour }) => {
    const share = whole ? (value / whole) * length : 0;
    const arc = s('circle', {
      cx: 60,
      cy: 60,
      r: 40,
      fill: 'none',
      'stroke-width': 14,
      stroke: colour,
      'stroke-dasharray': `${Math.max(share - 1.5, 0.1)} ${length}`,
      'stroke-dashoffset': -turned,
      transform: 'rotate(-90 60 60)',
    });
    turned += share;
    return arc;
  });
  const legend = data.map(({ label, value, colour }) =>
    h(
      'li',
      null,
      h('span', { class: 'swatch', style: `background:${colour}` }),
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
        s('circle', { cx: 60, cy: 60, r: 40, fill: 'none', 'stroke-width': 14, stroke: 'var(--raised)' }),
        ...arcs,
      ),
      h('span', { class: 'donut-sum', style: `--letters:${middle.length}` }, middle),
    ),
    h('ul', { class: 'legend' }, legend),
  );
}

/**
 * Columns over time from `{label, value}`, with a scale of round numbers.
 * @param {{ label: string, value: number }[]} data
 * @param {(value: number) => string} format
 * @param {string} title
 */
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

/**
 * A line over time from `{label, value}`. A fitted one begins near the least value, so that small changes show.
 * @param {{ label: string, value: number }[]} data
 * @param {(value: number) => string} format
 * @param {string} title
 * @param {boolean} fitted
 */
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

/** Drawn for the width that there is, one unit for one pixel: labels are as large in a wide chart as in a narrow one. */
function plot(data, format, title, least, draw) {
  const name = `${title}: ${data.map((entry) => `${entry.label} ${format(entry.value)}`).join(', ')}`;
  const svg = s('svg', { class: 'plot', role: 'img', 'aria-label': name });
  const frame = h('div', { class: 'plot-frame' }, svg);
  const scale = scaleOf(data, least);
  let drawn = 0;
  const drawAt = (width) => {
    if (width < 1 || width === drawn) return;
    drawn = width;
    const height = Math.round(Math.min(Math.max(width * 0.45, 200), 340));
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    put(svg, ...partsOf(data, scale, width, height, draw));
  };
  drawAt(Math.min(innerWidth - 80, 600));
  new ResizeObserver(([{ contentRect }]) => drawAt(Math.round(contentRect.width))).observe(frame);
  return frame;
}

function partsOf(data, { low, high, ticks }, width, height, draw) {
  const [top, bottom] = [14, 30];
  const left = widest(ticks.map(formatShort)) + 14;
  const slot = (width - left) / Math.max(data.length, 1);
  const x = (index) => left + slot * (index + 0.5);
  const y = (value) => top + (height - top - bottom) * (1 - (value - low) / (high - low || 1));
  const room = widest(data.map(({ label }) => label));
  const every = Math.max(1, Math.ceil((room + 10) / slot));
  const inside = (at, label) => Math.min(at, width - (label.length * letter) / 2);
  return [
    ...ticks.flatMap((value) => [
      s('line', { x1: left, x2: width, y1: y(value), y2: y(value), class: 'plot-grid' }),
      s('text', { x: left - 8, y: y(value) + 4, 'text-anchor': 'end' }, formatShort(value)),
    ]),
    ...draw(x, y, slot, low),
    ...data.map(({ label }, index) =>
      index % every === 0
        ? s('text', { x: inside(x(index), label), y: height - 8, 'text-anchor': 'middle' }, label)
        : null,
    ),
  ];
}

/** About four steps of 1, 2 or 5 times a power of ten, around all values. */
function scaleOf(data, least) {
  const values = data.map((entry) => entry.value);
  const [lowest, highest] = [Math.min(...values, least), Math.max(...values, 1)];
  const rough = (highest - lowest || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const low = Math.floor(lowest / step) * step;
  const high = Math.ceil(highest / step) * step;
  const ticks = [];
  for (let value = low; value <= high + step / 2; value += step) ticks.push(value);
  return { low, high, ticks };
}
