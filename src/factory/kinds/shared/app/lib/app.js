import { changed } from './changes.js';

/** What this app is as it was made: name, fields, first entries. It is read once from the page; edit it there. */
export const original = JSON.parse(document.getElementById('app-data').textContent);

/** The same with what its owner has changed since. */
export const app = changed(original);

/** Whether its owner has changed it. */
export const isChanged = app !== original;

/** What the first part of it lists, such as habits or notes. */
export const firstItems = () => app.sections[0]?.items ?? [];
