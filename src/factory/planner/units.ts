import type { DraftField } from './item.ts';
import { words } from './words.ts';

/** A unit that a prompt names in place of the usual one, where it stands in brackets behind a label. */
const others: readonly (readonly [string, string, RegExp])[] = [
  ['kg', 'lb', words('pounds?|lbs?')],
  ['km', 'mi', words('miles?|mi')],
  ['ml', 'fl oz', words('oz|ounces?|fl oz')],
  ['ml', 'l', words('litres?|liters?|litros?')],
  ['°C', '°F', words('fahrenheit|°f')],
  ['mg/dL', 'mmol/L', words('mmol(?:/l)?')],
];
/** What water is counted in by who does not measure it. */
const counted = words(
  'glasses|gläser|vasos|verres|cups|tassen|tazas|tasses|bottles|flaschen|botellas|bouteilles',
);

/** The unit in a label as the prompt names it: “Weight (lb)”. Typical values follow from the label. */
export function inUnits(field: DraftField, prompt: string): DraftField {
  if (field.type !== 'number') return field;
  const vessel = field.concept === 'drunk' ? counted.exec(prompt)?.[0] : undefined;
  if (vessel)
    return { ...field, label: vessel.charAt(0).toUpperCase() + vessel.slice(1), concept: 'glasses' };
  const other = others.find(
    ([usual, , pattern]) => field.label.includes(`(${usual})`) && pattern.test(prompt),
  );
  return other ? { ...field, label: field.label.replace(`(${other[0]})`, `(${other[1]})`) } : field;
}

/** What a value in the usual unit is in the one of the label, roughly. */
export function inLabelUnit(value: number, label: string): number {
  const unit = /\(([^)]*)\)$/u.exec(label)?.[1];
  if (unit === 'lb') return Math.round(value * 2.2);
  if (unit === 'mi') return Math.round(value * 6.2) / 10;
  if (unit === 'fl oz') return Math.round(value / 29.6);
  if (unit === 'l') return value > 20 ? Math.round(value / 100) / 10 : value;
  if (unit === '°F') return Math.round((value * 9) / 5 + 32);
  if (unit === 'mmol/L') return Math.round(value / 1.8) / 10;
  return value;
}
