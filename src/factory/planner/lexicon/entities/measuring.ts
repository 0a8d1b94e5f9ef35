import { accents, type EntityEntry, e } from './entry.ts';

const { blue, violet, orange, teal, pink, red, green } = accents;

/** Four days without a text, in each language. */
const days = ';;;;|;;;;|;;;;|;;;;';

/** What people measure from day to day. The date comes first: such an app draws its numbers over time. */
export const measuringEntities: readonly EntityEntry[] = [
  e(
    'weighin',
    'weigh-in/weigh-ins|Gewicht/Gewicht|peso/pesos|pesée/pesées',
    'weight my-weight body-weight weight-loss lose-weight weight-log weight-tracker gewicht körpergewicht gewichtstagebuch abnehmen mein-gewicht mi-peso control-de-peso registro-de-peso seguimiento-de-peso seguimiento-del-peso peso-corporal bajar-de-peso perder-peso poids mon-poids suivi-de-poids suivi-du-poids perte-de-poids perdre-du-poids',
    'date weight notes',
    days,
    violet,
  ),
  e(
    'sleep',
    'night/nights|Nacht/Nächte|noche/noches|nuit/nuits',
    'sleep schlaf schlafen sueño dormir sommeil schlaftagebuch diario-de-sueño journal-de-sommeil sleep-log sleep-diary sleep-hours',
    'date slept feel notes',
    days,
    violet,
  ),
  e(
    'drink',
    'drink/drinks|Getränk/Getränke|vaso de agua/vasos de agua|verre/verres',
    'water water-intake drinking-water drink-water hydration glasses-of-water wasser wasser-trinken trinkmenge trinken trinktagebuch wassertracker agua beber-agua consumo-de-agua ingesta-de-agua hidratación eau consommation-d’eau boire-de-l’eau hydratation',
    'date drunk time notes',
    days,
    blue,
  ),
  e(
    'mood',
    'mood entry/mood entries|Stimmung/Stimmungen|estado de ánimo/estados de ánimo|humeur/humeurs',
    'mood moods mood-tracker feelings emotions stimmung stimmungstagebuch stimmungstracker gefühle ánimo emociones humeur émotions',
    'date mood feel notes',
    days,
    pink,
  ),
  e(
    'bloodpressure',
    'reading/readings|Blutdruckwert/Blutdruckwerte|medición/mediciones|mesure/mesures',
    'blood-pressure bloodpressure bp-log blutdruck blutdrucktagebuch presión-arterial tensión-arterial tensión tension-artérielle pression-artérielle tension',
    'date time systolic diastolic pulse notes',
    days,
    red,
  ),
  e(
    'glucose',
    'reading/readings|Blutzuckerwert/Blutzuckerwerte|medición/mediciones|mesure/mesures',
    'blood-sugar blood-glucose glucose diabetes blutzucker blutzuckertagebuch glucosa azúcar-en-sangre glucemia glycémie diabète',
    'date time glucose notes',
    days,
    red,
  ),
  e(
    'pulse',
    'reading/readings|Pulswert/Pulswerte|medición/mediciones|mesure/mesures',
    'heart-rate resting-heart-rate pulse ruhepuls puls herzfrequenz pulso frecuencia-cardíaca pouls fréquence-cardiaque',
    'date pulse notes',
    days,
    red,
  ),
  e(
    'temperature',
    'reading/readings|Temperaturwert/Temperaturwerte|medición/mediciones|relevé/relevés',
    'temperature temperatures fever body-temperature temperatur temperaturen fieber fieberkurve temperatura fiebre température fièvre',
    'date time degrees notes',
    days,
    orange,
  ),
  e(
    'steps',
    'day/days|Tag/Tage|día/días|jour/jours',
    'steps(?!-to|-for|-of|-in) step-count step-counter daily-steps pedometer schritte schrittzähler pasos mis-pasos podómetro contador-de-pasos nombre-de-pas podomètre mes-pas',
    'date stepcount notes',
    days,
    green,
  ),
  e(
    'calorie',
    'meal/meals|Mahlzeit/Mahlzeiten|comida/comidas|repas/repas',
    'calorie calories calorie-intake kalorien kalorienzähler kalorientagebuch calorías',
    'date what energy category:meal protein notes',
    'Oatmeal with berries;Chickpea salad;Pasta al limone;Yoghurt|Haferflocken mit Beeren;Kichererbsensalat;Pasta al limone;Joghurt|Avena con frutos rojos;Ensalada de garbanzos;Pasta al limón;Yogur|Porridge aux fruits;Salade de pois chiches;Pâtes au citron;Yaourt',
    green,
  ),
  e(
    'mileage',
    'drive/drives|Fahrt/Fahrten|trayecto/trayectos|trajet/trajets',
    'mileage mileage-log kilometres-driven miles-driven fahrtenbuch kilometraje kilometrage kilométrage frais-kilométriques',
    'date what distance odometer notes',
    'To the client;Airport and back;Trade fair|Zum Kunden;Flughafen und zurück;Messe|Al cliente;Aeropuerto ida y vuelta;Feria|Chez le client;Aéroport aller-retour;Salon professionnel',
    teal,
  ),
  e(
    'screentime',
    'day/days|Tag/Tage|día/días|jour/jours',
    'screen-time screentime phone-usage bildschirmzeit handyzeit tiempo-de-pantalla temps-d’écran',
    'date screenhours notes',
    days,
    violet,
  ),
  e(
    'symptom',
    'symptom/symptoms|Beschwerde/Beschwerden|síntoma/síntomas|symptôme/symptômes',
    'symptoms symptom pain migraine migraines headache headaches allergy schmerzen schmerztagebuch kopfschmerzen migräne symptome síntoma dolor migraña dolores migrañas douleur douleurs symptôme migraine maux-de-tête',
    'date what pain notes',
    'Headache;Sore back;Headache|Kopfschmerzen;Rückenschmerzen;Kopfschmerzen|Dolor de cabeza;Dolor de espalda;Dolor de cabeza|Mal de tête;Mal de dos;Mal de tête',
    red,
  ),
  e(
    'meter',
    'reading/readings|Ablesung/Ablesungen|lectura/lecturas|relevé/relevés',
    'electricity-meter gas-meter water-meter meter-readings meter-reading energy-use zählerstand zählerstände stromverbrauch stromzähler lecturas-del-contador contador-de-luz relevés-de-compteur relevé-de-compteur compteur-électrique',
    'date reading notes',
    days,
    teal,
  ),
];
