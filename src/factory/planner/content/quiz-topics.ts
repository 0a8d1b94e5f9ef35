import type { Lang } from '../../spec.ts';

/** Questions of a subject: `question=right~wrong~wrong~wrong` by language. */
export type TopicQuestions = Readonly<Record<Lang, readonly string[]>>;

const space: TopicQuestions = {
  en: [
    'Which planet is closest to the Sun?=Mercury~Venus~Mars~Earth',
    'Which planet is the largest of the solar system?=Jupiter~Saturn~Neptune~Uranus',
    'How many planets has the solar system?=8~7~9~10',
    'Which planet is famous for its bright rings?=Saturn~Mars~Venus~Mercury',
    'What is the Sun?=A star~A planet~A comet~A moon',
    'How long does light take from the Sun to the Earth?=About 8 minutes~About 8 seconds~About 8 hours~About 8 days',
    'Who was the first person on the Moon?=Neil Armstrong~Yuri Gagarin~Buzz Aldrin~John Glenn',
    'Which planet is called the Red Planet?=Mars~Venus~Jupiter~Mercury',
  ],
  de: [
    'Welcher Planet ist der Sonne am nächsten?=Merkur~Venus~Mars~Erde',
    'Welcher Planet ist der größte im Sonnensystem?=Jupiter~Saturn~Neptun~Uranus',
    'Wie viele Planeten hat das Sonnensystem?=8~7~9~10',
    'Welcher Planet ist für seine hellen Ringe bekannt?=Saturn~Mars~Venus~Merkur',
    'Was ist die Sonne?=Ein Stern~Ein Planet~Ein Komet~Ein Mond',
    'Wie lange braucht das Licht von der Sonne zur Erde?=Etwa 8 Minuten~Etwa 8 Sekunden~Etwa 8 Stunden~Etwa 8 Tage',
    'Wer war der erste Mensch auf dem Mond?=Neil Armstrong~Juri Gagarin~Buzz Aldrin~John Glenn',
    'Welcher Planet heißt der Rote Planet?=Mars~Venus~Jupiter~Merkur',
  ],
  es: [
    '¿Qué planeta está más cerca del Sol?=Mercurio~Venus~Marte~La Tierra',
    '¿Cuál es el planeta más grande del sistema solar?=Júpiter~Saturno~Neptuno~Urano',
    '¿Cuántos planetas tiene el sistema solar?=8~7~9~10',
    '¿Qué planeta es famoso por sus anillos brillantes?=Saturno~Marte~Venus~Mercurio',
    '¿Qué es el Sol?=Una estrella~Un planeta~Un cometa~Una luna',
    '¿Cuánto tarda la luz del Sol en llegar a la Tierra?=Unos 8 minutos~Unos 8 segundos~Unas 8 horas~Unos 8 días',
    '¿Quién fue la primera persona en la Luna?=Neil Armstrong~Yuri Gagarin~Buzz Aldrin~John Glenn',
    '¿Qué planeta es el planeta rojo?=Marte~Venus~Júpiter~Mercurio',
  ],
  fr: [
    'Quelle planète est la plus proche du Soleil ?=Mercure~Vénus~Mars~La Terre',
    'Quelle est la plus grande planète du système solaire ?=Jupiter~Saturne~Neptune~Uranus',
    'Combien de planètes compte le système solaire ?=8~7~9~10',
    'Quelle planète est connue pour ses anneaux brillants ?=Saturne~Mars~Vénus~Mercure',
    'Qu’est-ce que le Soleil ?=Une étoile~Une planète~Une comète~Une lune',
    'Combien de temps la lumière met-elle du Soleil à la Terre ?=Environ 8 minutes~Environ 8 secondes~Environ 8 heures~Environ 8 jours',
    'Qui a marché le premier sur la Lune ?=Neil Armstrong~Iouri Gagarine~Buzz Aldrin~John Glenn',
    'Quelle planète est la planète rouge ?=Mars~Vénus~Jupiter~Mercure',
  ],
};

