import { words } from './words.ts';

/** Units by what they measure, by the names that the converter knows them by. */
const units: readonly (readonly [string, string, RegExp])[] = [
  ['volume', 'cup', words('cups?|tassen?|tazas?|tasses?')],
  ['volume', 'tbsp', words('tablespoons?|tbsp|esslöffel|el|cucharadas?|cuillères? à soupe')],
  ['volume', 'tsp', words('teaspoons?|tsp|teelöffel|cucharaditas?|cuillères? à café')],
  ['volume', 'floz', words('fl\\.? ?oz|fluid ounces?')],
  ['volume', 'pint', words('pints?')],
  ['volume', 'gal', words('gallons?|gallonen|galones')],
  ['volume', 'ml', words('ml|millilit(?:er|re)s?|milliliter|mililitros?|millilitres?')],
  ['volume', 'l', words('lit(?:er|re)s?|litros?')],
  ['weight', 'kg', words('kg|kilos?|kilogram(?:m|me)?s?|kilogramos?')],
  ['weight', 'lb', words('pounds?|lbs?|pfund|libras?|livres?')],
  ['weight', 'g', words('grams?|gramm|gramos?|grammes?')],
  ['weight', 'oz', words('ounces?|oz|unzen?|onzas?|onces?')],
  ['weight', 'st', words('stones?')],
  ['length', 'km', words('km|kilomet(?:er|re)s?|kilómetros?|kilomètres?')],
  ['length', 'mi', words('miles?|meilen?|millas?|milles?')],
  ['length', 'cm', words('cm|centimet(?:er|re)s?|zentimeter|centímetros?|centimètres?')],
  ['length', 'inch', words('inch(?:es)?|zoll|pulgadas?|pouces?')],
  ['length', 'ft', words('feet|foot|ft|fuß|pies|pieds?')],
  ['length', 'm', words('met(?:er|re)s?|metros?|mètres?')],
  ['length', 'yd', words('yards?|yardas?')],
  ['temperature', 'celsius', words('celsius|°c')],
  ['temperature', 'fahrenheit', words('fahrenheit|°f')],
  ['temperature', 'kelvin', words('kelvin')],
  ['speed', 'kmh', words('km/?h|kph')],
  ['speed', 'mph', words('mph')],
  ['area', 'm2', words('square met(?:er|re)s?|quadratmeter|metros cuadrados|mètres carrés|m²')],
  ['area', 'ft2', words('square f(?:ee|oo)t|sq ?ft|quadratfuß|pies cuadrados|pieds carrés')],
  ['area', 'acre', words('acres?')],
  ['area', 'ha', words('hect[aá]re[as]?s?|hektar')],
];

export interface UnitsFound {
  readonly group: string;
  readonly from: string;
  /** Null when the prompt names one unit only. */
  readonly to: string | null;
  /** Units of something else were named as well, into which nothing can be converted. */
  readonly mixed: boolean;
}

/** The units that a prompt names, in its order: “cups to ml and grams” goes from cups to millilitres. */
export function unitsIn(prompt: string): UnitsFound | null {
  const found = units
    .flatMap(([group, unit, pattern]) => {
      const match = pattern.exec(prompt);
      return match ? [{ group, unit, at: match.index, length: match[0].length }] : [];
    })
    .sort((a, b) => a.at - b.at || b.length - a.length);
  // “Square metres” are no metres.
  const whole = found.filter(
    (one) =>
      !found.some(
        (other) =>
          other.length > one.length && other.at <= one.at && other.at + other.length >= one.at + one.length,
      ),
  );
  const [first] = whole;
  if (!first) return null;
  const same = whole.filter((one) => one.group === first.group);
  return {
    group: first.group,
    from: first.unit,
    to: same[1]?.unit ?? null,
    mixed: same.length < whole.length,
  };
}
