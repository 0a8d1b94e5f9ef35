import type { ApiCaller } from './api-caller.ts';
import { finder, setBlocked } from './draw.ts';
import { reportView } from './report-view.ts';

export type TabParts = {
  panel: HTMLElement;
  caller: () => ApiCaller | null;
  announce: (text: string) => void;
};

type Call = (signal: AbortSignal) => Promise<void>;

/** A tab of the playground: a form that calls the interface, and a report of the last call. */
export function openTab({ panel }: TabParts, call: Call) {
  const find = finder(panel);
  return {
    find,
    report: reportView(find('[data-report]')),
    /** Stops the running call. */
    stop: useCallButton(find('form'), call),
  };
}

/** A form with a button that calls and one that stops the running call, as what is returned does. */
function useCallButton(form: HTMLElement, call: Call) {
  const submit = form.querySelector('[type="submit"]') as HTMLButtonElement;
  const stopButton = form.querySelector('[data-stop]') as HTMLButtonElement;
  let running: AbortController | null = null;
  const stop = () => running?.abort();
  stopButton.addEventListener('click', stop);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (running !== null) return;
    running = new AbortController();
    show(true);
    try {
      await call(running.signal);
    } finally {
      running = null;
      show(false);
    }
  });

  function show(isRunning: boolean) {
    if (!isRunning && document.activeElement === stopButton) submit.focus();
    setBlocked(submit, isRunning);
    stopButton.hidden = !isRunning;
  }

  return stop;
}
