/** Texts of the form in which the app itself is changed. */
export const editStrings = {
  editApp: 'Edit this app|App bearbeiten|Editar esta app|Modifier l’application',
  savePage:
    'Save the app as a file|App als Datei speichern|Guardar la app como archivo|Enregistrer l’application',
  resetApp:
    'Take all edits back|Alle Änderungen zurücknehmen|Deshacer todas las ediciones|Annuler toutes les modifications',
  appName: 'Name|Name|Nombre|Nom',
  appLine: 'Line below the name|Zeile unter dem Namen|Línea bajo el nombre|Ligne sous le nom',
  oneThing: 'The word for one|Das Wort für eines|La palabra para uno|Le mot au singulier',
  manyThings: 'The word for several|Das Wort für mehrere|La palabra para varios|Le mot au pluriel',
  fields: 'Fields|Felder|Campos|Champs',
  addField: 'Add a field|Feld hinzufügen|Añadir un campo|Ajouter un champ',
  fieldName: 'Name of the field|Name des Feldes|Nombre del campo|Nom du champ',
  fieldType: 'Type|Art|Tipo|Type',
  choices: 'Choices, one on each line|Auswahl, eine je Zeile|Opciones, una por línea|Choix, un par ligne',
  mustBeFilled: 'must be filled in|muss ausgefüllt werden|es obligatorio|à remplir obligatoirement',
  moveUp: 'Move up: {name}|Nach oben: {name}|Subir: {name}|Monter : {name}',
  moveDown: 'Move down: {name}|Nach unten: {name}|Bajar: {name}|Descendre : {name}',
  movedToPlace:
    '{name}: now number {n}|{name}: jetzt an Stelle {n}|{name}: ahora en el puesto {n}|{name} : maintenant en position {n}',
  heading: 'Heading|Überschrift|Título|Titre',
  text: 'Text|Text|Texto|Texte',
  price: 'Price|Preis|Precio|Prix',
  note: 'Note beside it|Angabe daneben|Nota al lado|Mention à côté',
  addLine: 'Add another|Weiteres hinzufügen|Añadir otro|Ajouter un élément',
  needsText: 'Something is missing: {what}|Es fehlt noch: {what}|Falta algo: {what}|Il manque : {what}',
  otherFields:
    'This file has other fields|Diese Datei hat andere Felder|Este archivo tiene otros campos|Ce fichier a d’autres champs',
  takeFields:
    'Go on with its fields|Mit diesen Feldern weiter|Seguir con sus campos|Continuer avec ses champs',
  leaveFields: 'Keep my fields|Meine Felder behalten|Conservar mis campos|Garder mes champs',
  type_text: 'Text|Text|Texto|Texte',
  type_longtext: 'Long text|Langer Text|Texto largo|Texte long',
  type_number: 'Number|Zahl|Número|Nombre',
  type_currency: 'Amount of money|Geldbetrag|Importe|Montant',
  type_date: 'Date|Datum|Fecha|Date',
  type_time: 'Time|Uhrzeit|Hora|Heure',
  type_select: 'Choice|Auswahl|Opciones|Choix',
  type_checkbox: 'Yes or no|Ja oder nein|Sí o no|Oui ou non',
  type_rating: 'Stars|Sterne|Estrellas|Étoiles',
  type_email: 'E-mail|E-Mail|Correo electrónico|E-mail',
  type_phone: 'Telephone|Telefon|Teléfono|Téléphone',
  type_url: 'Web address|Webadresse|Dirección web|Adresse web',
  address: 'Address|Adresse|Dirección|Adresse',
  hoursLines:
    'Opening hours, such as “Mon–Fri: 9–17”, one on each line|Öffnungszeiten wie „Mo–Fr: 9–17“, je Zeile eine|Horario, como «Lun–Vie: 9–17», uno por línea|Horaires, par exemple « Lun–Ven : 9–17 », un par ligne',
} as const;
