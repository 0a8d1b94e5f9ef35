import type { Tree } from './tree.ts';

const svg = 'http://www.w3.org/2000/svg';

/**
 * Makes the children of a node what the trees say. What is right already stays as it is: a frame is not loaded again, an
 * opened list stays open, the focus stays where it was.
 */
export function draw(parent: Element, trees: readonly Tree[]) {
  const there = [...parent.childNodes].filter((node) => !isBlank(node) || void node.remove());
  trees.forEach((tree, n) => {
    const node = there[n];
    if (node && update(node, tree)) return;
    const made = make(tree, parent.namespaceURI);
    if (node) node.replaceWith(made);
    else parent.append(made);
  });
  for (const node of there.slice(trees.length)) node.remove();
}

function isBlank(node: Node) {
  return node.nodeType === Node.COMMENT_NODE || (node.nodeType === Node.TEXT_NODE && !node.nodeValue?.trim());
}

/** @returns whether the node could become what the tree says */
function update(node: Node, tree: Tree): boolean {
  if (typeof tree === 'string') {
    if (node.nodeType !== Node.TEXT_NODE) return false;
    if (node.nodeValue !== tree) node.nodeValue = tree;
    return true;
  }
  if (!(node instanceof Element) || node.localName !== tree.tag) return false;
  for (const name of node.getAttributeNames()) {
    if (!(name in tree.attributes) && name !== 'open') node.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(tree.attributes)) {
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
  draw(node, tree.children);
  return true;
}

/** @param namespace of the parent */
function make(tree: Tree, namespace: string | null): Node {
  if (typeof tree === 'string') return document.createTextNode(tree);
  const own = tree.tag === 'svg' ? svg : namespace;
  const node = document.createElementNS(own, tree.tag);
  for (const [name, value] of Object.entries(tree.attributes)) node.setAttribute(name, value);
  for (const child of tree.children) node.append(make(child, own));
  return node;
}
