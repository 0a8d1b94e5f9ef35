// Copies the code in the same figure as the button. Without JavaScript the button stays hidden.
for (const button of document.querySelectorAll('button')) {
  if (button.dataset['copy'] === undefined) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = button.closest('figure')?.querySelector('code');
    await navigator.clipboard.writeText(code?.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
}
