import { h, icon, put } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { mountShell } from '../../shared/app/lib/shell.js';
import { recall, remember } from '../../shared/app/lib/store.js';

/**
 * The frame of a game: its figures, the board, how to play, and a button to start anew.
 * @param {{ board: Element, help: string, onrestart: () => unknown, extra?: import('../../shared/app/lib/dom.js').Child }} parts
 */
export function mountGame({ board, help, onrestart, extra = null }) {
  const figures = h('dl', { class: 'stats' });
  const message = h('p', { class: 'game-message', role: 'status', 'aria-live': 'polite' });
  mountShell().append(
    h(
      'div',
      { class: 'game' },
      figures,
      message,
      h('div', { class: 'board-box' }, board),
      h(
        'div',
        { class: 'row center' },
        h(
          'button',
          { type: 'button', class: 'button primary large', onclick: onrestart },
          icon('reset'),
          t('newGame'),
        ),
        extra,
      ),
      h('p', { class: 'muted small help' }, help),
    ),
  );
  return {
    say: (text) => {
      message.textContent = text;
    },
    figures: (entries) =>
      put(
        figures,
        entries.map(([label, value]) =>
          h('div', { class: 'stat' }, h('dt', null, label), h('dd', null, String(value))),
        ),
      ),
  };
}

/** The best result so far, stored when `better` says that the new one beats it. */
export function bestResult(name, better) {
  let best = recall(name, null);
  return {
    get: () => best,
    offer(result) {
      if (best !== null && !better(result, best)) return false;
      best = result;
      remember(name, best);
      return true;
    },
  };
}

const arrows = {
  ArrowUp: 'up',
  w: 'up',
  ArrowDown: 'down',
  s: 'down',
  ArrowLeft: 'left',
  a: 'left',
  ArrowRight: 'right',
  d: 'right',
};

/** Calls back with up, down, left or right: from the arrow keys, from W A S D, from a swipe over the board. */
export function onDirection(board, use) {
  document.addEventListener('keydown', (event) => {
    const direction = arrows[event.key];
    if (!direction || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    use(direction);
  });
  let from = null;
  board.addEventListener('pointerdown', (event) => {
    from = [event.clientX, event.clientY];
  });
  document.addEventListener('pointerup', (event) => {
    if (!from) return;
    const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
    from = null;
    if (Math.max(Math.abs(x), Math.abs(y)) < 24) return;
    if (Math.abs(x) > Math.abs(y)) use(x > 0 ? 'right' : 'left');
    else use(y > 0 ? 'down' : 'up');
  });
}

/** Four buttons for fingers. */
export function arrowPad(use) {
  const key = (direction) =>
    h(
      'button',
      {
        type: 'button',
        class: `pad-${direction}`,
        'aria-label': t(direction),
        onclick: () => use(direction),
      },
      icon(direction),
    );
  return h('div', { class: 'pad' }, ['up', 'left', 'right', 'down'].map(key));
}

/**
 * What draws on a canvas; every browser that runs this app has it.
 * @param {HTMLCanvasElement} canvas
 */
export const penOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
