import { untilAborted } from '../../lib/timers.ts';
import { type Must, short } from '../plan/design.ts';
import { type Problem, problem, warning } from '../problem.ts';
import type { CheckResult } from '../verify/verify.ts';
import { BrowserAway, CommandRefused, DevTools } from './devtools.ts';
import { DrivenPage, PageHangs } from './page.ts';
import { type Manner, tried } from './steps.ts';

/** An app that is to be driven. */
export interface AppToDrive {
  /** The whole app as one page. */
  readonly html: string;
  readonly must: readonly Must[];
  /** Its own stylesheet, where what stands wrongly is mended; null: nobody mends it. */
  readonly stylesheet: string | null;
  /** Whether only its look is taken. */
  readonly lookOnly?: boolean;
}

export interface Driven {
  readonly checks: readonly CheckResult[];
  /** The app on a wide screen, as PNG; null where it is too large or could not be taken. */
  readonly picture: Uint8Array | null;
  /** The app where something stands wrongly. */
  readonly faulty: Uint8Array | null;
}

/** Drives an app. Throws `BrowserAway`, and the reason of the signal. */
export type Drive = (app: AppToDrive, signal: AbortSignal) => Promise<Driven>;

export const driveChecks = [
  'drive.load',
  'drive.layout',
  'drive.must',
  'drive.keyboard',
  'drive.storage',
  'drive.network',
] as const;
type CheckId = (typeof driveChecks)[number];

const wide = { width: 1280, height: 800 } as const;
const narrow = { width: 375, height: 740 } as const;
/** What one drive may take, in milliseconds; what is left then is reported and does not fail. */
const driveMs = 20_000;
const maxPicture = 1024 * 1024;
/** More than these are one problem too many. */
const maxProblems = 8;
const maxTabs = 40;
/** The Tab key stays in a field for a date and a time once for each of its parts, and for what opens its picker. */
const maxParts = 8;
/** What an app waits for its turn at most, in milliseconds. */
const waitMs = 30_000;
/** What taking the look alone may take, in milliseconds. */
const lookOnlyMs = 8_000;

export interface BrowserSettings {
  /** Of the browser. */
  readonly address: string;
  /** Maximum number of apps at a time. */
  readonly parallel?: number;
  /** Times by which every limit is taken; 1 if left out. */
  readonly patience?: number;
  /** Called with the reason why an app was not driven. */
  readonly onFailure?: (error: unknown) => void;
}

/** A browser that drives apps, a few at a time; the others wait their turn. */
export function openDrive({ address, parallel = 2, patience = 1, onFailure }: BrowserSettings): Drive {
  let running = 0;
  const waiting = new Set<() => void>();
  /** Resolves when there is room, which it takes. */
  const turn = async (signal: AbortSignal) => {
    if (running >= parallel) {
      let proceed = () => {};
      const called = new Promise<void>((resolve) => {
        proceed = resolve;
      });
      waiting.add(proceed);
      const late = AbortSignal.timeout(waitMs);
      try {
        await untilAborted(called, AbortSignal.any([signal, late]));
      } catch (thrown) {
        // A caller that has left passes the turn on.
        if (!waiting.delete(proceed)) next();
        throw late.aborted && !signal.aborted ? new BrowserAway('The browser has too much to do.') : thrown;
      }
      return;
    }
    running++;
  };
  const next = () => {
    const [first] = waiting;
    if (first === undefined) running--;
    else {
      waiting.delete(first);
      first();
    }
  };
  return async (app, signal) => {
    try {
      await turn(signal);
      try {
        return await driven(address, patience, app, signal);
      } finally {
        next();
      }
    } catch (thrown) {
      if (!signal.aborted) onFailure?.(thrown);
      throw thrown;
    }
  };
}

async function driven(
  address: string,
  patience: number,
  app: AppToDrive,
  signal: AbortSignal,
): Promise<Driven> {
  const tools = await untilAborted(DevTools.connect(address, patience), signal);
  const stop = () => tools.close();
  signal.addEventListener('abort', stop);
  try {
    const drive = new OneDrive(tools, app);
    const late = AbortSignal.timeout((app.lookOnly ? lookOnlyMs : driveMs * 2) * patience);
    await untilAborted(drive.run(), AbortSignal.any([signal, late])).catch((thrown: unknown) => {
      throw late.aborted && !signal.aborted ? new BrowserAway('The browser took too long.') : thrown;
    });
    return drive.outcome();
  } finally {
    signal.removeEventListener('abort', stop);
    tools.close();
  }
}

class OneDrive {
  readonly #tools: DevTools;
  readonly #app: AppToDrive;
  readonly #problems = new Map<string, Problem>();
  /** What was tried: nothing is said of the rest. */
  readonly #tried = new Set<CheckId>();
  readonly #end: number;
  #picture: Uint8Array | null = null;
  #faulty: Uint8Array | null = null;

  constructor(tools: DevTools, app: AppToDrive) {
    this.#tools = tools;
    this.#app = app;
    this.#end = performance.now() + driveMs * tools.patience;
  }

  /** By mouse on a wide screen with storage, then by keyboard on a phone without. */
  async run(): Promise<void> {
    await this.#visit('mouse');
    await this.#visit('keyboard');
  }

