// Sends the sign-up and shows the success state whatever comes back, with the sentence that is true of it.
const form: HTMLFormElement | null = document.querySelector('form[data-signup]');
const patienceMs = 5000;

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  if (button) {
    button.disabled = true;
    button.textContent = 'Sending…';
  }
  const { email, orgName, tier } = Object.fromEntries(new FormData(form));
  const status = await fetch('/api/factory/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, orgName, tier }),
    signal: AbortSignal.timeout(patienceMs),
  }).then(
    (reply) => reply.status,
    () => 0,
  );
  const done = document.querySelector('[data-signup-done]') as HTMLElement;
  for (const address of done.querySelectorAll('[data-email]')) address.textContent = String(email);
  // Where sign-ups are closed, there is no such operation.
  const outcome = status === 202 ? 'stored' : status === 404 ? 'closed' : 'unknown';
  for (const sentence of done.querySelectorAll('[data-outcome]'))
    sentence.toggleAttribute('hidden', sentence.getAttribute('data-outcome') !== outcome);
  const asked = form.closest('[data-signup-form]');
  if (asked instanceof HTMLElement) asked.hidden = true;
  done.hidden = false;
  done.querySelector('h2')?.focus();
});
