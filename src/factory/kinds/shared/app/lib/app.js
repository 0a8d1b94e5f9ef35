/** What this app is: name, fields, first entries. It is read once from the page; edit it there. */
export const app = JSON.parse(document.getElementById('app-data').textContent);

/** What the first part of it lists, such as habits or notes. */
export const firstItems = () => app.sections[0]?.items ?? [];
