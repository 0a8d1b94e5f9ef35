import { app } from '../../shared/app/lib/app.js';
import { t } from '../../shared/app/lib/i18n.js';

/** What a day or a cell can be marked with; without marks, text is written. */
export const marks = app.grid?.marks ?? [];

/** The rows of a week; without any there is one to write in. */
export const rows = app.variant === 'month' ? [] : app.grid?.rows?.length ? app.grid.rows : [t('entry')];

/** The place of an entry among the marks, or -1. */
export const markOf = (text) => marks.findIndex(({ label }) => label === text);

/** What a mark looks like: its own colour, else one of the shades of the app. */
export const colourOf = (index) =>
  index < 0 ? 'transparent' : (marks[index].colour ?? `var(--c${(index % 6) + 1})`);
