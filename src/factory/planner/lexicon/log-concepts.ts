import { type Concept, c } from './concept.ts';

/** Fields of what is measured from day to day, of plans with hours, and of shared costs. */
export const logConcepts: Readonly<Record<string, Concept>> = {
  drunk: c('number', 'Amount (ml)|Menge (ml)|Cantidad (ml)|Quantité (ml)', 'ml', { range: [200, 500, 50] }),
  glasses: c('number', 'Glasses|Gläser|Vasos|Verres', '', { range: [1, 3, 1] }),
  slept: c('number', 'Hours slept|Stunden Schlaf|Horas de sueño|Heures de sommeil', '', {
    range: [6, 8.5, 0.5],
    total: 'average',
  }),
  stepcount: c('number', 'Steps|Schritte|Pasos|Pas', 'step count', { range: [4200, 12600, 350] }),
  systolic: c('number', 'Systolic (mmHg)|Systolisch (mmHg)|Sistólica (mmHg)|Systolique (mmHg)', 'systolic', {
    range: [112, 134, 2],
    total: 'average',
  }),
  diastolic: c(
    'number',
    'Diastolic (mmHg)|Diastolisch (mmHg)|Diastólica (mmHg)|Diastolique (mmHg)',
    'diastolic',
    { range: [70, 86, 2], total: 'average' },
  ),
  pulse: c('number', 'Pulse (bpm)|Puls (bpm)|Pulso (lpm)|Pouls (bpm)', 'pulse|heart rate|puls|pulso', {
    range: [58, 82, 2],
    total: 'average',
  }),
  glucose: c(
    'number',
    'Blood sugar (mg/dL)|Blutzucker (mg/dL)|Glucosa (mg/dL)|Glycémie (mg/dL)',
    'glucose|blood glucose|blutzucker',
    { range: [84, 142, 2], total: 'average' },
  ),
  degrees: c(
    'number',
    'Temperature (°C)|Temperatur (°C)|Temperatura (°C)|Température (°C)',
    'temperature|temp|temperatur|temperatura',
    { range: [36.2, 37.4, 0.1], total: 'average' },
  ),
  screenhours: c(
    'number',
    'Hours on screen|Bildschirmzeit (Std.)|Horas de pantalla|Heures d’écran',
    'screen time',
    { range: [1, 5, 0.5] },
  ),
  energy: c('number', 'Calories (kcal)|Kalorien (kcal)|Calorías (kcal)|Calories (kcal)', '', {
    range: [180, 720, 20],
  }),
  pain: c('number', 'Strength (0–10)|Stärke (0–10)|Intensidad (0–10)|Intensité (0–10)', 'intensity', {
    range: [1, 7, 1],
    total: 'average',
  }),
  reading: c('number', 'Reading|Zählerstand|Lectura|Relevé', 'meter reading|zählerstand', {
    range: [14200, 15600, 50],
    total: 'none',
  }),
  load: c('number', 'Weight (kg)|Gewicht (kg)|Peso (kg)|Charge (kg)', 'load', {
    range: [10, 80, 2.5],
    total: 'none',
  }),
  level10: c('number', 'Level (1–10)|Stufe (1–10)|Nivel (1–10)|Niveau (1–10)', '', {
    range: [2, 9, 1],
    total: 'average',
  }),
  feel: c('rating', 'How it was|Wie es war|Cómo fue|Ressenti'),
  watering: c(
    'number',
    'Water every (days)|Gießen alle (Tage)|Riego cada (días)|Arroser tous les (jours)',
    'watering interval|water every|gießintervall',
    { range: [3, 14, 1], total: 'none' },
  ),
  lastwatered: c(
    'date',
    'Last watered|Zuletzt gegossen|Último riego|Dernier arrosage',
    'watered|last watering|gegossen am',
  ),
  lastdone: c('date', 'Last done|Zuletzt erledigt|Última vez|Dernière fois', 'last service'),
  weekday: c('select', 'Day|Tag|Día|Jour', 'weekday|wochentag|day of the week', {
    options:
      'Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday|Montag,Dienstag,Mittwoch,Donnerstag,Freitag,Samstag,Sonntag|Lunes,Martes,Miércoles,Jueves,Viernes,Sábado,Domingo|Lundi,Mardi,Mercredi,Jeudi,Vendredi,Samedi,Dimanche',
  }),
  on: c('date', 'Date|Datum|Fecha|Date'),
  from: c('time', 'From|Von|Desde|De', 'start time|begin|arrived|hora de inicio|heure de début'),
  to: c('time', 'To|Bis|Hasta|À', 'end time|left|hora de fin|heure de fin'),
  person: c('text', 'Person|Person|Persona|Personne', 'employee|mitarbeiter|empleado|employé'),
  role: c('text', 'Role|Einsatz|Puesto|Rôle', 'station'),
  lesson: c('text', 'Subject|Fach|Asignatura|Matière'),
  room: c('text', 'Room|Raum|Sala|Salle'),
  host: c('text', 'Visiting|Besucht|Visita a|Rend visite à', 'host|gastgeber'),
  machine: c('text', 'What|Was|Qué|Quoi', 'machine|maschine|máquina'),
  aims: c('longtext', 'Aims|Lernziele|Objetivos|Objectifs', 'goals|objectives|lernziele|objetivos'),
  materials: c('text', 'Materials|Material|Materiales|Matériel', 'material'),
  payer: c('text', 'Paid by|Bezahlt von|Pagado por|Payé par', 'payer|who paid|wer hat bezahlt|quién pagó'),
  sharers: c('text', 'Split between|Geteilt durch|Se reparte entre|Partagé entre', 'shared with|people'),
  share: c(
    'currency',
    'Share per person|Anteil pro Person|Parte por persona|Part par personne',
    'share|anteil|each pays',
    { range: [4, 40, 0.5], total: 'sum' },
  ),
  settled: c('checkbox', 'Settled|Ausgeglichen|Saldado|Réglé', 'settled up|paid back'),
};
