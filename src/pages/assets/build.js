// The page of one build: shows how it goes on, until it is over.
import { BuildView } from './build-view.js';
import { watchBuild } from './watch-build.js';

const root = /** @type {HTMLElement} */ (document.querySelector('[data-build]'));
const view = new BuildView(root);
const { jobId } = root.dataset;
if (jobId) void watchBuild(view, { jobId, signal: new AbortController().signal });
