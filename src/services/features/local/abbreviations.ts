/** The meaning of a full stop after a word, a table for each language. Words are listed without their last full stop. */

interface Table {
  /** Something always follows: titles before names, "e.g.", "ca.". */
  readonly leading: string;
  /** Abbreviations only before a number; "No." may be a whole answer. */
  readonly numbered: string;
  /** In the middle of a sentence or at its end. */
  readonly either: string;
  /** Words that begin sentences and seldom stand in the middle of one with a capital letter. */
  readonly starts: string;
}

/** Titles and the like that stand in texts of any language. */
const common = {
  leading: 'Mr Mrs Ms Mme Mlle Dr Prof St vs cf e.g i.e ca P.S',
  numbered: 'No Nr vol Vol p pp Tel tel',
  either: 'al Inc Ltd Corp Co Jr Sr Bros a.m p.m',
};

const tables: Readonly<Record<string, Table>> = {
  en: {
    leading: `
      Messrs Mx Rev Hon Gen Col Maj Capt Cmdr Lt Sgt Cpl Pvt Adm Gov Sen Rep Pres Supt Mt Ft eg ie viz approx incl esp`,
    numbered: `
      Nos Fig Figs Ch Sec Art para Eq Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun Jan Feb Mar Apr Jun Jul Aug Sep Sept
      Oct Nov Dec ext`,
    either: 'Esq Ave Blvd Rd Dept Univ Assn yr yrs min max hr hrs ft lb lbs oz tbsp tsp',
    starts: `
      the a an this that these those he she it they we you i his her its their our my your there here in on at by for
      from with without as and but or so if when while where who what why how after before since because although
      though however until during according some many most all both each no not yet then now one two last meanwhile
      today yesterday please thank thanks could would can do does did is are was were have has should let`,
  },
  de: {
    leading: `
      Hr Hrn Fr Frl Fa Dipl Ing Hl bzw z.B zB d.h dh vgl sog evtl ggf gegr geb inkl exkl zzgl abzgl bspw insb gem lt z.T
      z.Zt i.d.R m.E u.U o.g max min mind mtl jährl zzt vsl`,
    numbered: 'Nrn S Abb Abs Art Bd Kap Ziff Jan Feb Apr Jun Jul Aug Sep Sept Okt Nov Dez',
    either:
      'usw etc Str Mio Mrd Tsd Jh Jhd Std Min Sek Chr v.Chr n.Chr u.a o.ä u.ä a.D e.V EL TL Pkg Pers Stk',
    starts: `
      der die das dem den des ein eine einer eines einem einen dieser diese dieses er sie es wir ihr ich man sein
      seine unser unsere mein meine im in am an auf bei beim mit nach von vom vor zu zum zur für aus durch gegen ohne
      um unter über seit während wegen trotz laut und aber oder doch denn wenn als da weil dass ob wie wo was wer
      warum wann nun dann dort hier so auch noch nur schon jetzt heute gestern morgen alle viele einige kein keine
      nicht außerdem dabei damit danach daher deshalb jedoch bitte danke ist sind hat haben wird werden kann können
      könnten soll sollte sollten gibt`,
  },
  es: {
    leading: 'Sra Srta Sres Dra Profa Lic Ing Arq Gral Cnel Dña Mons Excmo Excma EE p.ej ej Av Avda Sto Sta',
    numbered: 'núm n.º nº pág págs art cap fig ene feb mar abr may jun jul ago sept oct nov dic',
    either: 'Ud Uds Vd Vds S.A EE.UU a.C d.C aprox Cía Ltda Hnos mín máx',
    starts: `
      el la los las un una unos unas lo este esta estos estas ese esa él ella ellos ellas nosotros yo usted ustedes su
      sus mi mis nuestro nuestra en a de del al con por para sin sobre desde hasta entre según tras y pero o si cuando
      mientras como donde que quien qué cómo no también además después antes ahora hoy ayer hay aunque porque sin
      todos todas muchos muchas algunos algunas cada gracias es son está puede puedes pueden`,
  },
  fr: {
    leading: 'M MM Mmes Mlles Me Pr Mgr Ste p.ex ex env av apr',
    numbered: 'n° nᵒ art chap fig th janv févr avr juil sept oct nov déc',
    either: 'Cie Sté hab min max',
    starts: `
      le la les l' un une des du de ce cet cette ces c' il elle ils elles on nous vous je j' tu son sa ses leur leurs
      notre nos mon ma mes en à au aux dans par pour avec sans sur sous chez depuis selon d' après avant pendant
      et mais ou si quand lorsque comme où que qui ne pas il y plus aussi ainsi alors puis enfin aujourd hier tous
      toutes plusieurs chaque certains merci est peut pouvez avez`,
  },
  it: {
    leading: 'Sig Sigg Sig.ra Dott Ing Avv Arch Geom On Sen Mons p.es es Spett Gent',
    numbered: 'n num pag pagg art cap fig',
    either: 'a.C d.C S.p.A S.r.l',
    starts: `
      il lo la i gli le l' un uno una un' questo questa questi queste quello quella lui lei loro noi voi io suo sua
      suoi sue nel nella nei nelle in a al alla di del della da dal dalla con per su sul sulla tra fra secondo dopo
      prima durante e ma o se quando mentre come dove che chi non anche inoltre poi ora oggi ieri tutti tutte molti
      molte alcuni alcune ogni grazie`,
  },
  pt: {
    leading: 'Sra Dra Profa Eng Exmo Exma p.ex Av',
    numbered: 'n nº pág art cap fig',
    either: 'S.A Ltda a.C d.C',
    starts: `
      o a os as um uma este esta estes estas esse essa ele ela eles elas nós eu seu sua seus suas em no na nos nas de
      do da ao à com por para sem sobre desde até entre segundo após e mas ou se quando enquanto como onde que quem
      não também além depois antes agora hoje ontem há embora porque todos muitos alguns cada obrigado obrigada`,
  },
  nl: {
    leading: 'dhr mevr mw dr prof drs ir ing bijv d.w.z m.b.t o.a i.p.v t.a.v',
    numbered: 'nr blz art',
    either: 'enz etc e.d a.u.b',
    starts: `
      de het een deze dit die dat hij zij ze het wij we ik je u zijn haar hun ons onze mijn in op aan bij met na van
      voor uit door tegen zonder om onder over sinds tijdens volgens en maar of als omdat hoe waar wat wie er hier
      daar nu dan ook nog niet geen alle veel sommige vandaag gisteren`,
  },
};

