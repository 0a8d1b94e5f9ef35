/*
 * Runs in every app of a preview before the app does. It stands in for what browsers without `Connection-Allowlist` cannot
 * be told: no WebRTC, also not by way of a fresh frame, and no app outside the page that holds it. And it tells that page how far
 * the app is scrolled, so that the next revision can be shown at the same place.
 */
(() => {
  document.currentScript.remove();
  if (window === top) {
    document.write('<p>An app is shown by the page of its preview only.<plaintext hidden>');
    return;
  }
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'mozRTCPeerConnection']) {
    delete window[name];
  }

  const tell = parent.postMessage.bind(parent);
  let told = false;
  addEventListener(
    'scroll',
    () => {
      if (told) return;
      told = true;
      requestAnimationFrame(() => {
        told = false;
        tell({ switchyard: 'place', x: scrollX, y: scrollY }, '*');
      });
    },
    { passive: true },
  );
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data?.switchyard === 'place') scrollTo(Number(data.x), Number(data.y));
  });

  // The app may change what these names mean later.
  const bound = (method) => Function.prototype.call.bind(method);
  const find = bound(Document.prototype.querySelectorAll);
  const findBelow = bound(DocumentFragment.prototype.querySelectorAll);
  const remove = bound(Element.prototype.remove);
  const observe = bound(MutationObserver.prototype.observe);
  const Observer = MutationObserver;
  const holders = 'iframe, frame, object, embed';
  const keepWithoutFrames = (root, all) => {
    const clear = () => {
      const found = all(root, holders);
      for (let at = 0; at in found; at++) remove(found[at]);
    };
    observe(new Observer(clear), root, { childList: true, subtree: true });
  };
  keepWithoutFrames(document, find);
  const attach = bound(Element.prototype.attachShadow);
  Element.prototype.attachShadow = function attachShadow(options) {
    const root = attach(this, options);
    keepWithoutFrames(root, findBelow);
    return root;
  };
})();