const animals: TopicQuestions = {
  en: [
    'Which animal is the largest of all?=Blue whale~Elephant~Giraffe~Whale shark',
    'Which land animal runs fastest?=Cheetah~Lion~Horse~Greyhound',
    'How many legs has a spider?=8~6~10~12',
    'Which bird cannot fly?=Penguin~Swan~Owl~Stork',
    'What does a panda mostly eat?=Bamboo~Fish~Honey~Grass',
    'Which of these is a mammal?=Dolphin~Shark~Penguin~Crocodile',
  ],
  de: [
    'Welches Tier ist das größte von allen?=Blauwal~Elefant~Giraffe~Walhai',
    'Welches Landtier läuft am schnellsten?=Gepard~Löwe~Pferd~Windhund',
    'Wie viele Beine hat eine Spinne?=8~6~10~12',
    'Welcher Vogel kann nicht fliegen?=Pinguin~Schwan~Eule~Storch',
    'Was frisst ein Panda vor allem?=Bambus~Fisch~Honig~Gras',
    'Was davon ist ein Säugetier?=Delfin~Hai~Pinguin~Krokodil',
  ],
  es: [
    '¿Cuál es el animal más grande de todos?=La ballena azul~El elefante~La jirafa~El tiburón ballena',
    '¿Qué animal terrestre corre más rápido?=El guepardo~El león~El caballo~El galgo',
    '¿Cuántas patas tiene una araña?=8~6~10~12',
    '¿Qué ave no puede volar?=El pingüino~El cisne~El búho~La cigüeña',
    '¿Qué come sobre todo un panda?=Bambú~Pescado~Miel~Hierba',
    '¿Cuál de estos es un mamífero?=El delfín~El tiburón~El pingüino~El cocodrilo',
  ],
  fr: [
    'Quel est le plus grand de tous les animaux ?=La baleine bleue~L’éléphant~La girafe~Le requin-baleine',
    'Quel animal terrestre court le plus vite ?=Le guépard~Le lion~Le cheval~Le lévrier',
    'Combien de pattes a une araignée ?=8~6~10~12',
    'Quel oiseau ne vole pas ?=Le manchot~Le cygne~Le hibou~La cigogne',
    'Que mange surtout un panda ?=Du bambou~Du poisson~Du miel~De l’herbe',
    'Lequel est un mammifère ?=Le dauphin~Le requin~Le manchot~Le crocodile',
  ],
};

const history: TopicQuestions = {
  en: [
    'In which year did the Second World War end?=1945~1918~1939~1950',
    'Who built the great pyramids of Giza?=The Egyptians~The Romans~The Greeks~The Persians',
    'In which year did the French Revolution begin?=1789~1689~1815~1848',
    'Which city was buried by Vesuvius in the year 79?=Pompeii~Rome~Naples~Athens',
    'Which ship sank on its first voyage in 1912?=Titanic~Lusitania~Bismarck~Vasa',
    'In which year did the Berlin Wall fall?=1989~1979~1991~1985',
  ],
  de: [
    'In welchem Jahr endete der Zweite Weltkrieg?=1945~1918~1939~1950',
    'Wer baute die großen Pyramiden von Gizeh?=Die Ägypter~Die Römer~Die Griechen~Die Perser',
    'In welchem Jahr begann die Französische Revolution?=1789~1689~1815~1848',
    'Welche Stadt begrub der Vesuv im Jahr 79?=Pompeji~Rom~Neapel~Athen',
    'Welches Schiff sank 1912 auf seiner ersten Fahrt?=Titanic~Lusitania~Bismarck~Vasa',
    'In welchem Jahr fiel die Berliner Mauer?=1989~1979~1991~1985',
  ],
  es: [
    '¿En qué año terminó la Segunda Guerra Mundial?=1945~1918~1939~1950',
    '¿Quién construyó las grandes pirámides de Guiza?=Los egipcios~Los romanos~Los griegos~Los persas',
    '¿En qué año empezó la Revolución francesa?=1789~1689~1815~1848',
    '¿Qué ciudad enterró el Vesubio en el año 79?=Pompeya~Roma~Nápoles~Atenas',
    '¿Qué barco se hundió en su primer viaje en 1912?=Titanic~Lusitania~Bismarck~Vasa',
    '¿En qué año cayó el Muro de Berlín?=1989~1979~1991~1985',
  ],
  fr: [
    'En quelle année la Seconde Guerre mondiale a-t-elle pris fin ?=1945~1918~1939~1950',
    'Qui a construit les grandes pyramides de Gizeh ?=Les Égyptiens~Les Romains~Les Grecs~Les Perses',
    'En quelle année la Révolution française a-t-elle commencé ?=1789~1689~1815~1848',
    'Quelle ville le Vésuve a-t-il ensevelie en 79 ?=Pompéi~Rome~Naples~Athènes',
    'Quel navire a sombré lors de son premier voyage en 1912 ?=Titanic~Lusitania~Bismarck~Vasa',
    'En quelle année est tombé le mur de Berlin ?=1989~1979~1991~1985',
  ],
};

