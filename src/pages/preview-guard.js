/*
 * Runs in every app of a preview before the app does. It does what browsers without `Connection-Allowlist` cannot
 * enforce: no WebRTC, also not by way of a fresh frame, and no app outside the page that holds it. And it reports to that
 * page how far the app is scrolled, so that the next revision can be shown at the same place, and lets the visitor point at
 * what is to change.
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
  let reported = false;
  addEventListener(
    'scroll',
    () => {
      if (reported) return;
      reported = true;
      requestAnimationFrame(() => {
        reported = false;
        tell({ switchyard: 'place', x: scrollX, y: scrollY }, '*');
      });
    },
    { passive: true },
  );
  addEventListener('message', ({ source, data }) => {
    if (source !== parent) return;
    // At once, as a frame out of sight does not move smoothly.
    if (data?.switchyard === 'place')
      scrollTo({ left: Number(data.x), top: Number(data.y), behavior: 'instant' });
    if (data?.switchyard === 'point') startPointing(data.texts);
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

  const plain = (text) => (text ?? '').replace(/\s+/g, ' ').trim().toLowerCase();
  const ownText = ({ childNodes }) =>
    [...childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.data : ' ')).join('');
  const maxButtons = 400;
  let stopPointing = () => {};

  /**
   * Lays a button over each element that shows a text of the plan, and reports the chosen text to the page: -1 for none. A
   * modal dialog keeps mouse, keyboard and screen reader from the app meanwhile.
   * @param texts `{ text, name, group }` of each: texts of one group are shown near each other; none to stop
   */
  function startPointing(texts) {
    stopPointing();
    if (!Array.isArray(texts)) return;
    const layer = document.createElement('dialog');
    layer.lang = 'en';
    layer.setAttribute('aria-label', 'Choose what to change. Escape leaves.');
    layer.style.cssText =
      'all:initial;position:fixed;inset:0;width:100%;height:100%;overflow:clip;background:#0000;cursor:crosshair';
    const root = attach(layer.appendChild(document.createElement('div')), { mode: 'open' });
    root.innerHTML = `<style>button{all:unset;position:absolute;box-sizing:border-box;min-width:24px;min-height:24px;
border-radius:4px;outline:1px dashed #767676;cursor:pointer}button:hover,button:focus-visible{outline:3px solid #1d4ed8;
box-shadow:0 0 0 6px #fff;background:#1d4ed826}</style>`;
    const places = placesOf(texts.map((one) => ({ ...one, plain: plain(one.text) })));
    const place = () => {
      for (const { element, button } of places) {
        const { left, top, width, height } = element.getBoundingClientRect();
        button.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
      }
    };
    let chosen = -1;
    const choose = (index) => {
      chosen = index;
      layer.close();
    };
    for (const one of places) {
      const { index, element } = one;
      one.button = root.appendChild(document.createElement('button'));
      one.button.type = 'button';
      one.button.setAttribute('aria-label', `${texts[index].name}: ${texts[index].text}`);
      one.button.dataset.plan = texts[index].at;
      one.button.addEventListener('click', () => choose(index));
      one.button.addEventListener('focus', () => {
        element.scrollIntoView({ block: 'nearest' });
        place();
      });
    }
    // A click on an element without a text of the plan counts for the nearest one with a text.
    layer.addEventListener('click', (event) => {
      const { clientX, clientY } = event;
      if (![layer, root.host].includes(event.composedPath()[0])) return;
      layer.style.pointerEvents = 'none';
      let under = document.elementFromPoint(clientX, clientY);
      layer.style.pointerEvents = '';
      for (; under && under !== document.body; under = under.parentElement) {
        const near = places.find(({ element }) => under.contains(element));
        if (near) return choose(near.index);
      }
    });
    stopPointing = () => {
      stopPointing = () => {};
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
      layer.remove();
    };
    layer.addEventListener('close', () => {
      stopPointing();
      tell({ switchyard: 'pointed', at: chosen }, '*');
    });
    addEventListener('scroll', place, true);
    addEventListener('resize', place);
    document.body.append(layer);
    layer.showModal();
    place();
    places[0]?.button.focus({ preventScroll: true });
    if (places.length === 0) layer.close();
  }

  /** The elements that show a text of the plan, with the index of the text. An open dialog of the app is all that can be reached. */
  function placesOf(texts) {
    const known = new Map();
    for (const [index, { plain: text }] of texts.entries())
      known.set(text, [...(known.get(text) ?? []), index]);
    const long = [...known.keys()].filter((text) => text.length > 2).sort((a, b) => b.length - a.length);
    const within = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
    const places = [];
    for (const element of within.querySelectorAll('*')) {
      if (places.length >= maxButtons) break;
      const shown = [
        ownText(element),
        ...['aria-label', 'placeholder', 'alt', 'data-label'].map((name) => element.getAttribute(name)),
      ];
      const said = shown.map(plain).filter((text) => text !== '' && text.length <= 2000);
      // An element computed from a text of the plan names the text's place.
      const { at } = element.dataset ?? {};
      const marked = texts.findIndex((one) => at !== undefined && one.at === at);
      if (
        (at === undefined && said.length === 0) ||
        /^(?:script|style|noscript|option)$/i.test(element.tagName)
      )
        continue;
      const text =
        said.find((one) => known.has(one)) ??
        long.find((part) =>
          said.some((one) => ` ${one.replace(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${part} `)),
        );
      const isShown = at === undefined ? text !== undefined : marked >= 0;
      if (!isShown || !element.checkVisibility({ visibilityProperty: true })) continue;
      if (isCut(element)) continue;
      places.push({ element, index: marked < 0 ? nearest(element, known.get(text), texts) : marked });
    }
    return places;
  }

  /** Whether an element is for screen readers only: too small to be seen, or in one that is and shows nothing beyond. */
  function isCut(element) {
    for (let around = element; around; around = around.parentElement) {
      const { width, height } = around.getBoundingClientRect();
      const isSmall = width <= 4 || height <= 4;
      if (isSmall && (around === element || getComputedStyle(around).overflow !== 'visible')) return true;
    }
    return false;
  }

  /** Of several texts that are the same the one whose group is shown around the element. */
  function nearest(element, indexes, texts) {
    let left = indexes;
    for (let around = element.parentElement; left.length > 1 && around; around = around.parentElement) {
      const shown = plain(around.textContent);
      const counts = left.map(
        (index) =>
          texts.filter(
            (one, other) => other !== index && one.group === texts[index].group && shown.includes(one.plain),
          ).length,
      );
      const most = Math.max(...counts);
      left = left.filter((_, at) => counts[at] === most);
      if (around === document.body) break;
    }
    return left[0];
  }
})();