  outcome(): Driven {
    const all = [...this.#problems.values()];
    const checks = driveChecks
      .filter((id) => this.#tried.has(id))
      .map((id) => {
        const problems = all.filter((entry) => entry.id === id).slice(0, maxProblems);
        const failed = problems.some(({ severity }) => severity === 'error');
        return {
          id,
          status: failed ? 'failed' : problems.length > 0 ? 'warning' : 'passed',
          problems,
        } as const;
      });
    return { checks, picture: this.#picture, faulty: this.#faulty };
  }

  async #visit(manner: Manner): Promise<void> {
    const isWide = manner === 'mouse';
    const page = await DrivenPage.open(this.#tools, {
      html: this.#app.html,
      storage: isWide,
      ...(isWide ? wide : narrow),
    });
    try {
      this.#tried.add('drive.load');
      await page.load();
      if (isWide) this.#picture = small(await page.picture());
      await this.#look(page, isWide ? wide : narrow, 'at first');
      this.#faults(
        page,
        isWide ? 'drive.load' : 'drive.storage',
        isWide ? 'at loading' : 'at loading without storage',
      );
      for (const id of ['drive.layout', 'drive.network'] as const) this.#tried.add(id);
      if (!isWide) this.#tried.add('drive.storage');
      if (this.#app.lookOnly) return;
      if (this.#app.must.length > 0) this.#tried.add('drive.must');
      for (const must of this.#app.must) await this.#try(page, must, manner);
      if (isWide) await this.#reload(page);
      else await this.#tab(page);
    } catch (thrown) {
      if (thrown instanceof PageHangs) this.#add(problem('drive.load', thrown.message, null));
      else if (thrown instanceof CommandRefused)
        this.#add(warning('drive.load', 'The page went away while it was looked at.', null));
      else throw thrown;
    } finally {
      await page.close();
    }
  }

  /** Whether nothing is wider than the page or lies across something else. */
  async #look(page: DrivenPage, { width }: { readonly width: number }, when: string): Promise<void> {
    const found = await page.ask<string[]>('layout');
    if (found.length === 0) return;
    this.#faulty ??= small(await page.picture());
    for (const text of found)
      this.#add(
        problem('drive.layout', short(`At ${width} px, ${when}: ${text}`, 300), this.#app.stylesheet),
      );
  }

  async #try(page: DrivenPage, must: Must, manner: Manner): Promise<void> {
    if (performance.now() > this.#end) {
      this.#add(warning('drive.must', short(`There was no time to try “${must.say}”.`, 300), null));
      return;
    }
    await page.load({ fresh: true });
    const { outcome, why } = await tried(page, must, manner);
    const how = manner === 'keyboard' ? ' (with the keyboard, at 375 px, without storage)' : '';
    const lasts = manner === 'keyboard' && must.steps.some((step) => 'reload' in step);
    const text = short(`“${must.say}”${how}: ${why}.`, 500);
    if (outcome === 'unclear') this.#add(warning('drive.must', text, null));
    // What is to be there after a reload cannot be where nothing lasts.
    else if (outcome === 'not' && !lasts) this.#add(problem('drive.must', text, null));
    this.#faults(page, 'drive.load', `while trying “${must.say}”`);
    await this.#look(page, manner === 'keyboard' ? narrow : wide, `after “${must.say}”`);
  }

  async #reload(page: DrivenPage): Promise<void> {
    await page.reload();
    this.#faults(page, 'drive.load', 'after it was opened again');
  }

  /** The Tab key leads through what can be used, and does not stick. */
  async #tab(page: DrivenPage): Promise<void> {
    this.#tried.add('drive.keyboard');
    await page.load();
    const wanted = Math.min(await page.ask<number>('tabbable'), maxTabs);
    const reached = new Set<string>();
    let stuck = 0;
    let nowhere = 0;
    let before = '';
    while (reached.size < wanted && stuck < maxParts && nowhere < 3) {
      await page.key('Tab');
      const place = await page.ask<string>('focused');
      // It has come around.
      if (place !== before && reached.has(place)) break;
      if (place === '') nowhere++;
      else reached.add(place);
      stuck = place !== '' && place === before ? stuck + 1 : 0;
      before = place;
    }
    if (wanted > 0 && reached.size === 0)
      this.#add(problem('drive.keyboard', 'The Tab key reaches none of the controls.', null));
    else if (stuck >= maxParts && wanted > 3)
      this.#add(
        problem(
          'drive.keyboard',
          `The Tab key does not leave the control after ${reached.size} of ${wanted}.`,
          null,
        ),
      );
  }

  #faults(page: DrivenPage, check: CheckId, when: string): void {
    for (const { kind, text } of page.faults.splice(0)) {
      if (kind === 'network')
        this.#add(problem('drive.network', short(`The app asks the network for ${text}`, 300), null));
      else if (kind === 'error') this.#add(problem(check, short(`An error ${when}: ${text}`, 300), null));
      else this.#add(warning(check, short(`Said on the console ${when}: ${text}`, 300), null));
    }
  }

  #add(found: Problem): void {
    this.#tried.add(found.id as CheckId);
    // What is so at each visit is said once.
    const key = `${found.id} ${found.message.replace(/^At .*?: |: <.*reaches.*|while trying “.*?”|after it was.*?again| \(with the keyboard[^)]*\)/g, '')}`;
    if (!this.#problems.has(key)) this.#problems.set(key, found);
  }
}

/** A result that stops nothing. */
export const asWarning = ({ id, status, problems }: CheckResult): CheckResult => ({
  id,
  status: status === 'failed' ? 'warning' : status,
  problems: problems.map((found) => ({ ...found, severity: 'warning' })),
});

const small = (picture: Uint8Array): Uint8Array | null => (picture.length <= maxPicture ? picture : null);
