import { pictures } from '../pictures.js';
import { app } from './app.js';

import { s } from './dom.js';

const tones = ['var(--accent)', 'var(--c2)', 'var(--c3)', 'var(--c5)'];

/**
 * @param {() => number} random
 * @param {string[]} list
 */
const pick = (random, list) => list[Math.floor(random() * list.length)];

const shapes = (name) =>
  (pictures[name] ?? pictures[app.icon] ?? []).map(([tag, attributes]) => s(tag, attributes));

/**
 * A picture of what an app or a part of it is about; that of the app where there is none of this name. It follows the text's
 * size and colour and says nothing to a screen reader.
 */
export function picture(name = app.icon) {
  return s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, ...shapes(name));
}

/** The pictures of all entries of a site, each once, after that of the app. */
export function allPictures() {
  const items = (app.sections ?? []).flatMap((section) => section.items.map((item) => item.icon));
  return [...new Set([app.icon, ...items.filter(Boolean)])];
}

/** A wall of small pictures around a large one. It is the same each time. */
export function scene(width, height, { large = true } = {}) {
  const random = randomFrom(app.name);
  const names = allPictures();
  const step = 80;
  const across = Math.ceil(width / step);
  const down = Math.ceil(height / step);
  const small = Array.from({ length: across * down }, (_, at) => {
    const row = Math.floor(at / across);
    const x = (at % across) * step + (row % 2 ? step / 2 : 0) + (width - across * step) / 2 + step / 4;
    const y = row * step + (height - down * step) / 2 + step / 4;
    const turn = Math.round((random() - 0.5) * 40);
    const transform = `translate(${x} ${y}) scale(1.5) rotate(${turn} 12 12)`;
    return s('g', { transform, opacity: 0.28 + random() * 0.3 }, ...shapes(names[(at + row) % names.length]));
  });
  const radius = Math.min(width, height) * 0.29;
  const size = (radius * 1.08) / 24;
  const middle = [
    s('circle', { class: 'scene-disc', cx: width / 2, cy: height / 2, r: radius }),
    s(
      'g',
      {
        class: 'scene-large',
        transform: `translate(${width / 2 - 12 * size} ${height / 2 - 12 * size}) scale(${size})`,
      },
      ...shapes(app.icon),
    ),
  ];
  return s(
    'svg',
    {
      class: 'art scene',
      viewBox: `0 0 ${width} ${height}`,
      preserveAspectRatio: 'xMidYMid slice',
      'aria-hidden': 'true',
    },
    s('rect', { width, height, class: 'scene-ground' }),
    ...small,
    ...(large ? middle : []),
  );
}

/**
 * Numbers between 0 and 1 that are always the same for the same text.
 * @param {string} text
 */
function randomFrom(text) {
  let state = 2166136261;
  for (const char of text) state = Math.imul(state ^ Number(char.codePointAt(0)), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822507) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

/**
 * A calm abstract picture that belongs to a text: the same text always gives the same picture.
 * @param {string} text
 * @param {number} width
 * @param {number} height
 */
export function artwork(text, width = 400, height = 300) {
  const random = randomFrom(text);
  const scenes = [tiles, hills, rings];
  const scene = scenes[Math.floor(random() * scenes.length)];
  const ground = s('rect', { width, height, fill: 'var(--accent-soft)' });
  return s(
    'svg',
    {
      class: 'art',
      viewBox: `0 0 ${width} ${height}`,
      preserveAspectRatio: 'xMidYMid slice',
      'aria-hidden': 'true',
    },
    ground,
    ...scene(random, width, height),
  );
}

/**
 * Quarter circles and discs on a grid.
 * @param {() => number} random
 * @param {number} width
 * @param {number} height
 */
function tiles(random, width, height) {
  const size = height / 4;
  const shapes = [];
  for (let x = 0; x < width; x += size) {
    for (let y = 0; y < height; y += size) {
      const roll = random();
      const fill = pick(random, tones);
      const opacity = 0.25 + random() * 0.65;
      if (roll < 0.22)
        shapes.push(s('circle', { cx: x + size / 2, cy: y + size / 2, r: size * 0.36, fill, opacity }));
      else if (roll < 0.7) {
        const turn = Math.floor(random() * 4) * 90;
        const d = `M0 0H${size}A${size} ${size} 0 0 1 0 ${size}Z`;
        shapes.push(
          s('path', {
            d,
            fill,
            opacity,
            transform: `translate(${x} ${y}) rotate(${turn} ${size / 2} ${size / 2})`,
          }),
        );
      }
    }
  }
  return shapes;
}

/**
 * A sun above three hills.
 * @param {() => number} random
 * @param {number} width
 * @param {number} height
 */
function hills(random, width, height) {
  const sun = s('circle', {
    cx: width * (0.2 + random() * 0.6),
    cy: height * (0.25 + random() * 0.15),
    r: height * 0.15,
    fill: 'var(--c3)',
  });
  const layers = [0, 1, 2].map((layer) => {
    const y = height * (0.5 + layer * 0.15);
    const bend = () => (random() - 0.5) * height * 0.3;
    const d = `M0 ${y + bend() / 2}C${width * 0.3} ${y + bend()} ${width * 0.6} ${y + bend()} ${width} ${y + bend() / 2}V${height}H0Z`;
    return s('path', { d, fill: tones[layer === 1 ? 1 : 0], opacity: 0.35 + layer * 0.3 });
  });
  return [sun, ...layers];
}

/**
 * Rings that overlap.
 * @param {() => number} random
 * @param {number} width
 * @param {number} height
 */
function rings(random, width, height) {
  return [0, 1, 2, 3].flatMap((index) => {
    const cx = width * (0.1 + random() * 0.8);
    const cy = height * (0.1 + random() * 0.8);
    const r = height * (0.2 + random() * 0.3);
    const fill = tones[index];
    return [
      s('circle', { cx, cy, r, fill, opacity: 0.5 }),
      s('circle', { cx, cy, r: r * 1.35, fill: 'none', stroke: fill, 'stroke-width': 2, opacity: 0.6 }),
    ];
  });
}
