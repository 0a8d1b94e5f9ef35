import type { Lang, TemplateName } from '../spec.ts';
import { docsParts } from './docs.ts';
import { eventParts } from './event.ts';
import { eventName } from './event-name.ts';
import { landingParts } from './landing.ts';
import { properName } from './name.ts';
import { ownerIn, portfolioParts } from './portfolio.ts';
import type { SiteParts } from './site.ts';
import { helpName, titleOf } from './site-name.ts';
import { capitalised } from './text.ts';
import { namedTrade } from './trade-name.ts';

export interface Site {
  readonly parts: SiteParts;
  readonly name: string;
  /** The prompt gave the name of whom the site is for. */
  readonly proper: boolean;
}

/** The content of a site and its name; null for a template that is none. */
export function siteOf(
  template: TemplateName,
  prompt: string,
  lang: Lang,
  stated: string | null,
  currency: string,
): Site | null {
  if (!['landing', 'portfolio', 'docs', 'event'].includes(template)) return null;
  const trade = template === 'landing' ? (namedTrade(prompt)?.name ?? null) : null;
  const proper =
    template === 'event'
      ? null
      : (trade ?? properName(prompt, lang, template) ?? (template === 'portfolio' ? ownerIn(prompt) : null));
  const own = template === 'event' ? eventName(prompt, lang) : titleOf(template, prompt, lang);
  const name = capitalised(
    stated ?? (template === 'docs' && proper ? helpName(proper, prompt, lang) : proper) ?? own,
    lang,
  );
  const makers = {
    landing: () => landingParts(prompt, name, lang, currency),
    portfolio: () => portfolioParts(prompt, lang),
    docs: () => docsParts(prompt, name, lang),
    event: () => eventParts(prompt, lang),
  };
  return {
    parts: makers[template as keyof typeof makers](),
    name,
    proper: stated !== null || proper !== null,
  };
}
