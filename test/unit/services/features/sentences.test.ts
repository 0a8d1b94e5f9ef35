import { describe, expect, it } from 'vitest';
import { runLocally } from '../../../../src/services/features/local/worker.ts';

/** What the bullets of a summary take for the sentences of a text of no more than eight. */
function sentencesOf(text: string): string[] {
  const outcome = runLocally('summarize', { text, style: 'bullets', length: 'long' });
  if (!('output' in outcome)) throw new Error(outcome.modelRequired);
  return String(outcome.output['summary'])
    .split('\n')
    .map((line) => line.slice(2));
}

/** Texts, a sentence a line: titles, dates, abbreviations, initials, hours, addresses, numbers, notes and quotations. */
const texts = `
Prof. Meier und Dr. Schulz stellten am 5. Mai ihre Studie vor.
Sie untersuchten ca. 300 Haushalte in Köln.
Laut der Studie sparen die Haushalte z. B. durch Dämmung.

Die Firma Huber & Co. Bau liefert Türen, Fenster usw. an Kunden im 3. Stock.
Sie verkauft Holz, Stahl usw.
Der Umsatz stieg auf 3 Mio. Euro, d. h. um 12,5 Prozent.
Seit dem 1. 10. 2024 leitet sie Anna v. Berg.

Mr. Jones met Mrs. Lee at 5 p.m. on Monday.
The U.S. company, i.e. the owner of the mill, sold it to Acme Inc. of Boston.
The mayor, J. P. Smith, was not there.
They left at 6 p.m.
The talks go on in the U.S. Senate, as No. 7 of the list shows.

Our answer is no.
He asked for plan B.
They took pens, paper, etc.
We stayed, e.g. Tom did.

M. Dupont a rencontré Mme. Durand à Lyon, cf. p. 12.
Mme Le Goff et M. Le Roux sont venus.
La ville fut fondée en 43 av. J.-C. par les Romains.
Elle compte env. 500 000 hab.
Les élus sont ravis.

El Sr. García y la Dra. López viven en EE. UU. desde 1999.
Compraron frutas, p. ej. manzanas, en la pág. 3.
Llegaron a las 5 p. m.
¿Vendrá Ud. mañana?

See https://example.com/a.b?c=1 for more.
Version 2.0.1 costs $3.50 at example.org!
Write to help@example.com.

"Are you sure? I am," he said.
“Is it late? No,” said Tom.
"Are you?" he asked her.
She said: "Yes."
“I am.”
Then she left (for good).

The tower is tall.[1][2]
It was built in 1889.[3]

Elle a dit : « Venez ! Tout de suite. »
Puis elle est partie.

are you there?
the report, i.e. the pdf, is late.
it came at 5 p.m. on monday.

Er rief: „Halt!“
„Wer da? Ich bin es“, sagte er.
»Gut.«
Dann ging er.

Il dott. Rossi e la sig.ra Verdi lavorano per Eni S.p.A. di Roma.
Arriva anche l’on. Bianchi.

Our flight lands at 9 p.m.
Could we meet on Tues. 4 March?
P.S. The car park is closed.

专家表示将继续增长。
“今年是关键的一年！”
他说：“你好！”
2024年公司卖出3.5万辆汽车。
真的吗？
是的。

「とても嬉しいです。」と彼は話した。
「駅が近い！でも工事が心配です。」という声もある。
明日も晴れるでしょう。

यह एक किताब है।
वह घर जाता है।

Роман написал А. С. Пушкин в 1833 г. в Болдино.
Его читают в школах и т. д.
Это классика.
`;

describe('sentences stay whole', () => {
  it.each(texts.trim().split('\n\n'))('%s', (text) => {
    const sentences = text.split('\n');
    const blank = /[。！？]$/.test(sentences[0] ?? '') ? '' : ' ';
    expect(sentencesOf(sentences.join(blank))).toEqual(sentences);
  });

  it('takes short lines for themselves, and lines of prose together', () => {
    const text =
      'Dear Ms. Lee,\nthe order that you placed in our shop on 3 May has been\nsent today. It comes by post.\n\nBest wishes\nAnna Hill';
    expect(sentencesOf(text)).toEqual([
      'Dear Ms. Lee,',
      'the order that you placed in our shop on 3 May has been sent today.',
      'It comes by post.',
      'Best wishes',
      'Anna Hill',
    ]);
  });

  it('keeps each sentence of a long paragraph', () => {
    const numbers = Array.from({ length: 300 }, (_, number) => number + 100);
    const text = numbers.map((number) => `The house on hill ${number} was sold to Dr. Smith.`).join(' ');
    const outcome = runLocally('summarize', { text, style: 'bullets', length: 'long' });
    const { summary } = 'output' in outcome ? outcome.output : { summary: '' };
    for (const line of String(summary).split('\n'))
      expect(line).toMatch(/^- The house on hill \d{3} was sold to Dr\. Smith\.$/);
  });
});