const football: TopicQuestions = {
  en: [
    'How many players of a team are on the pitch at the start?=11~10~12~9',
    'How long is a match without extra time?=90 minutes~80 minutes~100 minutes~60 minutes',
    'Who may handle the ball within the penalty area?=The goalkeeper~The captain~Every defender~Nobody',
    'Which country has won the most men’s World Cups up to 2022?=Brazil~Germany~Italy~Argentina',
    'What does a red card mean?=Sent off~A warning~A free kick~A substitution',
    'From how far is a penalty taken?=11 metres~9 metres~13 metres~16 metres',
  ],
  de: [
    'Wie viele Spieler eines Teams stehen zu Beginn auf dem Platz?=11~10~12~9',
    'Wie lange dauert ein Spiel ohne Verlängerung?=90 Minuten~80 Minuten~100 Minuten~60 Minuten',
    'Wer darf den Ball im Strafraum in die Hand nehmen?=Der Torwart~Der Kapitän~Jeder Verteidiger~Niemand',
    'Welches Land gewann bis 2022 die meisten Weltmeisterschaften der Männer?=Brasilien~Deutschland~Italien~Argentinien',
    'Was bedeutet eine Rote Karte?=Platzverweis~Verwarnung~Freistoß~Auswechslung',
    'Aus welcher Entfernung wird ein Elfmeter geschossen?=11 Meter~9 Meter~13 Meter~16 Meter',
  ],
  es: [
    '¿Cuántos jugadores de un equipo empiezan el partido?=11~10~12~9',
    '¿Cuánto dura un partido sin prórroga?=90 minutos~80 minutos~100 minutos~60 minutos',
    '¿Quién puede tocar el balón con la mano en el área?=El portero~El capitán~Los defensas~Nadie',
    '¿Qué país ganó más Mundiales masculinos hasta 2022?=Brasil~Alemania~Italia~Argentina',
    '¿Qué significa la tarjeta roja?=Expulsión~Aviso~Tiro libre~Cambio',
    '¿Desde qué distancia se lanza un penalti?=11 metros~9 metros~13 metros~16 metros',
  ],
  fr: [
    'Combien de joueurs d’une équipe commencent le match ?=11~10~12~9',
    'Combien de temps dure un match sans prolongation ?=90 minutes~80 minutes~100 minutes~60 minutes',
    'Qui peut toucher le ballon de la main dans la surface ?=Le gardien~Le capitaine~Les défenseurs~Personne',
    'Quel pays a gagné le plus de Coupes du monde masculines jusqu’en 2022 ?=Le Brésil~L’Allemagne~L’Italie~L’Argentine',
    'Que signifie un carton rouge ?=L’expulsion~Un avertissement~Un coup franc~Un remplacement',
    'De quelle distance se tire un penalty ?=11 mètres~9 mètres~13 mètres~16 mètres',
  ],
};

