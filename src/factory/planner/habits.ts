import type { Lang } from '../spec.ts';
import { listTexts } from './lists.ts';
import { splitList } from './split.ts';
import { isStyle } from './style.ts';
import { capitalised, shortened } from './text.ts';
import { words } from './words.ts';

/** “Habit tracker to drink water, stretch and …” lists the habits themselves. */
const behind =
  /(?<!\p{L})(?:habits?|gewohnheit(?:en)?|gewohnheits-?(?:tracker|liste|app)|hábitos?|habitos?|habitudes?)(?:[ -](?:tracker|app|list))?,?\s(?:(?:that reminds? me )?(?:to|for|like|such as|um|für|wie|zum|de|para|como|pour|comme)\s+)?([^.!?]{5,400})/iu;
/** “Water, sport and reading habit tracker”: they stand in front. */
const before = /^([^.:!?]{5,200}?)[ -]habits?(?:[ -](?:tracker|app|list))?(?!\p{L})/iu;

/** What is asked of the app and is no habit. */
const wish = words(
  'charts?|streaks?|dark|mode|calendar|export|csv|statistics|weekly|view|reminders?|heatmap|that|which|diagramm\\p{L}*|statistik\\p{L}*|kalender|erinnerung\\p{L}*|dunkel\\p{L}*|serien|estadísticas|calendario|recordatorios|rachas|gráfic[oa]s?|statistiques|calendrier|rappels?|graphiques?',
);
const article = /^(?:(?:the|my|das|die|el|la|los|las|le|les|mon|ma|mes)\s+|l[’'])/iu;
/** A list in front of the word begins with what the app is. */
const asking =
  /^(?:(?:please|i|we|want|need|would|like|make|build|create|give|me|us|an?|my|our|simple|to|track|for)\s+)+/iu;

/** The habits that a prompt lists; null where it lists none. */
export function statedHabits(prompt: string, lang: Lang): string[] | null {
  const { explicit, loose } = listTexts(prompt);
  const lists = [
    explicit,
    /:\s*(.+)$/u.exec(prompt)?.[1],
    ...loose,
    behind.exec(prompt)?.[1],
    before.exec(prompt)?.[1]?.replace(asking, ''),
  ];
  for (const text of lists) {
    const all = text ? splitList(text) : [];
    const items = all.filter((item) => !isStyle(item) && !wish.test(item));
    if (items.length >= 2 && items.every((item) => item.split(/\s+/u).length <= 7))
      return items.slice(0, 10).map((item) => capitalised(shortened(item.replace(article, ''), 80), lang));
  }
  return null;
}
