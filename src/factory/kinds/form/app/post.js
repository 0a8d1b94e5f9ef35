import { app } from '../../shared/app/lib/app.js';
import { t } from '../../shared/app/lib/i18n.js';

/** A page in a frame is a preview: nothing leaves it. */
const isPreview = window.self !== window.top;
const endpoint = app.contact?.endpoint ?? '';
const hasEndpoint = endpoint !== '';

/** Whether an answer goes to the owner, besides being kept on the device. */
export const isPosted = hasEndpoint && !isPreview;

/** What becomes of an answer, said before it is sent; nothing where it only stays on the device. */
export const postHint = hasEndpoint
  ? t(isPreview ? 'postNotHere' : 'postTo', { host: new URL(endpoint).host })
  : '';

/** Posts an answer as JSON, by the labels of its fields, and gives the key of what there is to say about it. */
export async function postAnswer(row, fields) {
  if (!app.contact.endpoint) return 'notSent';
  const answers = Object.fromEntries(fields.map(({ key, label }) => [label, row[key] ?? null]));
  const body = JSON.stringify({ form: app.name, id: row.id, day: row.day, answers });
  try {
    const reply = await fetch(app.contact.endpoint ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'omit',
      body,
    });
    return reply.ok ? 'sent' : 'notSent';
  } catch {
    return 'notSent';
  }
}
