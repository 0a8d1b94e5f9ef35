import { h } from './dom.js';
import { t } from './i18n.js';

const region = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });
document.body.append(region);

/**
 * Says something for some seconds, with a way back if `undo` is given.
 * @param {string} message
 * @param {(() => unknown) | false} [undo]
 */
export function toast(message, undo) {
  const close = () => element.remove();
  const act = () => {
    if (undo) undo();
    close();
  };
  const element = h(
    'div',
    { class: 'toast' },
    h('span', null, message),
    undo && h('button', { type: 'button', onclick: act }, t('undo')),
  );
  region.replaceChildren(element);
  setTimeout(close, undo ? 8000 : 4000);
}
