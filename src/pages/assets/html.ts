/** A piece of HTML that is safe to show: every value in it was escaped on its way in. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Builds HTML from a template, for what the server sends and what the browser draws. Values are escaped unless they are `Html`
 * themselves, lists are joined; so attributes need their quotes.
 */
export function html(parts: TemplateStringsArray, ...values: unknown[]): Html {
  return new Html(parts.map((part, n) => part + (n < values.length ? rendered(values[n]) : '')).join(''));
}

function rendered(value: unknown): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(rendered).join('');
  if (value === null || value === undefined || value === false) return '';
  return String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
