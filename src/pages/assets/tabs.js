/**
 * Tabs by the pattern of the ARIA Authoring Practices: arrows, Home and End move among them. The one that is chosen is in the
 * address, so that it can be linked to, unless the address says something else.
 * @param {HTMLElement} list with `role="tablist"`
 * @param {{ inAddress?: boolean, onPick?: (name: string) => void }} [options]
 * @returns {(name: string) => void} chooses one by its name
 */
export function useTabs(list, { inAddress = true, onPick = () => undefined } = {}) {
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role="tab"]')]);
  const choose = (/** @type {HTMLElement} */ chosen) => {
    for (const tab of tabs) {
      const selected = tab === chosen;
      tab.setAttribute('aria-selected', String(selected));
      tab.tabIndex = selected ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
      if (panel) panel.hidden = !selected;
    }
  };
  const nameOf = (/** @type {HTMLElement} */ tab) => tab.dataset['tab'] ?? '';
  const pick = (/** @type {HTMLElement} */ tab) => {
    choose(tab);
    if (inAddress) history.replaceState(null, '', `#${nameOf(tab)}`);
    onPick(nameOf(tab));
  };
  list.addEventListener('click', (event) => {
    const tab = tabs.find((one) => event.target instanceof Node && one.contains(event.target));
    if (tab) pick(tab);
  });
  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const moves = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const to = moves[/** @type {keyof typeof moves} */ (event.key)];
    const tab = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!tab) return;
    event.preventDefault();
    pick(tab);
    tab.focus();
  });
  const first = /** @type {HTMLElement} */ (tabs[0]);
  const chooseByName = (/** @type {string} */ name) =>
    choose(tabs.find((tab) => nameOf(tab) === name) ?? first);
  if (!inAddress) return chooseByName;
  const fromAddress = () => tabs.find((tab) => `#${nameOf(tab)}` === location.hash);
  addEventListener('hashchange', () => choose(fromAddress() ?? first));
  choose(fromAddress() ?? first);
  return chooseByName;
}
