import type { AppSpec } from '../../../generated/types.gen.ts';
import type { SiteAddresses } from './addresses.ts';
import { buildParts } from './build-parts.ts';
import { type BuildState, newBuild } from './build-state.ts';
import { showLocalTimes, siteAddresses } from './build-view.ts';
import { draw } from './draw.ts';
import { startBuild, watchBuild } from './follow-build.ts';
import { html } from './html.ts';
import { spaced } from './plan-labels.ts';
import { teller, troubleText } from './told.ts';
import { counted } from './words.ts';

/** As a plan calls them. */
const looks = ['soft', 'crisp', 'editorial'] as const;

interface Asked {
  readonly prompt: string;
  readonly spec: AppSpec;
}

/** The same plan built in each look, side by side: a build each, of which the visitor keeps one by going to its page. */
export class Designs {
  readonly #root: HTMLElement;
  readonly #addresses: SiteAddresses;
  readonly #tell;
  #asking = new AbortController();

  /** @param around.data of the view of builds: where the apps are */
  constructor(
    root: HTMLElement,
    { announce, data }: { readonly announce: (text: string) => void; readonly data: DOMStringMap },
  ) {
    this.#root = root;
    this.#addresses = siteAddresses(data);
    this.#tell = teller(this.#one('[data-told]'), announce);
  }

  hide() {
    this.#asking.abort();
    this.#root.hidden = true;
  }

  /** Resolves when the first is accepted. Throws what the server refuses it with. */
  async show(asked: Asked) {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const first = await start(asked, looks[0], signal);
    this.#root.hidden = false;
    this.#tell('');
    this.#one('[data-designs-row]').replaceChildren(
      ...looks.map(() => Object.assign(document.createElement('div'), { className: 'design' })),
    );
    for (const n of looks.keys()) this.#draw(n, newBuild(asked.prompt));
    this.#one('h2').focus({ preventScroll: true });
    this.#root.scrollIntoView({ block: 'start' });
    void this.#follow(asked, first, signal);
  }

  /** One after another: a visitor's builds are few, and so are the threads that build. */
  async #follow(asked: Asked, first: Awaited<ReturnType<typeof startBuild>>, signal: AbortSignal) {
    let built = 0;
    try {
      for (const [n, look] of looks.entries()) {
        const accepted = n === 0 ? first : await start(asked, look, signal);
        const view = {
          show: (state: BuildState) => this.#draw(n, state),
          announce: () => undefined,
          showConnection: () => undefined,
        };
        await watchBuild(view, { ...accepted, signal });
        built += 1;
      }
      this.#tell('All designs are built.');
    } catch (error) {
      if (signal.aborted) return;
      for (const place of [...this.#one('[data-designs-row]').children].slice(built)) place.remove();
      this.#tell(
        `${counted(built, 'design')} of ${looks.length} could be built. ${troubleText(error)}`,
        'bad',
      );
    }
  }

  #draw(n: number, state: BuildState) {
    const place = this.#one('[data-designs-row]').children[n];
    if (!place) return;
    const { jobId, status } = state;
    draw(
      place,
      html`<h3>${spaced(looks[n] ?? '')}</h3><figure class="window">${buildParts(state, this.#addresses)['preview']}</figure>
${status === 'succeeded' && html`<a class="button primary" href="/factory/jobs/${jobId}">Keep this one</a>`}`,
    );
    showLocalTimes(place);
  }

  #one(selector: string): HTMLElement {
    return this.#root.querySelector(selector) as HTMLElement;
  }
}

function start({ prompt, spec }: Asked, look: string, signal: AbortSignal) {
  return startBuild({ prompt, spec: { ...spec, palette: { ...spec.palette, look } } }, signal);
}
