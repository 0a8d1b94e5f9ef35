// Puts the visitor's key into the lines of the page, in place of what stands for it. It is kept in the page only.
const placeholder = 'sw_live_…';
const field = document.querySelector('[data-key-field]');
const input = field?.querySelector('input');

/** The texts in which the key stands, as they came. */
const lines = [...document.querySelectorAll('figure.code code')].flatMap((code) => {
  const text = code.textContent ?? '';
  return text.includes(placeholder) ? [{ code, text }] : [];
});

function fill() {
  const key = input?.value.trim() ?? '';
  for (const { code, text } of lines)
    code.textContent = text.replaceAll(placeholder, () => key || placeholder);
}

if (field instanceof HTMLElement && input) {
  field.hidden = false;
  input.addEventListener('input', fill);
  // Browsers keep what was typed when a page is loaded again.
  input.value = '';
}
