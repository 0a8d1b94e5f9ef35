import type { Lang, Question } from '../../../spec.ts';
import { inLang } from '../../text.ts';

/** A question for each line of a table, the wrong answers being those of other lines. */
function fromTable(
  rows: readonly (readonly [asked: string, answer: string])[],
  ask: (asked: string) => string,
): Question[] {
  return rows.map(([asked, answer], index) => ({
    prompt: ask(asked),
    answer,
    wrong: [3, 7, 11].map((step) => rows[(index + step) % rows.length]?.[1] ?? ''),
  }));
}

const elements =
  'H=Hydrogen|Wasserstoff|Hidrógeno|Hydrogène;He=Helium|Helium|Helio|Hélium;C=Carbon|Kohlenstoff|Carbono|Carbone;N=Nitrogen|Stickstoff|Nitrógeno|Azote;O=Oxygen|Sauerstoff|Oxígeno|Oxygène;Na=Sodium|Natrium|Sodio|Sodium;Mg=Magnesium|Magnesium|Magnesio|Magnésium;Al=Aluminium|Aluminium|Aluminio|Aluminium;S=Sulfur|Schwefel|Azufre|Soufre;Cl=Chlorine|Chlor|Cloro|Chlore;K=Potassium|Kalium|Potasio|Potassium;Ca=Calcium|Calcium|Calcio|Calcium;Fe=Iron|Eisen|Hierro|Fer;Cu=Copper|Kupfer|Cobre|Cuivre;Zn=Zinc|Zink|Zinc|Zinc;Ag=Silver|Silber|Plata|Argent;Sn=Tin|Zinn|Estaño|Étain;Au=Gold|Gold|Oro|Or;Hg=Mercury|Quecksilber|Mercurio|Mercure;Pb=Lead|Blei|Plomo|Plomb';
const askElement =
  'Which element has the symbol {x}?|Welches Element hat das Symbol {x}?|¿Qué elemento tiene el símbolo {x}?|Quel élément a pour symbole {x} ?';

export const elementQuestions = (lang: Lang, cards: boolean): Question[] =>
  fromTable(
    elements.split(';').map((line) => {
      const [symbol = '', names = ''] = line.split('=');
      return [symbol, inLang(names, lang)] as const;
    }),
    (symbol) => (cards ? symbol : inLang(askElement, lang).replace('{x}', symbol)),
  );

const kana =
  'a i u e o ka ki ku ke ko sa shi su se so ta chi tsu te to na ni nu ne no ha hi fu he ho ma mi mu me mo'.split(
    ' ',
  );
const scripts = {
  hiragana: 'あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめも',
  katakana: 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモ',
} as const;
const askKana = 'How is {x} read?|Wie liest man {x}?|¿Cómo se lee {x}?|Comment se lit {x} ?';

export const kanaQuestions = (script: keyof typeof scripts, lang: Lang, cards: boolean): Question[] =>
  fromTable(
    [...scripts[script]].map((sign, index) => [sign, kana[index] ?? ''] as const),
    (sign) => (cards ? sign : inLang(askKana, lang).replace('{x}', sign)),
  );
