import type { Lang, Question } from '../../../spec.ts';
import { hashOf, inLang } from '../../text.ts';

export type Continent = 'europe' | 'asia' | 'africa' | 'america' | 'oceania' | 'world';

/** Capitals by country code; one text where the four languages agree. Countries' names come from the runtime. */
const capitals: Record<Exclude<Continent, 'world'>, string> = {
  europe:
    'FR=Paris|Paris|París|Paris;DE=Berlin|Berlin|Berlín|Berlin;IT=Rome|Rom|Roma|Rome;ES=Madrid;PT=Lisbon|Lissabon|Lisboa|Lisbonne;GB=London|London|Londres|Londres;AT=Vienna|Wien|Viena|Vienne;PL=Warsaw|Warschau|Varsovia|Varsovie;GR=Athens|Athen|Atenas|Athènes;SE=Stockholm|Stockholm|Estocolmo|Stockholm;NO=Oslo;DK=Copenhagen|Kopenhagen|Copenhague|Copenhague;FI=Helsinki;IE=Dublin|Dublin|Dublín|Dublin;CZ=Prague|Prag|Praga|Prague;HU=Budapest;RO=Bucharest|Bukarest|Bucarest|Bucarest;CH=Bern|Bern|Berna|Berne;BE=Brussels|Brüssel|Bruselas|Bruxelles;HR=Zagreb|Zagreb|Zagreb|Zagreb',
  asia: 'JP=Tokyo|Tokio|Tokio|Tokyo;CN=Beijing|Peking|Pekín|Pékin;IN=New Delhi|Neu-Delhi|Nueva Delhi|New Delhi;KR=Seoul|Seoul|Seúl|Séoul;TH=Bangkok;VN=Hanoi|Hanoi|Hanói|Hanoï;PH=Manila|Manila|Manila|Manille;SA=Riyadh|Riad|Riad|Riyad;IR=Tehran|Teheran|Teherán|Téhéran;IQ=Baghdad|Bagdad|Bagdad|Bagdad;NP=Kathmandu|Kathmandu|Katmandú|Katmandou;PK=Islamabad;BD=Dhaka|Dhaka|Daca|Dacca;MN=Ulaanbaatar|Ulaanbaatar|Ulán Bator|Oulan-Bator',
  africa:
    'EG=Cairo|Kairo|El Cairo|Le Caire;KE=Nairobi;MA=Rabat;DZ=Algiers|Algier|Argel|Alger;TN=Tunis|Tunis|Túnez|Tunis;ET=Addis Ababa|Addis Abeba|Adís Abeba|Addis-Abeba;GH=Accra|Accra|Acra|Accra;NG=Abuja|Abuja|Abuya|Abuja;SN=Dakar;UG=Kampala;AO=Luanda;ZM=Lusaka;RW=Kigali;NA=Windhoek',
  america:
    'US=Washington, D.C.;CA=Ottawa;MX=Mexico City|Mexiko-Stadt|Ciudad de México|Mexico;CU=Havana|Havanna|La Habana|La Havane;BR=Brasília|Brasília|Brasilia|Brasilia;AR=Buenos Aires;CL=Santiago|Santiago de Chile|Santiago|Santiago;PE=Lima;CO=Bogotá|Bogotá|Bogotá|Bogota;VE=Caracas;EC=Quito;UY=Montevideo;PY=Asunción|Asunción|Asunción|Asuncion;CR=San José',
  oceania: 'AU=Canberra;NZ=Wellington;FJ=Suva;PG=Port Moresby;WS=Apia;TO=Nukuʻalofa;VU=Port Vila;SB=Honiara',
};

const continents: readonly (readonly [Exclude<Continent, 'world'>, RegExp])[] = [
  ['europe', /europ|(?<!\p{L})(?:eu|ue)(?!\p{L})/iu],
  ['asia', /(?<!\p{L})(?:asia|asie|asien|asiat)/iu],
  ['africa', /(?<!\p{L})[aá]fri[ckq]/iu],
  ['america', /(?<!\p{L})(?:latin|south|north|süd|nord)?(?:am[eé]ri[ckq])/iu],
  ['oceania', /ocean(?:ia|ien)|oc[eé]an[ií][ea]|pacific islands/iu],
];

/** The part of the world that a prompt names. */
const continentIn = (prompt: string): Continent =>
  continents.find(([, pattern]) => pattern.test(prompt))?.[0] ?? 'world';

type Country = readonly [code: string, capital: string];

function countries(continent: Continent, lang: Lang): readonly Country[] {
  const listed = (part: Exclude<Continent, 'world'>) =>
    capitals[part].split(';').map((line): Country => {
      const [code = '', texts = ''] = line.split('=');
      return [code, inLang(texts, lang)];
    });
  if (continent !== 'world') return listed(continent);
  const parts = (Object.keys(capitals) as Exclude<Continent, 'world'>[]).map((part) =>
    listed(part).slice(0, part === 'oceania' ? 2 : 5),
  );
  return parts.flat();
}

const latin = /latin|lateinamerika|iberoam/iu;
const south = /south|süd|sudam|sur(?!\p{L})|du sud/iu;

/** The countries that a prompt means: “South America” leaves out those of the north. */
function countriesFor(prompt: string, lang: Lang): readonly Country[] {
  const continent = continentIn(prompt);
  const left =
    continent !== 'america'
      ? []
      : south.test(prompt)
        ? ['US', 'CA', 'MX', 'CU', 'CR']
        : latin.test(prompt)
          ? ['US', 'CA']
          : [];
  return countries(continent, lang).filter(([code]) => !left.includes(code));
}

const asks: Record<Lang, (country: string) => string> = {
  en: (country) => `What is the capital of ${country}?`,
  de: (country) => `Hauptstadt gesucht: ${country}`,
  es: (country) => `Capital de este país: ${country}`,
  fr: (country) => `Capitale de ce pays : ${country}`,
};
const asksFlag =
  'Whose flag is this?|Wessen Flagge ist das?|¿De qué país es esta bandera?|De quel pays est ce drapeau ?';

/** Three others of the list, not always the same. */
const others = (all: readonly string[], index: number): string[] => {
  const start = 1 + (hashOf(String(index), 'others') % Math.max(1, all.length - 4));
  return [0, 1, 2].map((step) => all[(index + start + step) % all.length] ?? '');
};

export function capitalQuestions(prompt: string, lang: Lang): Question[] {
  const list = countriesFor(prompt, lang);
  const names = new Intl.DisplayNames(lang, { type: 'region' });
  const answers = list.map(([, capital]) => capital);
  return list.map(([code, capital], index) => ({
    prompt: asks[lang](names.of(code) ?? code),
    answer: capital,
    wrong: others(answers, index),
  }));
}

export function flagQuestions(prompt: string, lang: Lang): Question[] {
  const names = new Intl.DisplayNames(lang, { type: 'region' });
  const list = countriesFor(prompt, lang).map(([code]) => code);
  const answers = list.map((code) => names.of(code) ?? code);
  const flag = (code: string) =>
    String.fromCodePoint(...[...code].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 65));
  return list.map((code, index) => ({
    prompt: `${inLang(asksFlag, lang)} ${flag(code)}`,
    answer: answers[index] ?? code,
    wrong: others(answers, index),
  }));
}