/** Languages that write "the 5th" as "5.". */
const ordinals = new Set('de da no fi is cs sk sl hr sr bs hu pl et lv tr lb'.split(' '));

type AbbreviationKind = 'leading' | 'numbered' | 'either';

/** The rules for the full stops of a language. */
export interface FullStops {
  /** Undefined for a word that is no abbreviation. */
  kindOf(word: string): AbbreviationKind | undefined;
  /** Lower case; null where no list is at hand. */
  readonly starts: ReadonlySet<string> | null;
  readonly hasOrdinals: boolean;
}

const known = new Map<string, FullStops>();

export function fullStopsOf(language: string | null): FullStops {
  const code = language ?? 'en';
  const found = known.get(code) ?? fullStops(code);
  known.set(code, found);
  return found;
}

function fullStops(language: string): FullStops {
  const table = tables[language];
  const kinds = new Map<string, AbbreviationKind>();
  for (const kind of ['either', 'numbered', 'leading'] as const) {
    for (const word of wordsIn(`${common[kind]} ${table?.[kind] ?? ''}`)) kinds.set(word, kind);
  }
  return {
    // "Ca." at the beginning of a sentence is "ca." all the same, and some write "dott." for "Dott.".
    kindOf: (word) =>
      kinds.get(word) ??
      kinds.get(word.charAt(0).toLowerCase() + word.slice(1)) ??
      (word.length > 1 ? kinds.get(word.charAt(0).toUpperCase() + word.slice(1)) : undefined),
    starts: table ? new Set(wordsIn(table.starts)) : null,
    hasOrdinals: ordinals.has(language),
  };
}

function wordsIn(text: string): string[] {
  return text.trim().split(/\s+/);
}
