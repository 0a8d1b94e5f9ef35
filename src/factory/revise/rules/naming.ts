import { done, type Rule } from '../rule.ts';
import { isOne, unquoted } from '../words.ts';

const withoutEnd = (text: string) => unquoted(text.replace(/[\s.!]+$/u, ''));

/** What the app is called. */
export const name: Rule = (spec, { name = '' }, words) => {
  const text = withoutEnd(name);
  const plain = text !== '' && text.length <= 60 && !isOne(words.file.words['it'], text);
  return plain ? done(words, { ...spec, name: text }, 'name', { value: text }) : null;
};

/** The line below the name. */
export const tagline: Rule = (spec, { text = '' }, words) => {
  const line = unquoted(text);
  return line.length <= 160 ? done(words, { ...spec, tagline: line }, 'tagline', { value: line }) : null;
};
