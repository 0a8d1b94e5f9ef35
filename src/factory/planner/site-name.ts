import type { Lang, TemplateName } from '../spec.ts';
import { townIn } from './contact.ts';
import { derivedName } from './content/taglines.ts';
import { isEmptyWord } from './function-words.ts';
import { businessIn } from './site.ts';
import { isStyle } from './style.ts';
import { inLang } from './text.ts';

/** A name for a site made of what it is for: “our summer party” gives “Summer Party”. */
export function titleOf(template: TemplateName, prompt: string, lang: Lang): string {
  const what = {
    en: '(?:(?:for|of|to)\\s+(?:my|our|the|a|an)|about(?: my| our| the| an?)?)',
    de: '(?:für|zu[rm]?|bis)\\s+(?:mein(?:e[rnms]?)?|unser(?:e[rnms]?)?|die|das|den|eine?[nm]?)?',
    es: '(?:para|de)\\s+(?:mi|nuestr[oa]|el|la|una?)',
    fr: '(?:pour|de|du)\\s+(?:mon|ma|notre|le|la|une?)',
  }[lang];
  const found = new RegExp(`${what}\\s+((?:[\\p{L}’'-]+\\s?){1,3})`, 'iu').exec(prompt)?.[1];
  const phrase = found
    ?.replace(
      /\s+(?:with|in|on|at|and|that|mit|und|am|im|con|en|y|el|avec|et|à|le|called|from|where|which|open|to|for|für|para|pour|zu|über|covering|about|sobre|sur)(?:\s.*)?$/iu,
      '',
    )
    .trim();
  if (!phrase || /^(?:me|us|it|you|website|app|page|site)$/iu.test(phrase)) {
    const trade =
      template === 'landing' ? (lang === 'en' && qualified(prompt)) || businessIn(prompt)?.text : undefined;
    return trade ? titled(trade, template, prompt, lang) : derivedName(template, '', lang, null);
  }
  if (template === 'docs')
    return helpName(
      lang === 'en' ? phrase.replace(/(?<![\p{L}’'])\p{L}/gu, (letter) => letter.toUpperCase()) : phrase,
      prompt,
      lang,
    );
  return titled(phrase, template, prompt, lang);
}

/** “Sea shanty singing club” of “sea shanty singing club website”. */
function qualified(prompt: string): string | null {
  const found =
    /(?<![\p{L}’'-])((?:[\p{L}’'-]+ ){1,5})(?:website|web ?site|home ?page|landing page)(?!\p{L})/iu.exec(
      prompt,
    )?.[1];
  const said = found?.trim().split(' ') ?? [];
  const own = said.slice(said.findLastIndex((word) => isEmptyWord(word) || isStyle(word)) + 1);
  return own.length >= 2 ? own.join(' ') : null;
}

function titled(phrase: string, template: TemplateName, prompt: string, lang: Lang): string {
  const title =
    lang === 'en' ? phrase.replace(/(?<![\p{L}’'])\p{L}/gu, (letter) => letter.toUpperCase()) : phrase;
  const town = template === 'landing' ? townIn(prompt, lang)?.replace(/^\d+\s/u, '') : null;
  if (town && !title.includes(town)) return `${title} ${inLang('in|in|en|à', lang)} ${town}`;
  if (template === 'portfolio')
    return lang === 'en' ? `${title} Portfolio` : derivedName(template, '', lang, null);
  return title;
}

/** “FAQ for our library” gives “Library FAQ”. */
export function helpName(what: string, prompt: string, lang: Lang): string {
  const faq = /(?<!\p{L})faqs?(?!\p{L})/iu.test(prompt);
  return inLang(
    faq
      ? `${what} FAQ|FAQ: ${what}|FAQ: ${what}|FAQ : ${what}`
      : `${what} Help|${what}: Hilfe|Ayuda: ${what}|Aide : ${what}`,
    lang,
  );
}
