import { pictures } from '../pictures.js';
import { app } from './app.js';
import { randomFrom } from './art.js';
import { s } from './dom.js';

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