const body: TopicQuestions = {
  en: [
    'Which organ pumps the blood?=The heart~The lungs~The liver~The kidneys',
    'How many bones has an adult?=206~106~306~406',
    'Which is the largest organ?=The skin~The liver~The brain~The stomach',
    'How many teeth has a full adult set?=32~28~30~36',
    'What carries oxygen in the blood?=Red blood cells~White blood cells~Platelets~Bones',
    'Where is the smallest bone?=In the ear~In the hand~In the foot~In the nose',
  ],
  de: [
    'Welches Organ pumpt das Blut?=Das Herz~Die Lunge~Die Leber~Die Nieren',
    'Wie viele Knochen hat ein Erwachsener?=206~106~306~406',
    'Welches Organ ist das größte?=Die Haut~Die Leber~Das Gehirn~Der Magen',
    'Wie viele Zähne hat ein volles Gebiss?=32~28~30~36',
    'Was trägt den Sauerstoff im Blut?=Rote Blutkörperchen~Weiße Blutkörperchen~Blutplättchen~Knochen',
    'Wo ist der kleinste Knochen?=Im Ohr~In der Hand~Im Fuß~In der Nase',
  ],
  es: [
    '¿Qué órgano bombea la sangre?=El corazón~Los pulmones~El hígado~Los riñones',
    '¿Cuántos huesos tiene un adulto?=206~106~306~406',
    '¿Cuál es el órgano más grande?=La piel~El hígado~El cerebro~El estómago',
    '¿Cuántos dientes tiene una dentadura adulta completa?=32~28~30~36',
    '¿Qué transporta el oxígeno en la sangre?=Los glóbulos rojos~Los glóbulos blancos~Las plaquetas~Los huesos',
    '¿Dónde está el hueso más pequeño?=En el oído~En la mano~En el pie~En la nariz',
  ],
  fr: [
    'Quel organe pompe le sang ?=Le cœur~Les poumons~Le foie~Les reins',
    'Combien d’os a un adulte ?=206~106~306~406',
    'Quel est le plus grand organe ?=La peau~Le foie~Le cerveau~L’estomac',
    'Combien de dents compte une dentition adulte complète ?=32~28~30~36',
    'Qu’est-ce qui transporte l’oxygène dans le sang ?=Les globules rouges~Les globules blancs~Les plaquettes~Les os',
    'Où se trouve le plus petit os ?=Dans l’oreille~Dans la main~Dans le pied~Dans le nez',
  ],
};

