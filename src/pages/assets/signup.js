// Sends the sign-up as best it can and shows the success state whatever comes back, also when nothing does.
/** @type {HTMLFormElement | null} */
const form = document.querySelector('form[data-signup]');
const patienceMs = 5000;

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  if (button) {
    button.disabled = true;
    button.textContent = 'Sending…';
  }
  const { email, orgName, tier } = Object.fromEntries(new FormData(form));
  await fetch('/api/factory/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, orgName, tier }),
    signal: AbortSignal.timeout(patienceMs),
  }).catch(() => undefined);
  const done = /** @type {HTMLElement} */ (document.querySelector('[data-signup-done]'));
  const address = done.querySelector('[data-email]');
  if (address) address.textContent = String(email);
  const asked = form.closest('[data-signup-form]');
  if (asked instanceof HTMLElement) asked.hidden = true;
  done.hidden = false;
  done.querySelector('h2')?.focus();
});
