/** Lets the items of lists be dragged by their grips, with a mouse, a pen or a finger. A line shows where the item would go. */
export function useGrips(root: HTMLElement, move: (list: string, from: number, to: number) => void) {
  root.addEventListener('pointerdown', (event) => {
    const grip = event.target instanceof Element ? event.target.closest('[data-grip]') : null;
    const item = grip?.closest('[data-item]');
    const list = item?.closest('[data-items]');
    if (!(grip instanceof HTMLElement) || !item || !(list instanceof HTMLElement) || event.button !== 0)
      return;
    event.preventDefault();
    const items = [...list.children];
    const from = items.indexOf(item);
    let to = from;
    item.classList.add('dragged');
    const mark = (at: number) => {
      items.forEach((one, n) => {
        one.classList.toggle('drop-before', at < from && n === at);
        one.classList.toggle('drop-after', at > from && n === at);
      });
    };
    const over = new AbortController();
    const { signal } = over;
    grip.setPointerCapture(event.pointerId);
    const follow = ({ clientY }: PointerEvent) => {
      to = placeAt(items, from, clientY);
      mark(to);
    };
    const end = (done: boolean) => {
      over.abort();
      item.classList.remove('dragged');
      mark(from);
      if (done && to !== from) move(list.dataset['items'] ?? '', from, to);
    };
    grip.addEventListener('pointermove', follow, { signal });
    grip.addEventListener('pointerup', () => end(true), { signal });
    grip.addEventListener('pointercancel', () => end(false), { signal });
    addEventListener('keydown', (key) => key.key === 'Escape' && end(false), { signal });
  });
}

/** The place that an item would have if it were let go at a height: that of the farthest item whose middle it has passed. */
function placeAt(items: readonly Element[], from: number, y: number) {
  const middles = items.map((item) => {
    const { top, height } = item.getBoundingClientRect();
    return top + height / 2;
  });
  const above = middles.findIndex((middle, n) => n < from && y < middle);
  if (above >= 0) return above;
  const below = middles.findLastIndex((middle, n) => n > from && y > middle);
  return below >= 0 ? below : from;
}
