/**
 * Tabs by the pattern of the ARIA Authoring Practices: arrows, Home and End move among them. The one that is chosen is in the
 * address, so that it can be linked to, unless the address says something else.
 * @param list with `role="tablist"`
 * @returns chooses one by its name
 */
export function useTabs(
  list: HTMLElement,
  {
    inAddress = true,
    onPick = () => undefined,
  }: { inAddress?: boolean; onPick?: (name: string) => void } = {},
): (name: string) => void {
  const tabs = [...list.querySelectorAll('[role="tab"]')] as HTMLElement[];
  const choose = (chosen: HTMLElement) => {
    for (const tab of tabs) {
      const selected = tab === chosen;
      tab.setAttribute('aria-selected', String(selected));
      tab.tabIndex = selected ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
      if (panel) panel.hidden = !selected;
    }
  };
  const nameOf = (tab: HTMLElement) => tab.dataset['tab'] ?? '';
  const pick = (tab: HTMLElement) => {
    choose(tab);
    if (inAddress) history.replaceState(null, '', `#${nameOf(tab)}`);
    onPick(nameOf(tab));
  };
  list.addEventListener('click', (event) => {
    const tab = tabs.find((one) => event.target instanceof Node && one.contains(event.target));
    if (tab) pick(tab);
  });
  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(document.activeElement as HTMLElement);
    const moves = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const to = moves[event.key as keyof typeof moves];
    const tab = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!tab) return;
    event.preventDefault();
    pick(tab);
    tab.focus();
  });
  const first = tabs[0] as HTMLElement;
  const chooseByName = (name: string) => choose(tabs.find((tab) => nameOf(tab) === name) ?? first);
  if (!inAddress) return chooseByName;
  const fromAddress = () => tabs.find((tab) => `#${nameOf(tab)}` === location.hash);
  addEventListener('hashchange', () => choose(fromAddress() ?? first));
  choose(fromAddress() ?? first);
  return chooseByName;
}
