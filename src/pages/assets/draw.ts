import type { Html } from './html.ts';

/** The nodes of a piece of HTML; its scripts do not run. */
export function nodesOf({ text }: Html): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = text;
  return template.content;
}

/**
 * Makes the children of an element match the HTML. Nodes that match already stay as they are: a frame is not loaded again, an
 * opened list stays open, the focus stays where it was.
 */
export function draw(parent: Element, content: Html) {
  match(parent, nodesOf(content));
}

function match(parent: Element, wanted: Element | DocumentFragment) {
  const there = [...parent.childNodes].filter((node) => !isBlank(node) || void node.remove());
  const nodes = [...wanted.childNodes].filter((node) => !isBlank(node));
  nodes.forEach((node, n) => {
    const old = there[n];
    if (!old) parent.append(node);
    else if (!update(old, node)) old.replaceWith(node);
  });
  for (const node of there.slice(nodes.length)) node.remove();
}

/** Comments, and the ends of lines between elements. */
function isBlank({ nodeType, nodeValue, previousSibling, nextSibling }: Node) {
  if (nodeType === Node.COMMENT_NODE) return true;
  const isBetween = nodeType === Node.TEXT_NODE && (previousSibling !== null || nextSibling !== null);
  return isBetween && /^\s*\n\s*$/.test(nodeValue ?? '');
}

/** @returns whether the node could become the other */
function update(node: Node, wanted: Node): boolean {
  if (node.nodeName !== wanted.nodeName) return false;
  if (!(node instanceof Element) || !(wanted instanceof Element)) {
    if (node.nodeValue !== wanted.nodeValue) node.nodeValue = wanted.nodeValue;
    return true;
  }
  for (const name of node.getAttributeNames())
    if (!wanted.hasAttribute(name) && name !== 'open') node.removeAttribute(name);
  for (const { name, value } of wanted.attributes)
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  match(node, wanted);
  return true;
}

/** Finds below an element what is there for certain. */
export function finder(root: ParentNode) {
  return (selector: string) => root.querySelector(selector) as HTMLElement;
}

/** Acts on clicks on what a selector names below an element, or in it, whenever it was drawn. */
export function onClick(root: Element, selector: string, act: (found: HTMLElement, event: Event) => void) {
  root.addEventListener('click', (event) => {
    const found = event.target instanceof Element && event.target.closest(selector);
    if (found instanceof HTMLElement) act(found, event);
  });
}

/** Acts in place of the browser when a form is submitted. */
export function onSubmit(form: Element, act: () => unknown) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void act();
  });
}

/** Submits a form by Enter in a box of several lines; Shift+Enter is a new line. */
export function submitByEnter(box: HTMLTextAreaElement) {
  box.addEventListener('keydown', (event) => {
    // Enter also ends the choice of a Chinese or Japanese word; that one is not meant.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    box.form?.requestSubmit();
  });
}

/** Returns what gives a new signal, and aborts the one before. */
export function renewedSignal() {
  let last = new AbortController();
  return () => {
    last.abort();
    last = new AbortController();
    return last.signal;
  };
}

/** Returns what calls once for all that comes within one frame, with the latest. */
export function oncePerFrame() {
  let frame = 0;
  return (act: () => void) => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(act);
  };
}

/** A button that is really disabled would lose the focus. */
export function setBlocked(button: Element | null, blocked: boolean) {
  button?.setAttribute('aria-disabled', String(blocked));
}
