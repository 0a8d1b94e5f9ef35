import { accents, type EntityEntry, e } from './entry.ts';

const { blue, violet, orange, teal, green, red } = accents;

/** Plans that say who or what is where and when, and what is shared between people. */
export const planningEntities: readonly EntityEntry[] = [
  e(
    'shift',
    'shift/shifts|Schicht/Schichten|turno/turnos|service/services',
    'shift shifts schicht schichten schichtliste turno turnos shift-schedule shift-plan shift-planner shift-rota staff-rota staff-schedule employee-schedule work-schedule rota roster duty-roster dienstplan schichtplan schichtplaner einsatzplan personalplanung horario-de-turnos turnos-de-trabajo cuadrante planning-du-personnel planning-des-équipes planning-d’équipe planning-de-service',
    'person on from to role notes',
    'Kim / Counter;Robin / Kitchen;Sam / Floor;Alex / Counter|Kim / Theke;Robin / Küche;Sam / Service;Alex / Theke|Carmen / Barra;Rubén / Cocina;Sara / Sala;Álex / Barra|Camille / Comptoir;Robin / Cuisine;Sam / Salle;Alex / Comptoir',
    teal,
  ),
  e(
    'lesson',
    'class/classes|Stunde/Stunden|clase/clases|cours/cours',
    'timetable class-timetable school-timetable class-schedule school-schedule course-schedule stundenplan horario-de-clases horario-escolar emploi-du-temps',
    'lesson weekday from to teacher room',
    'Maths / Ms Ito / 12;English / Mr Reed / 4;Science / Ms Cole / Lab;History / Mr Diaz / 7|Mathe / Frau Ito / 12;Deutsch / Herr Reed / 4;Biologie / Frau Kohl / Labor;Geschichte / Herr Diaz / 7|Matemáticas / Sra. Ito / 12;Lengua / Sr. Rey / 4;Ciencias / Sra. Coll / Laboratorio;Historia / Sr. Díaz / 7|Maths / Mme Ito / 12;Français / M. Roy / 4;Sciences / Mme Colin / Labo;Histoire / M. Diaz / 7',
    blue,
  ),
  e(
    'mealplan',
    'meal/meals|Essen/Essen|comida/comidas|repas/repas',
    'meal-plan meal-planner meal-planning weekly-menu weekly-meals dinner-plan menu-planner essensplan essensplaner wochenplan speiseplan mahlzeitenplan menú-semanal planificador-de-comidas plan-de-comidas menu-de-la-semaine menus-de-la-semaine planning-de-repas planning-des-repas',
    'what weekday category:meal ingredients done',
    'Lentil soup;Pasta al limone;Chickpea curry;Vegetable lasagne|Linsensuppe;Pasta al limone;Kichererbsencurry;Gemüselasagne|Sopa de lentejas;Pasta al limón;Curry de garbanzos;Lasaña de verduras|Soupe de lentilles;Pâtes au citron;Curry de pois chiches;Lasagnes de légumes',
    green,
  ),
  e(
    'lessonplan',
    'lesson/lessons|Unterrichtsstunde/Unterrichtsstunden|clase/clases|séance/séances',
    'lesson-plan lesson-plans lesson-planner unterrichtsplan unterrichtsplanung unterrichtsplaner plan-de-clase planificador-de-clases plan-de-cours préparation-de-cours',
    'title subject on minutes aims materials notes',
    'Fractions with pizza / Paper plates;Poems aloud / Copies;How plants drink / Celery, ink|Bruchrechnen mit Pizza / Pappteller;Gedichte vortragen / Kopien;Wie Pflanzen trinken / Sellerie, Tinte|Fracciones con pizza / Platos de papel;Poemas en voz alta / Copias;Cómo beben las plantas / Apio, tinta|Fractions et pizza / Assiettes en papier;Poèmes à voix haute / Copies;Comment boivent les plantes / Céleri, encre',
    violet,
  ),
  e(
    'roombooking',
    'booking/bookings|Buchung/Buchungen|reserva/reservas|réservation/réservations',
    'room-booking room-bookings room-reservation meeting-room-booking book-meeting-rooms desk-booking raumbuchung raumbelegung raumreservierung raumplan zimmerbelegung reserva-de-salas reservas-de-salas réservation-de-salle réservation-de-salles',
    'room person on from to notes',
    'Garden room / Kim;Library / Robin;Garden room / Sam|Gartenzimmer / Kim;Bibliothek / Robin;Gartenzimmer / Sam|Sala jardín / Carmen;Biblioteca / Rubén;Sala jardín / Sara|Salle jardin / Camille;Bibliothèque / Robin;Salle jardin / Sam',
    teal,
  ),
  e(
    'visit',
    'visitor/visitors|Besucher/Besucher|visitante/visitantes|visiteur/visiteurs',
    'visitor-log visitors-log visitor-book guest-register sign-in-book besucherliste besucherbuch registro-de-visitantes registro-de-visitas registre-des-visiteurs',
    'name company host date from to notes',
    'Lena Vogt / Studio Nord / Kim;Omar Haddad / Town library / Robin;Inés Prado / Bike shop / Sam|Lena Vogt / Studio Nord / Kim;Omar Haddad / Stadtbücherei / Robin;Inés Prado / Radladen / Sam|Lena Vogt / Estudio Norte / Carmen;Omar Haddad / Biblioteca / Rubén;Inés Prado / Taller de bicis / Sara|Lena Vogt / Studio Nord / Camille;Omar Haddad / Bibliothèque / Robin;Inès Prado / Atelier vélo / Sam',
    blue,
  ),
  e(
    'upkeep',
    'job/maintenance jobs|Wartung/Wartungen|mantenimiento/mantenimientos|entretien/entretiens',
    'maintenance-log maintenance-schedule maintenance-tracker home-maintenance house-maintenance machine-maintenance equipment-maintenance maintenance-plan wartungsprotokoll wartungsbuch maschinenwartung hauswartung registro-de-mantenimiento mantenimiento-de-máquinas mantenimiento-del-hogar carnet-d’entretien suivi-de-maintenance maintenance-des-machines',
    'machine task next lastdone assignee amount status notes',
    'Boiler / Yearly check / Kim;Coffee machine / Descale / Robin;Gutters / Clear the leaves / Sam|Heizung / Jährliche Prüfung / Kim;Kaffeemaschine / Entkalken / Robin;Dachrinne / Laub entfernen / Sam|Caldera / Revisión anual / Carmen;Cafetera / Descalcificar / Rubén;Canalones / Quitar hojas / Sara|Chaudière / Contrôle annuel / Camille;Machine à café / Détartrer / Robin;Gouttières / Retirer les feuilles / Sam',
    orange,
  ),
  e(
    'sharedexpense',
    'shared expense/shared expenses|gemeinsame Ausgabe/gemeinsame Ausgaben|gasto compartido/gastos compartidos|dépense commune/dépenses communes',
    'split*expenses split*costs split*bills share*expenses expenses*between ausgaben*teilen kosten*teilen kosten*aufteilen ausgaben*zwischen dividir*gastos repartir*gastos compartir*gastos gastos*entre partager*dépenses partager*frais dépenses*entre split-expenses split-costs split-bills split-the-rent split-rent expense-splitter bill-splitter group-expenses roommate-expenses shared-costs shared-bills splitting-expenses splitwise tricount ausgaben-teilen kosten-teilen kosten-aufteilen ausgaben-aufteilen wg-kasse wg-ausgaben wg-kosten gruppenkasse gastos-comunes dividir-gastos dividir-los-gastos repartir-gastos repartir-los-gastos compartir-gastos compartir-los-gastos gastos-del-piso dépenses-partagées partager-les-dépenses partager-des-dépenses partage-des-dépenses partage-de-dépenses frais-partagés partager-les-frais frais-communs',
    'what amount payer sharers share date settled',
    'Rent / Alex / Alex, Kim, Robin / amount=1200 / share=400;Weekly groceries / Kim / Alex, Kim, Robin / amount=72 / share=24;Internet / Robin / Alex, Kim, Robin / amount=36 / share=12|Miete / Alex / Alex, Kim, Robin / amount=1200 / share=400;Wocheneinkauf / Kim / Alex, Kim, Robin / amount=72 / share=24;Internet / Robin / Alex, Kim, Robin / amount=36 / share=12|Alquiler / Álex / Álex, Carmen, Rubén / amount=1200 / share=400;Compra semanal / Carmen / Álex, Carmen, Rubén / amount=72 / share=24;Internet / Rubén / Álex, Carmen, Rubén / amount=36 / share=12|Loyer / Alex / Alex, Camille, Robin / amount=1200 / share=400;Courses de la semaine / Camille / Alex, Camille, Robin / amount=72 / share=24;Internet / Robin / Alex, Camille, Robin / amount=36 / share=12',
    red,
  ),
];
