import type { AppSpec } from '../../../generated/types.gen.ts';
import { buildParts, type SiteAddresses } from './build-parts.ts';
import { type BuildState, newBuild } from './build-state.ts';
import { showLocalTimes } from './build-view.ts';
import { draw, finder, renewedSignal } from './draw.ts';
import { startBuild, watchBuild } from './follow-build.ts';
import { html } from './html.ts';
import { messageIn, troubleText } from './messages.ts';
import { spaced } from './plan-labels.ts';
import { counted } from './words.ts';

/** As a plan calls them. */
const looks = ['soft', 'crisp', 'editorial'] as const;

interface Asked {
  readonly prompt: string;
  readonly spec: AppSpec;
}

/** Returns what builds the same plan in each look, side by side: a build each, of which the visitor keeps one by going to its page. */
export function designsIn(
  root: HTMLElement,
  { announce, addresses }: { announce: (text: string) => void; addresses: SiteAddresses },
) {
  const one = finder(root);
  const row = one('[data-designs-row]');
  const say = messageIn(one('[data-form-message]'), announce);
  const freshSignal = renewedSignal();

  /** Resolves when the first is accepted. Throws what the server refuses it with. */
  async function show(asked: Asked) {
    const signal = freshSignal();
    const first = await start(asked, looks[0], signal);
    root.hidden = false;
    say('');
    row.replaceChildren(
      ...looks.map(() => Object.assign(document.createElement('div'), { className: 'design' })),
    );
    for (const n of looks.keys()) drawDesign(n, newBuild(asked.prompt));
    one('h2').focus({ preventScroll: true });
    root.scrollIntoView({ block: 'start' });
    void follow(asked, first, signal);
  }

  /** One after another: a visitor's builds are few, and so are the threads that build. */
  async function follow(asked: Asked, first: Awaited<ReturnType<typeof startBuild>>, signal: AbortSignal) {
    let built = 0;
    try {
      for (const [n, look] of looks.entries()) {
        const accepted = n === 0 ? first : await start(asked, look, signal);
        const view = {
          show: (state: BuildState) => drawDesign(n, state),
          announce: () => undefined,
          showConnection: () => undefined,
        };
        await watchBuild(view, { ...accepted, signal });
        built += 1;
      }
      say('All designs are built.');
    } catch (error) {
      if (signal.aborted) return;
      for (const place of [...row.children].slice(built)) place.remove();
      say(`${counted(built, 'design')} of ${looks.length} could be built. ${troubleText(error)}`, 'bad');
    }
  }

  function drawDesign(n: number, state: BuildState) {
    const place = row.children[n];
    if (!place) return;
    const { jobId, status } = state;
    draw(
      place,
      html`<h3>${spaced(looks[n] ?? '')}</h3><figure class="window">${buildParts(state, addresses)['preview']}</figure>
${status === 'succeeded' && html`<a class="button primary" href="/factory/jobs/${jobId}">Keep this one</a>`}`,
    );
    showLocalTimes(place);
  }

  return show;
}

function start({ prompt, spec }: Asked, look: string, signal: AbortSignal) {
  return startBuild({ prompt, spec: { ...spec, palette: { ...spec.palette, look } } }, signal);
}
