import { h, newId } from '../../shared/app/lib/dom.js';

/** A whole number from 0 up to but not including `count`, each as likely as any other. */
export function below(count) {
  const range = 2 ** 32;
  const fair = range - (range % count);
  const [value] = crypto.getRandomValues(new Uint32Array(1));
  return value < fair ? value % count : below(count);
}

/** The list in an order by chance (Fisher and Yates). */
export function shuffled(list) {
  const mixed = [...list];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
  }
  return mixed;
}

/**
 * A field for a whole number that is kept under a key of the store.
 * @param {{ get(): any, set(value: any): void }} store
 * @param {string} key
 * @param {{ label: string, min: number, max: number, changed?: () => void }} options
 * @returns {HTMLElement}
 */
export function countField(store, key, { label, min, max, changed }) {
  const id = newId(key);
  const input = h('input', {
    id,
    type: 'number',
    min,
    max,
    step: 1,
    inputmode: 'numeric',
    value: store.get()[key],
    onchange: () => {
      const value = Math.min(Math.max(Math.round(input.valueAsNumber) || min, min), max);
      input.value = String(value);
      store.set({ ...store.get(), [key]: value });
      changed?.();
    },
  });
  return h('div', { class: 'field' }, h('label', { for: id }, label), input);
}
