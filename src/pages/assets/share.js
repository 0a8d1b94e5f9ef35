/**
 * Hands a link over: to the device's own way of sharing where there is one, else to the clipboard, else to be copied by hand.
 * @param {HTMLAnchorElement} link
 * @param {(text: string) => void} announce
 */
export async function share(link, announce) {
  const data = { url: link.href, title: document.title };
  const handheld = matchMedia('(pointer: coarse)').matches && navigator.canShare?.(data);
  try {
    if (handheld) return await navigator.share(data);
    await navigator.clipboard.writeText(link.href);
    say(link, 'Link copied', announce);
  } catch (error) {
    // Somebody who closes the dialogue wants no other way either.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    prompt('The link to this build:', link.href);
  }
}

/**
 * @param {Element} link
 * @param {string} text
 * @param {(text: string) => void} announce
 */
function say(link, text, announce) {
  const usual = link.textContent;
  link.textContent = text;
  announce(text);
  setTimeout(() => {
    link.textContent = usual;
  }, 2000);
}
