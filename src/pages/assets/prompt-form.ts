import { draw, onClick, onSubmit, renewedSignal, setBlocked, submitByEnter } from './draw.ts';
import { Refusal } from './factory-client.ts';
import { html } from './html.ts';
import { countDown, isAbort } from './messages.ts';
import { countdown } from './words.ts';

/** Where the prompt survives a reload. */
const draft = 'switchyard.prompt';

/** The box for the prompt, with its examples, and what it says when a build is not accepted. */
export function promptForm(
  form: HTMLFormElement,
  on: Record<'announce' | 'build' | 'look', (text: string) => void>,
) {
  const box = form.querySelector('textarea') as HTMLTextAreaElement;
  const button = form.querySelector('button[type="submit"]') as HTMLButtonElement;
  const message = form.querySelector('[data-message]') as HTMLElement;
  const freshSignal = renewedSignal();

  box.value ||= sessionStorage.getItem(draft) ?? '';
  box.addEventListener('input', () => {
    sessionStorage.setItem(draft, box.value);
    if (!isBlocked()) complain('');
  });
  submitByEnter(box);
  onSubmit(form, () => isBlocked() || on.build(box.value));
  form.querySelector('[data-look]')?.addEventListener('click', () => {
    if (!isBlocked()) on.look(box.value);
  });
  onClick(form, 'button[data-example]', ({ textContent }) => {
    fill(textContent ?? '');
    focus();
  });

  function fill(prompt: string) {
    box.value = prompt;
    box.dispatchEvent(new Event('input'));
  }

  function focus() {
    box.focus();
    box.setSelectionRange(box.value.length, box.value.length);
  }

  /**
   * Holds the button while something is asked of the server, and explains a refusal.
   * @returns null when it was refused
   */
  async function whileAsking<T>(ask: () => Promise<T>): Promise<T | null> {
    complain('');
    setBlocked(button, true);
    form.dataset['asking'] = '';
    try {
      const answer = await ask();
      setBlocked(button, false);
      return answer;
    } catch (error) {
      setBlocked(button, false);
      if (isAbort(error)) return null;
      if (error instanceof Refusal) refused(error);
      else complain(unreachable());
      focus();
      return null;
    } finally {
      delete form.dataset['asking'];
    }
  }

  function refused({ message: text, status, retryAfterMs }: Refusal) {
    if (retryAfterMs === null || (status !== 429 && status !== 503)) {
      complain(text, status === 400);
      return;
    }
    // Its seconds would stand still; they are counted down here.
    complain('');
    void waitFor(retryAfterMs, text.replace(/\s*Try again in [^.]*\.$/, ''));
  }

  async function waitFor(waitMs: number, why: string) {
    setBlocked(button, true);
    const again = (ms: number) => ` You can build again in ${countdown(ms)}.`;
    const spoken = again(waitMs);
    const come = await countDown(Date.now() + waitMs, freshSignal(), (ms) =>
      draw(
        message,
        html`${why}<span class="hidden">${spoken}</span><span aria-hidden="true">${again(ms)}</span>`,
      ),
    );
    if (!come) return;
    setBlocked(button, false);
    complain('');
    on.announce('You can build again.');
  }

  /** @param aboutPrompt whether the prompt itself is wrong */
  function complain(text: string, aboutPrompt: boolean = false) {
    freshSignal();
    message.textContent = text;
    box.ariaInvalid = aboutPrompt ? 'true' : null;
  }

  const isBlocked = () => button.getAttribute('aria-disabled') === 'true';

  return { prompt: () => box.value, fill, focus, whileAsking };
}

function unreachable() {
  return navigator.onLine
    ? 'The server cannot be reached. Your prompt is kept: try again in a moment.'
    : 'You are offline. Your prompt is kept: try again when you are back.';
}
