import { languageName } from './language.ts';

/**
 * Whether what a caller calls a language is the language of this code: by code ("de", "de-AT") or by name, in English
 * or in the language itself. Another script than the usual one is another thing: it would have to be converted.
 */
export function isLanguage(asked: string, code: string): boolean {
  const name = asked.trim().toLowerCase();
  const own = new Intl.DisplayNames([code], { type: 'language' }).of(code);
  if (name === languageName(code).toLowerCase() || name === own?.toLowerCase()) return true;
  const locale = localeOf(name);
  return locale?.language === code && locale.script === new Intl.Locale(code).maximize().script;
}

function localeOf(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag.replaceAll('_', '-')).maximize();
  } catch {
    return null;
  }
}
