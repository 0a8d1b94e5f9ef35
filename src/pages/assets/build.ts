// The page of one build: shows its progress until it has ended.
import { buildViewIn } from './build-view.ts';
import { watchBuild } from './follow-build.ts';
import { studioBeside } from './studio.ts';

const root = document.querySelector('[data-build]') as HTMLElement;
const view = buildViewIn(root);
const studio = studioBeside(root, view, ({ jobId, title }) => {
  history.pushState(null, '', `/factory/jobs/${jobId}`);
  document.title = `${title ?? 'A build'} · Switchyard`;
});
const { jobId, doneId } = root.dataset;
if (jobId)
  void watchBuild(view, { jobId, signal: new AbortController().signal }).then((state) => studio.open(state));
else if (doneId && root.dataset['status'] === 'succeeded') studio.offer(doneId);
// The way back leads to the page of the revision before.
addEventListener('popstate', () => location.reload());
