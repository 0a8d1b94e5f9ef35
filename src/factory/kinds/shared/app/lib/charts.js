import { distinct, shade } from './colours.js';
import { h, s } from './dom.js';
import { formatShort } from './i18n.js';

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
