import { columns, everydayRows, type Learnt } from './words.ts';

/** Common words in English, German, Spanish and French; a slash stands between words of one meaning. */
const common = [
  'to be,sein,ser/estar,être;to have,haben,tener/haber,avoir;to do/to make,machen/tun,hacer,faire;can/to be able to,können,poder,pouvoir',
  'to want,wollen,querer,vouloir;must/to have to,müssen,deber,devoir;to know,wissen/kennen,saber/conocer,savoir/connaître;to say,sagen,decir,dire',
  'to speak/to talk,sprechen/reden,hablar,parler;to come,kommen,venir,venir;to see,sehen,ver,voir;to give,geben,dar,donner',
  'to take,nehmen,tomar,prendre;to find,finden,encontrar,trouver;to think,denken,pensar,penser;to believe,glauben,creer,croire',
  'to put,legen/stellen,poner,mettre;to leave,verlassen,salir/dejar,partir/quitter;to live,leben/wohnen,vivir,vivre/habiter;to work,arbeiten,trabajar,travailler',
  'to learn,lernen,aprender,apprendre;to read,lesen,leer,lire;to write,schreiben,escribir,écrire;to hear,hören,oír,entendre',
  'to listen,zuhören,escuchar,écouter;to ask,fragen,preguntar,demander;to answer,antworten,responder,répondre;to drink,trinken,beber,boire',
  'to sleep,schlafen,dormir,dormir;to run,laufen/rennen,correr,courir;to swim,schwimmen,nadar,nager;to buy,kaufen,comprar,acheter',
  'to sell,verkaufen,vender,vendre;to open,öffnen,abrir,ouvrir;to close,schließen,cerrar,fermer;to begin/to start,beginnen/anfangen,empezar/comenzar,commencer',
  'to play,spielen,jugar,jouer;to love,lieben,amar,aimer;to need,brauchen,necesitar,avoir besoin;to wait,warten,esperar,attendre',
  'to help,helfen,ayudar,aider;to travel,reisen,viajar,voyager;to look for,suchen,buscar,chercher;to bring,bringen,traer,apporter',
  'to sing,singen,cantar,chanter;to dance,tanzen,bailar,danser;to cook,kochen,cocinar,cuisiner;apple,Apfel,manzana,pomme',
  'pear,Birne,pera,poire;orange,Orange,naranja,orange;milk,Milch,leche,lait;egg,Ei,huevo,œuf',
  'cheese,Käse,queso,fromage;meat,Fleisch,carne,viande;fish,Fisch,pescado,poisson;coffee,Kaffee,café,café',
  'tea,Tee,té,thé;sugar,Zucker,azúcar,sucre;salt,Salz,sal,sel;table,Tisch,mesa,table',
  'chair,Stuhl,silla,chaise;bed,Bett,cama,lit;door,Tür,puerta,porte;window,Fenster,ventana,fenêtre',
  'kitchen,Küche,cocina,cuisine;room,Zimmer,habitación,chambre;car,Auto,coche,voiture;bicycle/bike,Fahrrad,bicicleta,vélo',
  'city/town,Stadt,ciudad,ville;tree,Baum,árbol,arbre;flower,Blume,flor,fleur;sun,Sonne,sol,soleil',
  'moon,Mond,luna,lune;rain,Regen,lluvia,pluie;snow,Schnee,nieve,neige;sea,Meer,mar,mer',
  'bird,Vogel,pájaro,oiseau;horse,Pferd,caballo,cheval;cow,Kuh,vaca,vache;mother,Mutter,madre,mère',
  'father,Vater,padre,père;brother,Bruder,hermano,frère;sister,Schwester,hermana,sœur;child,Kind,niño,enfant',
  'man,Mann,hombre,homme;woman,Frau,mujer,femme;school,Schule,escuela,école;teacher,Lehrer,profesor,professeur',
  'year,Jahr,año,an/année;week,Woche,semana,semaine;month,Monat,mes,mois;night,Nacht,noche,nuit',
  'morning,Morgen,mañana,matin;yesterday,gestern,ayer,hier;yes,ja,sí,oui;no,nein,no,non',
  'red,rot,rojo,rouge;blue,blau,azul,bleu;green,grün,verde,vert;yellow,gelb,amarillo,jaune',
  'black,schwarz,negro,noir;white,weiß,blanco,blanc;small,klein,pequeño,petit;new,neu,nuevo,nouveau',
  'old,alt,viejo,vieux;hot,heiß,caliente,chaud;cold,kalt,frío,froid;one,eins,uno,un',
  'two,zwei,dos,deux;three,drei,tres,trois;four,vier,cuatro,quatre;five,fünf,cinco,cinq',
  'hand,Hand,mano,main;head,Kopf,cabeza,tête;eye,Auge,ojo,œil;heart,Herz,corazón,cœur',
  'money,Geld,dinero,argent;work,Arbeit,trabajo,travail;time,Zeit,tiempo,temps;airport,Flughafen,aeropuerto,aéroport',
  'ticket,Fahrkarte,billete,billet',
];

const rows = [...common.flatMap((line) => line.split(';')).map((line) => line.split(',')), ...everydayRows];

const article = /^(?:to |the |an? |der |die |das |eine? |el |los |las |una? |(?:la|le|les|une) |l[’'])/iu;
const bare = (word: string) => word.trim().toLowerCase().replace(article, '');

const index = new Map<Learnt, Map<string, readonly string[]>>();
for (const [column, lang] of columns.entries()) {
  const words = new Map<string, readonly string[]>();
  for (const row of rows)
    for (const word of (row[column] ?? '').split('/'))
      if (word !== '' && !words.has(bare(word))) words.set(bare(word), row);
  index.set(lang, words);
}

/** What a word of one language is called in another; null for a word that is not known. */
export function translated(word: string, from: Learnt, into: Learnt): string | null {
  const found = index.get(from)?.get(bare(word))?.[columns.indexOf(into)];
  return found ? found.replaceAll('/', ', ') : null;
}
