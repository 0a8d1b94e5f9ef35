import type { Lang } from '../spec.ts';
import { withoutEmptyStart } from './function-words.ts';
import { capitalised, shortened } from './text.ts';
import { words } from './words.ts';

/** What people come together for. */
export const meeting = words(
  '(?:\\p{L}+-?)?clubs?|evening|night|meeting|meet-?up|get-?together|session|tasting|screening|rehearsal|talk|lecture|match|tournament|\\p{L}*abend|\\p{L}*treffen|\\p{L}*lesung|\\p{L}*turnier|vortrag|velada|noche|quedada|reunión|encuentro|charla|torneo|soirée|rencontre|réunion|tournoi|conférence',
);

const named: Readonly<Record<Lang, RegExp>> = {
  en: /(?<![\p{L}’'-])((?:\p{L}[\p{L}’'-]* ){1,3}(?:club|evening|night|meeting|session|tasting|screening|rehearsal|talk|lecture|match|tournament))(?!\p{L})/iu,
  de: /(?<![\p{L}-])(\p{L}[\p{L}-]{2,24}(?:club|klub|abend|treffen|lesung|turnier))(?!\p{L})/iu,
  es: /(?<!\p{L})((?:club|noche|velada|quedada|reunión|encuentro|charla|torneo) (?:de(?:l| la| los| las)? )?(?!el |la |en |con )\p{L}+)/iu,
  fr: /(?<!\p{L})((?:club|soirée|rencontre|réunion|tournoi|conférence) (?:d[’']|du |des |de (?:la |l[’'])?)?(?!le |la |au |à |avec )\p{L}+)/iu,
};

/** “Our book club page” is about the “Book Club”; null where no such meeting is named. */
export function meetingName(prompt: string, lang: Lang): string | null {
  const found = named[lang].exec(prompt)?.[1];
  const name = found ? withoutEmptyStart(found) : '';
  if (!name.includes(' ') && lang !== 'de') return null;
  return shortened(
    lang === 'en'
      ? name.replace(/(?<![\p{L}’'])\p{L}/gu, (letter) => letter.toUpperCase())
      : capitalised(name, lang),
    50,
  );
}
