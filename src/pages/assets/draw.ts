import type { Html } from './html.ts';

/** The nodes of a piece of HTML; its scripts do not run. */
export function nodesOf({ text }: Html): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = text;
  return template.content;
}

/**
 * Makes the children of an element what the HTML says. What is right already stays as it is: a frame is not loaded again, an
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
