import { Refusal } from './refusal.ts';
import { countDown, isAbort } from './told.ts';
import { countdown } from './words.ts';

/** Where the prompt survives a reload. */
const draft = 'switchyard.prompt';

/** The box for the prompt, with its examples, and what it says when a build is not accepted. */
export class PromptForm {
  #form;
  #box;
  #button;
  #message;
  #announce;
  #waiting = new AbortController();

  constructor(form: HTMLFormElement, on: Record<'announce' | 'build' | 'look', (text: string) => void>) {
    this.#form = form;
    this.#announce = on.announce;
    this.#box = form.querySelector('textarea') as HTMLTextAreaElement;
    this.#button = form.querySelector('button[type="submit"]') as HTMLButtonElement;
    this.#message = form.querySelector('[data-message]') as HTMLElement;
    this.#box.value ||= sessionStorage.getItem(draft) ?? '';
    this.#box.addEventListener('input', () => {
      sessionStorage.setItem(draft, this.#box.value);
      if (!this.#blocked) this.#complain('');
    });
    this.#box.addEventListener('keydown', (event) => {
      // Enter also ends the choice of a Chinese or Japanese word; that one is not meant.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!this.#blocked) on.build(this.#box.value);
    });
    form.querySelector('[data-look]')?.addEventListener('click', () => {
      if (!this.#blocked) on.look(this.#box.value);
    });
    form.addEventListener('click', (event) => {
      const example = event.target instanceof Element && event.target.closest('button[data-example]');
      if (!example) return;
      this.fill(example.textContent ?? '');
      this.focus();
    });
  }

  get prompt() {
    return this.#box.value;
  }

  fill(prompt: string) {
    this.#box.value = prompt;
    this.#box.dispatchEvent(new Event('input'));
  }

  focus() {
    this.#box.focus();
    this.#box.setSelectionRange(this.#box.value.length, this.#box.value.length);
  }

  /**
   * Holds the button while something is asked of the server, and explains a refusal.
   * @returns null when it was refused
   */
  async whileAsking<T>(ask: () => Promise<T>): Promise<T | null> {
    this.#complain('');
    this.#block(true);
    this.#form.dataset['asking'] = '';
    try {
      const answer = await ask();
      this.#block(false);
      return answer;
    } catch (error) {
      this.#block(false);
      if (isAbort(error)) return null;
      if (error instanceof Refusal) this.#refused(error);
      else this.#complain(unreachable());
      this.focus();
      return null;
    } finally {
      delete this.#form.dataset['asking'];
    }
  }

  #refused({ message, status, retryAfterMs }: Refusal) {
    if (retryAfterMs === null || (status !== 429 && status !== 503)) {
      this.#complain(message, status === 400);
      return;
    }
    // Its seconds would stand still; they are counted down here.
    this.#complain(message.replace(/\s*Try again in [^.]*\.$/, ''));
    this.#waitUntil(Date.now() + retryAfterMs);
  }

  /** @param until milliseconds since 1970 */
  async #waitUntil(until: number) {
    this.#waiting = new AbortController();
    this.#block(true);
    const left = document.createElement('span');
    left.setAttribute('aria-hidden', 'true');
    const said = document.createElement('span');
    said.className = 'hidden';
    said.textContent = ` You can build again in ${countdown(until - Date.now())}.`;
    this.#message.append(said, left);
    const come = await countDown(until, this.#waiting.signal, (ms) => {
      left.textContent = ` You can build again in ${countdown(ms)}.`;
    });
    if (!come) return;
    this.#block(false);
    this.#complain('');
    this.#announce('You can build again.');
  }

  /** @param aboutPrompt whether the prompt itself is wrong */
  #complain(message: string, aboutPrompt: boolean = false) {
    this.#waiting.abort();
    this.#message.textContent = message;
    if (aboutPrompt) this.#box.setAttribute('aria-invalid', 'true');
    else this.#box.removeAttribute('aria-invalid');
  }

  get #blocked() {
    return this.#button.getAttribute('aria-disabled') === 'true';
  }

  /** A button that is really disabled would lose the focus. */
  #block(blocked: boolean) {
    this.#button.setAttribute('aria-disabled', String(blocked));
  }
}

function unreachable() {
  return navigator.onLine
    ? 'The server cannot be reached. Your prompt is kept: try again in a moment.'
    : 'You are offline. Your prompt is kept: try again when you are back.';
}
