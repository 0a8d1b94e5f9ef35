import type { Lang } from '../../spec.ts';
import { inLang } from '../text.ts';

/** What people call the app for a thing, where “{thing} tracker” would sound odd. */
const names: Readonly<Record<string, string>> = {
  weighin: 'Weight Tracker|Gewichtstagebuch|Mi peso|Mon poids',
  sleep: 'Sleep Log|Schlaftagebuch|Diario de sueño|Journal de sommeil',
  drink: 'Water Tracker|Trinktagebuch|Control de agua|Suivi d’hydratation',
  mood: 'Mood Tracker|Stimmungstagebuch|Diario de ánimo|Journal d’humeur',
  bloodpressure: 'Blood Pressure Log|Blutdrucktagebuch|Control de tensión|Suivi de tension',
  glucose: 'Blood Sugar Log|Blutzuckertagebuch|Control de glucosa|Suivi de glycémie',
  pulse: 'Heart Rate Log|Pulstagebuch|Control de pulso|Suivi du pouls',
  temperature: 'Temperature Log|Temperaturtagebuch|Control de temperatura|Suivi de température',
  steps: 'Step Tracker|Schritte-Tagebuch|Mis pasos|Mes pas',
  calorie: 'Calorie Tracker|Kalorientagebuch|Control de calorías|Suivi de calories',
  mileage: 'Mileage Log|Fahrtenbuch|Registro de kilometraje|Carnet kilométrique',
  screentime: 'Screen Time Tracker|Bildschirmzeit|Tiempo de pantalla|Temps d’écran',
  symptom: 'Symptom Diary|Beschwerdetagebuch|Diario de síntomas|Journal des symptômes',
  meter: 'Meter Readings|Zählerstände|Lecturas del contador|Relevés de compteur',
  shift: 'Shift Schedule|Dienstplan|Cuadrante de turnos|Planning du personnel',
  lesson: 'Class Timetable|Stundenplan|Horario de clases|Emploi du temps',
  mealplan: 'Meal Plan|Essensplan|Menú semanal|Menus de la semaine',
  lessonplan: 'Lesson Plans|Unterrichtsplanung|Planes de clase|Plans de cours',
  roombooking: 'Room Bookings|Raumbelegung|Reserva de salas|Réservation de salles',
  visit: 'Visitor Log|Besucherbuch|Registro de visitas|Registre des visiteurs',
  upkeep: 'Maintenance Log|Wartungsbuch|Registro de mantenimiento|Carnet d’entretien',
  sharedexpense: 'Shared Expenses|Gemeinsame Ausgaben|Gastos compartidos|Dépenses communes',
};

/** The default name of an app that keeps this; null where the name of the thing serves. */
export function appNameOf(entity: string | undefined, lang: Lang): string | null {
  const texts = entity === undefined ? undefined : names[entity];
  return texts === undefined ? null : inLang(texts, lang);
}