const music: TopicQuestions = {
  en: [
    'How many keys has a full piano?=88~76~61~96',
    'Who composed the Ninth Symphony with the “Ode to Joy”?=Beethoven~Mozart~Bach~Haydn',
    'How many strings has a violin?=4~5~6~8',
    'From which city came the Beatles?=Liverpool~London~Manchester~Dublin',
    'Which instrument is a woodwind?=Clarinet~Trumpet~Cello~Drum',
    'What does “piano” mean in a score?=Quiet~Loud~Fast~Slow',
  ],
  de: [
    'Wie viele Tasten hat ein volles Klavier?=88~76~61~96',
    'Wer komponierte die Neunte Sinfonie mit der „Ode an die Freude“?=Beethoven~Mozart~Bach~Haydn',
    'Wie viele Saiten hat eine Geige?=4~5~6~8',
    'Aus welcher Stadt kamen die Beatles?=Liverpool~London~Manchester~Dublin',
    'Welches ist ein Holzblasinstrument?=Klarinette~Trompete~Cello~Trommel',
    'Was bedeutet „piano“ in den Noten?=Leise~Laut~Schnell~Langsam',
  ],
  es: [
    '¿Cuántas teclas tiene un piano completo?=88~76~61~96',
    '¿Quién compuso la Novena sinfonía con la «Oda a la alegría»?=Beethoven~Mozart~Bach~Haydn',
    '¿Cuántas cuerdas tiene un violín?=4~5~6~8',
    '¿De qué ciudad eran los Beatles?=Liverpool~Londres~Mánchester~Dublín',
    '¿Cuál es un instrumento de viento madera?=El clarinete~La trompeta~El violonchelo~El tambor',
    '¿Qué significa «piano» en una partitura?=Suave~Fuerte~Rápido~Lento',
  ],
  fr: [
    'Combien de touches a un piano complet ?=88~76~61~96',
    'Qui a composé la Neuvième symphonie avec l’« Ode à la joie » ?=Beethoven~Mozart~Bach~Haydn',
    'Combien de cordes a un violon ?=4~5~6~8',
    'De quelle ville venaient les Beatles ?=Liverpool~Londres~Manchester~Dublin',
    'Lequel est un instrument à vent en bois ?=La clarinette~La trompette~Le violoncelle~Le tambour',
    'Que veut dire « piano » sur une partition ?=Doucement~Fort~Vite~Lentement',
  ],
};

const computing: TopicQuestions = {
  en: [
    'How many bits has a byte?=8~4~16~10',
    'What does HTML describe?=The structure of a page~The colours of a screen~A database~A network cable',
    'Which value does `typeof []` give in JavaScript?="object"~"array"~"list"~"undefined"',
    'What is 1010 in decimal?=10~8~12~5',
    'What does CPU stand for?=Central processing unit~Computer power unit~Core program utility~Central print unit',
    'Which structure gives out last what went in first?=A stack~A queue~A tree~A table',
  ],
  de: [
    'Wie viele Bit hat ein Byte?=8~4~16~10',
    'Was beschreibt HTML?=Den Aufbau einer Seite~Die Farben eines Bildschirms~Eine Datenbank~Ein Netzwerkkabel',
    'Was ergibt `typeof []` in JavaScript?="object"~"array"~"list"~"undefined"',
    'Was ist die Binärzahl 1010 dezimal?=10~8~12~5',
    'Was ist die CPU?=Der Prozessor~Der Bildschirm~Die Festplatte~Das Netzteil',
    'Was gibt zuletzt heraus, was zuerst hineinkam?=Ein Stapel~Eine Schlange~Ein Baum~Eine Tabelle',
  ],
  es: [
    '¿Cuántos bits tiene un byte?=8~4~16~10',
    '¿Qué describe HTML?=La estructura de una página~Los colores de una pantalla~Una base de datos~Un cable de red',
    '¿Qué da `typeof []` en JavaScript?="object"~"array"~"list"~"undefined"',
    '¿Cuánto es el binario 1010 en decimal?=10~8~12~5',
    '¿Qué es la CPU?=El procesador~La pantalla~El disco~La fuente de alimentación',
    '¿Qué saca al final lo que entró primero?=Una pila~Una cola~Un árbol~Una tabla',
  ],
  fr: [
    'Combien de bits a un octet ?=8~4~16~10',
    'Que décrit HTML ?=La structure d’une page~Les couleurs d’un écran~Une base de données~Un câble réseau',
    'Que donne `typeof []` en JavaScript ?="object"~"array"~"list"~"undefined"',
    'Combien vaut le binaire 1010 en décimal ?=10~8~12~5',
    'Qu’est-ce que le CPU ?=Le processeur~L’écran~Le disque~L’alimentation',
    'Qu’est-ce qui rend en dernier ce qui est entré en premier ?=Une pile~Une file~Un arbre~Un tableau',
  ],
};

/** Subjects with ready questions. */
export const quizTopics = { space, animals, history, football, body, music, computing } as const;
