import type { Must, Step } from '../plan/design.ts';
import { CommandRefused } from './devtools.ts';
import type { AxNode, DrivenPage } from './page.ts';

/** How a thing that must be so came out. */
export interface Tried {
  readonly outcome: 'so' | 'not' | 'unclear';
  /** At which step, and what was found; empty where it is so. */
  readonly why: string;
}

/** How a person acts: by mouse, or with the keyboard alone. */
export type Manner = 'mouse' | 'keyboard';

/** How long to wait for something that is to be seen, in milliseconds, and how often to look. */
const seeMs = 2_000;
const lookMs = 100;

const pressable =
  /^(?:button|link|checkbox|radio|switch|tab|menuitem|menuitemcheckbox|menuitemradio|option|gridcell|treeitem|slider|DisclosureTriangle|togglebutton|ToggleButton|PopUpButton|MenuListOption)$/i;

/** Does the steps of what must be so on a page that was just opened. Throws what the page and its browser throw. */
export async function tried(page: DrivenPage, must: Must, manner: Manner): Promise<Tried> {
  if (must.steps.length === 0) return { outcome: 'unclear', why: 'it has no steps' };
  for (const [index, step] of must.steps.entries()) {
    const found = await done(page, step, manner);
    if (found !== null) return { ...found, why: `step ${index + 1}, ${said(step)}: ${found.why}` };
  }
  return { outcome: 'so', why: '' };
}

const said = (step: Step) => JSON.stringify(step);
const not = (why: string): Tried => ({ outcome: 'not', why });
const unclear = (why: string): Tried => ({ outcome: 'unclear', why });

/** Null: the step is done. */
async function done(page: DrivenPage, step: Step, manner: Manner): Promise<Tried | null> {
  if ('unclear' in step) return unclear('nobody can tell what to do');
  if ('reload' in step) return page.reload().then(() => null);
  if ('key' in step)
    return page
      .key(step.key)
      .then(() => page.settled())
      .then(() => null);
  if ('see' in step) return (await seen(page, step.see, true)) ? null : not('it is not to be seen');
  if ('gone' in step) return (await seen(page, step.gone, false)) ? null : not('it is still to be seen');
  if ('press' in step) return soon(page, () => press(page, step.press, manner));
  if ('choose' in step) return soon(page, () => choose(page, step.choose, step.in, manner));
  return soon(page, () => fill(page, step.fill, step.with));
}

/** Tries until it is done, as things may take a moment to appear; what was wrong in the end is given. */
async function soon(page: DrivenPage, act: () => Promise<Tried | null>): Promise<Tried | null> {
  const end = performance.now() + seeMs * page.patience;
  for (;;) {
    const found = await act();
    if (found === null || performance.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
}

async function fill(page: DrivenPage, label: string, value: string): Promise<Tried | null> {
  for (const { node } of named(await page.heard(), label)) {
    const element = await page.element(node);
    const entry = await page.ask<'type' | 'set' | 'choose' | null>('entry', element);
    if (entry === null) continue;
    if (entry === 'choose' && !(await page.ask<boolean>('choose', element, { value })))
      return not('the list has no such option');
    if (entry === 'set') await page.ask('set', element, { value });
    if (entry === 'type') {
      await page.ask('select', element);
      await page.type(value);
    }
    await page.settled();
    return null;
  }
  return not('there is no such field');
}

async function press(page: DrivenPage, name: string, manner: Manner): Promise<Tried | null> {
  const all = named(await page.heard(), name);
  const isControl = ({ role }: AxNode) => pressable.test(role);
  const candidates = [...all.filter(isControl), ...all.filter((node) => !isControl(node))];
  for (const candidate of candidates) {
    if (manner === 'keyboard' && isControl(candidate) && (await focused(page, candidate))) {
      await page.key(byEnter.test(candidate.role) ? 'Enter' : 'Space');
      return page.settled().then(() => null);
    }
    const element = await page.element(candidate.node);
    const point = await page.ask<{ x: number; y: number } | null>('point', element);
    if (point === null) continue;
    await page.click(point);
    return null;
  }
  return not(candidates.length > 0 ? covered : 'there is nothing of this name');
}

const covered = 'it is there and cannot be pressed: something lies over it, or it has no size';
const byEnter = /^(?:button|link|DisclosureTriangle|tab)$/i;

const focused = (page: DrivenPage, { node }: AxNode): Promise<boolean> =>
  page.focus(node).then(
    () => true,
    (thrown: unknown) => {
      if (thrown instanceof CommandRefused) return false;
      throw thrown;
    },
  );

async function choose(
  page: DrivenPage,
  option: string,
  label: string | undefined,
  manner: Manner,
): Promise<Tried | null> {
  const heard = await page.heard();
  const lists = heard.filter(({ role }) => /^(?:combobox|listbox|PopUpButton|MenuListPopup)$/i.test(role));
  for (const { node } of label === undefined ? lists : named(lists, label)) {
    const element = await page.element(node);
    if ((await page.ask<string | null>('entry', element)) !== 'choose') continue;
    if (await page.ask<boolean>('choose', element, { value: option })) return page.settled().then(() => null);
  }
  return press(page, option, manner);
}

async function seen(page: DrivenPage, text: string, wanted: boolean): Promise<boolean> {
  const end = performance.now() + seeMs * page.patience;
  for (;;) {
    if (plain(await page.ask<string>('text')).includes(plain(text)) === wanted) return true;
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
}

/** Small letters, one space between words, one sort of dash and apostrophe. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\u00ad\u200b]+/gu, ' ')
    .replace(/[‐‑‒–—−]/gu, '-')
    .replace(/[’‘]/gu, "'")
    .trim()
    .toLowerCase();

const label = (text: string): string =>
  plain(text).replace(/\s*(?:\*|:|\((?:required|pflichtfeld|optional)\))+$/u, '');

/** The nodes of this name: those called so first, then those whose name begins with it, then those that hold it. */
function named(heard: readonly AxNode[], name: string): AxNode[] {
  const wanted = label(name);
  const exact = heard.filter((node) => label(node.name) === wanted);
  if (exact.length > 0) return exact;
  const begins = heard.filter((node) => label(node.name).startsWith(wanted));
  return begins.length > 0 ? begins : heard.filter((node) => label(node.name).includes(wanted));
}
