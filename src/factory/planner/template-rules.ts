import type { TemplateName } from '../spec.ts';
import { words } from './words.ts';

export interface Rule {
  readonly template: TemplateName;
  readonly variant: string;
  readonly weight: number;
  readonly pattern: RegExp;
}

const rule = (template: TemplateName, variant: string, weight: number, source: string): Rule => ({
  template,
  variant,
  weight,
  pattern: words(source),
});

/** Words that tell what kind of app is meant. The first of two equal ones wins. */
export const rules: readonly Rule[] = [
  rule('game', 'snake', 5, 'snake|schlangenspiel|jeu du serpent|juego de la serpiente'),
  rule('game', 'tictactoe', 5, 'tic[ -]?tac[ -]?toe|noughts and crosses|morpion|tres en raya|drei gewinnt'),
  rule('game', '2048', 5, '2048'),
  rule(
    'game',
    'blocks',
    5,
    'tetris|tetrominos?|tetrominoes|falling (blocks?|bricks?|pieces)|block[- ]?(stacking|stacker)|fallende (steine|blöcke)|bloques que caen|blocs qui tombent',
  ),
  rule(
    'game',
    'memory',
    4.5,
    'memory|memory[- ]game|memoryspiel|juego de memoria|jeu de mémoire|matching pairs|find the pairs|concentration game',
  ),
  // Games without a template: the closest one is built, and it says so.
  rule(
    'game',
    'like snake',
    4.5,
    'pong|breakout|arkanoid|pac-?man|flappy(?: ?bird)?|asteroids|space invaders|frogger|doodle jump|platformer|jump (?:and|&|n) run|racing game|rennspiel|arcade',
  ),
  rule(
    'game',
    'like tictactoe',
    4.5,
    'chess(?! ?clock| ?timer)|schach|ajedrez|échecs|checkers|draughts|damespiel|damas|othello|reversi|connect ?(?:four|4)|vier gewinnt|puissance 4|cuatro en raya|rock paper scissors|schere stein papier|piedra papel tijera',
  ),
  rule(
    'game',
    'like 2048',
    4.5,
    'minesweeper|buscaminas|démineur|sudokus?|hangman|galgenmännchen|ahorcado|le pendu|wordle|solitaire|solitär|solitario|crosswords?|kreuzworträtsel|crucigrama|mots croisés|jigsaw|candy crush|match[- ]?(?:three|3)',
  ),
  rule('game', '', 2.6, 'game|games|minigame|\\p{L}*spiel|juego|jeu'),
  rule('timer', 'pomodoro', 5, 'pomodoro|focus timer|fokus[- ]?timer'),
  rule(
    'timer',
    'stopwatch',
    5,
    'stopwatch|stop watch|stoppuhr|cronómetro|cronometro|chronomètre|chronometre|lap timer',
  ),
  rule(
    'timer',
    'intervals',
    5,
    'interval timer|intervals?|hiit|tabata|intervall\\p{L}*|intervalos|intervalles',
  ),
  rule(
    'timer',
    'countdown',
    3.8,
    'countdown|count down|cuenta atrás|compte à rebours|egg timer|eieruhr|kitchen timer|küchenwecker|tea timer|meditation timer',
  ),
  rule('timer', 'countdown', 3.4, '(?:\\p{L}+-)?timer|temporizador|minuteur|minuterie|kurzzeitwecker'),
  rule(
    'timer',
    'countdown',
    6,
    "chess ?(?:clock|timer)|game ?(?:clock|timer)|schach-?uhr|reloj de ajedrez|temporizador de ajedrez|(?:pendule|horloge) d[’']échecs",
  ),
  rule(
    'event',
    '',
    5.5,
    'countdown (to|until|till|for)|countdown (bis|zu[rm]?)|(?!back)\\p{L}{3,}-?countdown|days (?:until|till)|tage bis|cuenta regresiva|cuenta atrás (para|hasta)|compte à rebours (pour|jusqu)',
  ),
  rule(
    'converter',
    '',
    4.6,
    'converter|convertor|convert|conversion|\\p{L}*umrechner|umrechnen|conversor|convertidor|convertisseur|convertir',
  ),
  rule(
    'calculator',
    '',
    4.4,
    'calculator|calculate|calc|\\p{L}*rechner|berechnen|calculadora|calcular|calculatrice|calculateur|calculette|calculer|simulateur|simulador',
  ),
  rule(
    'flashcards',
    '',
    5.2,
    'flash ?-?cards?|karteikarten|lernkarten|vokabeltrainer|vokabelkarten|tarjetas de (memoria|estudio|vocabulario|aprendizaje)|cartes (mémoire|de révision|mémo)|spaced repetition|vocab(ulary)? (trainer|cards|practice)',
  ),
  rule(
    'quiz',
    '',
    4.8,
    '(?:multiplication|times)[- ]?tables?|multiplications?|einmaleins|1x1|kopfrechnen|rechentrainer|mental (?:maths?|arithmetic)|maths? (?:practice|drills?|trainer|facts)|tables? de multiplication|calcul mental|tablas? de multiplicar|multiplicaciones|cálculo mental',
  ),
  rule('quiz', '', 4.6, 'quiz|quizz|quizzes|trivia|\\p{L}*quiz|quiz[- ]\\p{L}+'),
  rule(
    'habits',
    '',
    4.8,
    'habits?|gewohnheit(en)?|gewohnheits\\p{L}*|hábitos?|habitos?|habitudes?|streaks?|daily routine',
  ),
  rule('board', '', 5, 'kanban|kanban-?board|trello'),
  rule(
    'board',
    '',
    3.6,
    '(task|project|sprint|scrum|team|story|agile) ?board|scrum|tablero|aufgabenbrett|tableau (de tâches|kanban|de projet)|swimlanes?|drag[- ]and[- ]drop',
  ),
  rule(
    'dashboard',
    '',
    4.8,
    '\\p{L}*dashboards?|panel de (control|métricas|datos|ventas)|cuadro de mando|tableau de bord|kpis?|analytics|metrics|kennzahlen',
  ),
  rule('notes', 'journal', 3.6, 'journal|diary|\\p{L}*tagebuch|diario|journal intime|gratitude'),
  rule(
    'notes',
    'notes',
    3.6,
    'notes? ?(app|taking|pad|book)|note-taking|notes|notizen|notiz(buch|block|app)\\p{L}*|notas|bloc de notas|bloc-notes|prise de notes|notepad|notebook|scratchpad|zettelkasten|carnet de notes',
  ),
  rule(
    'form',
    'form',
    6.5,
    "anmelde(?:formular|bogen|liste)|anmeldung (?:zu[rm]?|für)(?! (?:hochzeit|geburtstag))|(?:sign|sing)(?:ing)?[- ]?up (?:form|sheet)|sign-?up for (?:the|our|a|an|my)|registration form|formulario de inscripción|inscripción (?:al?|en|para)|formulaire d[’']inscription|inscriptions? (?:au|aux|à la|pour)",
  ),
  rule(
    'quiz',
    '',
    5,
    "(?:cuestionario|questionnaire) (?:sobre|de preguntas sobre|sur) (?!(?:(?:la|el|tu|su|las|los|les|le|votre|l[’'])\\s?)?(?:satisf|opini|clientes?|servicios?|service|feedback|salud|santé|experiencia|expérience|trabajo|travail))\\p{L}+",
  ),
  rule(
    'form',
    'form',
    9,
    '(?:(?:sign|sing)[- ]?up|registration|order|application|entry) (?:sheet|form|list)(?=\\s?(?::|with|[-–]\\s))|anmelde(?:formular|bogen|liste)(?=\\s?(?::|mit|[-–]\\s))',
  ),
  rule('form', 'rsvp', 5, 'rsvp|zu- und absagen?|confirmar asistencia|confirmation de présence'),
  rule('form', 'poll', 4.6, 'polls?|abstimmung|votación|votar|vote|voting|straw poll|sondage|doodle'),
  rule(
    'form',
    'form',
    4.2,
    '\\p{L}*(formular|umfrage|fragebogen)|survey|questionnaire|form|forms|formulario|encuesta|formulaire|enquête|feedback|sign-?up sheet|registration|anmeldung|inscripción|inscription|cuestionario',
  ),
  rule(
    'docs',
    '',
    4.6,
    'docs|documentation|faqs?|knowledge ?base|help ?(center|centre|page|site)|wiki|handbook|manual|dokumentation|wissensdatenbank|handbuch|anleitung|preguntas frecuentes|documentación|base de conocimientos?|manual de \\p{L}+|foire aux questions|base de connaissances|user guide|onboarding guide|hilfeseite',
  ),
  rule(
    'portfolio',
    '',
    5,
    'portfolio|portafolio|porfolio|portefolio|cv|resume|résumé|curriculum( vitae)?|currículum|lebenslauf|personal (site|website|page|homepage)|about me page',
  ),
  rule(
    'portfolio',
    '',
    4.2,
    '(?:site|website|page|web|webseite|seite|homepage|sitio web|página(?: web)?|site web) (?:for|of|für|de|del|para|pour|du)(?: (?:the|a|an|den|die|eine?n?|la|el|una?|le|une|my|our))?(?: \\p{L}+)?? (?:photographer|fotograf(?:en|in)?|fotógraf[oa]|photographe|architect|architekt(?:en|in)|arquitect[oa]|architecte|illustrator(?:in)?|ilustrador[a]?|illustratrice|illustrateur|artist|künstler(?:in)?|artista|artiste|designer(?:in)?|diseñador[a]?|graphiste|writer|author|autorin|autor|escritora?|autrice|painter|maler(?:in)|pintora?|sculptor|musician|musiker(?:in)?|singer|sängerin)',
  ),
  rule(
    'event',
    '',
    3.6,
    'event (page|site|website)|conference|wedding|hochzeit\\p{L}*|boda|mariage|birthday party|geburtstags(feier|party)|meetup|festival|party|hackathon|fiesta|fête|konferenz|congreso|conferencia|evento|événement|veranstaltung\\p{L}*|reunion|concert|konzert|concierto|workshop day|open day|sommerfest|summer fair',
  ),
  rule(
    'event',
    '',
    5,
    '(?:page|site|website|invitation|seite|webseite|einladung|página|invitación|web) (?:for|zum|zur|für|para|del?|pour)[^.,]{0,24}(?:birthday|geburtstag|cumpleaños|anniversaire)',
  ),
  rule(
    'event',
    '',
    5.2,
    '(?:\\p{L}+-?)?einladung(?:en|skarte|sseite)?|invitations?|invites?|invitación|invitacion|convite|faire-part|save[- ]the[- ]date',
  ),
  rule(
    'event',
    '',
    3.8,
    'village f[eê]te|(?:summer|school|church|village) f[eê]te|f[eê]te day|fayre|village fair|carnival|(?!manifest|(?:foot|volley|basket|hand|base|net|paint|soft|dodge|fuß|fuss|völker|snow|eye|fire|rug)ball)\\p{L}{3,}(?:fest|feier|party|hochzeit|jubiläum|taufe|ball)|taufe|kommunion|konfirmation|richtfest|house ?warming|baby ?shower|bridal shower|(?:hen|stag) (?:do|party|night)|(?:bachelor|bachelorette|engagement|retirement|farewell|graduation|christmas|halloween|garden|street|block|office|surprise|dinner) party|christening|baptism|bar mitzvah|quinceañera|bautizo|comunión|fiesta de|despedida de solter[oa]|baptême|crémaillère|pot de départ|fête de|anniversaire de mariage|fiançailles',
  ),
  rule('event', '', 6.5, '(?:garage|yard|jumble) sale|flea market|flohmarkt|mercadillo|vide-grenier'),
  rule(
    'landing',
    '',
    3.2,
    'landing ?-?page|website|web site|homepage|webseite|internetseite|sitio web|página web|pagina web|web para|site (web|internet|vitrine)|page web|one-?pager|web page|coming soon page|startseite',
  ),
  rule('landing', '', 3.2, '(?!start|hilfe)\\p{L}{4,}(?:seite|website|homepage|auftritt)'),
  rule(
    'landing',
    '',
    3.2,
    '(?:a|the|our|my|eine|einen?|un|una|une|simple|little|small) (?:web ?)?site (?:for|of|pour|de)',
  ),
  rule(
    'landing',
    '',
    4.2,
    '(?:page|web ?site|site|seite|webseite|página|web|page web) (?:for|für|para|pour)(?= ?["“„«])',
  ),
  rule('landing', '', 1.4, 'landing|site|seite|página|page|web'),
  rule(
    'tracker',
    '',
    2.8,
    '\\p{L}*tracker|tracking|track|keep track|schedule|timetable|rota|roster|fahrtenbuch|stundenplan|dienstplan|schichtplan|horario|planning|emploi du temps|\\p{L}*manager|organi[sz]er|planner|inventory|\\p{L}*(verwaltung|planer|übersicht|organizer)|\\p{L}{5,}plan|gestor|control de|seguimiento|suivi|gestion|gestionnaire|logbook|log|crm|catalogue?|database|crud|registro|registrar|verwalten|gérer|organiser|organizar|gestionar|administrar',
  ),
  rule(
    'tracker',
    '',
    2.3,
    '\\p{L}*list|lists|\\p{L}*liste|lista|collection|\\p{L}*sammlung|\\p{L}*buch|colección|manage|organize|save|collect|library|directory|to-?dos?|todolist|checklist|tareas pendientes',
  ),
  rule(
    'tracker',
    '',
    4.2,
    'score ?-?board|leader ?-?board|score ?-?keeper|punktestand|punktetafel|bestenliste|marcador|tableau des scores',
  ),
  rule('tracker', '', 1, 'app|application|tool|aplicación|anwendung|outil|herramienta|werkzeug'),
];
