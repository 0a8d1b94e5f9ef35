import * as lists from 'stopword';
import { keyOf } from './words.ts';

/** Languages that CLDR and the detector name differently. */
const codes: Readonly<Record<string, string>> = { nob: 'no', tgl: 'tl' };

/** By ISO 639-1; `stopword` names its lists by ISO 639-3. */
const listed = new Map(
  Object.entries(lists)
    .filter(([name]) => /^[a-z]{3}$/.test(name))
    .map(([name, list]) => [codes[name] ?? Intl.getCanonicalLocales(name)[0], list]),
);

const sets = new Map<string, ReadonlySet<string>>();

/** The stop words of a language; none where there is no list. */
export function stopWordsOf(language: string | null): ReadonlySet<string> {
  const code = language ?? 'en';
  const known = sets.get(code);
  if (known) return known;
  const more = `${moreStopWords[code] ?? ''} ${units}`.trim().split(/\s+/);
  const set = new Set([...(listed.get(code) ?? []).map(keyOf), ...more]);
  sets.set(code, set);
  return set;
}

/**
 * Words without a subject of their own that the lists of `stopword` lack: auxiliary and modal verbs, verbs of saying,
 * pronouns, numerals and words of time. By ISO 639-1 code.
 */
const moreStopWords: Readonly<Record<string, string>> = {
  en: `
    able above across actually again ago almost along already although always among anyone anything anyway aren't
    around ask asked away back became become becomes began below best better bit can't cannot comes coming couldn't
    didn't does doesn't doing don't done down during either else enough especially etc even ever every everyone
    everything far few finally first former found four further gave gets getting give given gives go goes going gone
    good hadn't half hasn't haven't having hello hers herself hi however including indeed instead isn't its itself
    just keep kept kind knew know known last later least less let let's likely little long longer look lot lots made
    makes making may maybe mean means meanwhile mightn't mine moreover mostly mustn't myself near nearly need needed
    needs neither nevertheless next no nobody none nor not nothing off often oh ok okay old once one ones onto others
    otherwise ought ours ourselves own part particularly per perhaps please put quite rather really recently regards
    saw say saying says second see seem seemed seems seen several shall shan't she shouldn't show six so somebody
    someone something sometimes somewhat soon sure taken takes taking tell thank thanks theirs themselves therefore
    thing things think third though thought three throughout thus today together told tomorrow took toward towards
    tried try trying two unless until upon us use used uses using usually various via want wanted wants wasn't went
    weren't whatever when whenever whether whoever whole whom whose why will within without won't wouldn't yes
    yesterday yet yours yourself zero`,
  de: `
    abends bitte circa danke diesmal eigentlich einfach erneut fast ferner freundlichen früh genau gerne gestern grüße
    grüßen halb hallo hingegen immerhin infolge inzwischen jeweils künftig lassen laut leider letzte letzten liebe
    lässt mehrere meist meisten minus mithilfe morgens möchten nahe plus pro sagten samt sobald sofern sofort sogar
    sowohl stets teilt teilte teilweise trotz voll voraussichtlich vorher weder weiterer weiterhin ziemlich zudem
    zuletzt`,
  es: `
    acuerdo adelante además afirmó ahora ahí algo alguien alguna algunas alguno algunos algún allá allí ambas ambos
    ante anterior antes aproximadamente aquel aquella aquellas aquello aquellos aquí asegura aseguró así atrás aun
    aunque ayer añadió aún bajo bastante bien buen buena buenas bueno buenos cada casi cerca cierta ciertas cierto
    ciertos cinco conmigo contigo cuales cualquier cualquiera cuanto cuatro cuenta cuya cuyas cuyo cuyos cuál cuándo
    cuánto cómo da dado dan dar debe debemos deben debería deberían debido debía decir deja dejar demás dentro deprisa
    después detrás dice dicen dicho diez dijeron dijo dos dónde e ellas ellos embargo encima entonces entre era eran
    eras eres es esa esas esos esta estaba estaban estado estamos estar estará estarán estas este esto estos estoy
    estuvo está están estás esté estén etc ex existe existen explicó favor fin fue fuera fueron fui gracias gran
    grandes ha haber habrá habrán habría había habían hace hacen hacer hacerlo hacia haciendo haga hago han hará harán
    hay haya hayan he hecho hemos hizo hola hoy hubo igual incluso intenta ir jamás junto lado lejos les llegó lleva
    llevar luego lugar mas mayor mayoría mañana media mediante medio mejor menor menos mientras mis misma mismas mismo
    mismos mucha muchas mucho muchos mía mías mío míos nada nadie ninguna ninguno ningún nosotras nosotros nuestra
    nuestras nuestro nuestros nueva nuevas nuevo nuevos nunca ocho os otra otras otros parece parte partir pasada
    pasado peor poca pocas pocos podemos poder podrá podrán podría podrían poner posible primer primera primeras
    primero primeros principalmente pronto propia propias propio propios próxima próximas próximo próximos pudo pueda
    puede pueden puedo pues queda quedó quienes quiere quieren quiero quizá quizás quién realizar sabe saben sea sean
    segunda segundo según seis ser será serán sería serían señaló si sido siempre siendo siete sigue siguiente sino
    sola solamente solas solo solos somos son soy suya suyas suyo suyos sé sólo tal tampoco tan tanto tarde tendrá
    tendrán tendría tenemos tener tenga tengan tengo tenido tenía tenían tercera tercero tiene tienen toda todas
    todavía todo todos total tras trata través tres tu tus tuvo tuya tuyo unas unos usted ustedes va vamos van varias
    varios vaya veces ver vez voy yo última últimas último últimos hecha lunes martes miércoles jueves viernes sábado
    domingo`,
  fr: `
    abord afin ailleurs ainsi alors après assez aucun aucune aujourd'hui auquel aussi autant autre autres auxquels
    avant beaucoup bien bon bonjour bonne bonnes bons car celle celles celui cependant ceux chacun chaque chez chose
    ci cinq comme comment contre cordialement cours côté davantage dehors delà depuis dernier derniers dernière
    dernières deux deuxième devait devant devenir devenu devient devra devraient devrait devront dire disent dit dix
    dois doit doivent donc donne dont durant dès déclaré déjà désormais elles encore enfin ensuite entre environ
    explique fais faisait fait faites fallait falloir faudra faut fera feront fois font grâce jamais jour jours jusqu
    jusque juste laquelle lequel lesquelles lesquels loin lors lorsque là madame mai maintenant malgré meilleur merci
    met mettre mieux mis moins monsieur mêmes ni non notamment nouveau nouveaux nouvel nouvelle nouvelles nôtre oui
    outre parce parfois parmi part partie partir passé pendant peu peut peuvent peux plupart plus plusieurs plutôt
    pourquoi pourra pourrait pourront pouvait pouvez pouvoir premier premiers première premières presque prochain
    prochaine propre près pu puis puisque quand quant quatre quelque quelques quoi rien sauf second seconde selon sept
    seul seule seulement si six sous souvent suite suivant surtout tandis tant tel telle tellement telles tels
    toujours tous tout toute toutefois toutes trois trop très va vais vers veulent veut veux via viennent vient voici
    voilà voir vont voulait vouloir vraiment vu vôtre`,
  it: `
    accanto adesso afferma alcun alcuna alcune alcuni allora almeno altra altre altri altro ancora andare anni anno
    appena appunto attraverso avanti avere basta bene buona buone buongiorno buoni buono c'è certo ciao ciascuno
    cinque cioè circa ciò cosa cosi così davanti davvero dentro detto deve devono dice dicono dietro diversi dopo
    dovranno dovrebbe dovrà due dunque durante ecco essere essi fa fare fatto ferma fino fra fuori già grazie infatti
    infine inoltre insieme intanto intorno invece là maggior mai me meglio meno mentre mila molta molte molti molto
    nemmeno nessun nessuna nessuno niente nulla nuova nuove nuovi nuovo nè né oggi ogni oltre ora ormai ovvero parte
    perciò pertanto però piu po poche pochi poco poi possa possono potranno potrebbe potrà potuto presso prima primo
    proprio prossimo pure può qual qualche qualcosa quali quando quasi quattro quel qui quindi rispetto scorso secondo
    sembra sempre senza solo sopra soprattutto sotto spesso stata state stati stato stessa stesso sé sì tale tali
    tanto te terzo tre troppo tutta tuttavia tutte ultima ultimi ultimo va vai vanno vengono verso via viene volta
    volte vuole ieri`,
  pt: `
    agora ainda algo algum alguma algumas alguns alguém ali além ambos ano anos antes apenas apesar após aqui assim
    através bem boa bom cada cerca cinco coisa conforme contra dar debaixo deixar demais dentro desde deve devem
    deveria deverá dia disse diz dois duas durante embora enquanto então era eram estamos estar estará estava estavam
    esteja esteve estou está estão faz fazem fazer fez fim foi fora foram grande havia hoje há jamais la logo lá maior
    maioria mediante medida meio melhor menos mesma mesmas mesmos mil muita muitas nada nenhum nenhuma nessa nesse
    nesta neste ninguém nova novas novo novos nunca obrigada obrigado olá onde ontem outra outras outro outros parte
    perto pode podem poder poderia poderá poderão pois porque porquê porém possa possível pouca poucas pouco poucos
    primeira primeiro próprio próxima próximo pude qualquer quanto quase quatro quer quê segundo seja sejam sempre
    sendo ser seria será serão si sido sim sob sobre tal talvez tampouco tanta tantas tanto tantos tarde tem temos
    tendo tenha ter teria terá terão teve tido tinha tinham toda todas todavia todo todos três tudo tão têm uns vai
    vez vezes vindo vir várias vários vão é última último`,
  nl: `
    alle alleen allemaal anders bijna binnen bovendien daarna daarom dankzij drie echter eerst eerste elk elke enkele
    erg even gaan gaat geleden geven goed graag hele hoewel iedere iedereen inmiddels jaar jullie komen komt konden
    krijgen krijgt laat laatste later maakt maken moest moeten mogen naast niemand nieuwe nodig nooit ongeveer onze
    ooit opnieuw per rond sinds snel soms steeds straks terug tijdens tussen twee vaak vanaf vandaag vanwege verder
    vier volgende volgens vooral vorige vrij waar waarbij waarom wanneer weer weinig werden willen wordt zeer zegt
    zelfs zoals zodat zouden zowel zullen`,
  zh: `
    一个 一些 一种 不是 为了 为什么 之前 之后 什么 今天 今年 他们 以上 以下 以及 以来 但是 你们 你好 使用 关于 其中 其他 去年 另外 可以 可能 同时 因为 她们 如果 它们 对于 将 就是 已经 并且 应该
    开始 很多 必须 怎么 您好 成为 我们 所以 明天 明年 昨天 更加 最 根据 此外 每天 每年 没有 由于 目前 称 而且 能 能够 自己 虽然 表示 认为 许多 谢谢 还是 这个 这些 这种 进行 通过 那个 那些 需要
    非常 我是 请问 不能 不会 新的 有的 这次`,
  ja: `
    あった あなた あの ありがとう あれ いた いたし お願い お願いいたします ください くらい ぐらい ござい させる され される さん した して そこ そのため たい だけ でした とても どこ ほう ました ません 上
    下 中 今 今年 今日 前 去年 彼 彼女 後 思い 思う 明日 昨日 来年 私 私たち 約 話し 述べ 非常 まれ なので わずか うれしい という でも`,
};

/** Units stand beside numbers in any language. */
const units = 'km kg cm mm ml cl dl mg ha kw kwh mw mwh gwh gb mb tb eur usd min std sec sek hrs oc';
