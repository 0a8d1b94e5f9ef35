/** Units by what they measure: the factor to the base unit, or functions to it and from it. */
export const units = {
  length: {
    km: 1000,
    mi: 1609.344,
    m: 1,
    ft: 0.3048,
    cm: 0.01,
    inch: 0.0254,
    mm: 0.001,
    yd: 0.9144,
    nmi: 1852,
  },
  weight: { kg: 1, lb: 0.45359237, g: 0.001, oz: 0.028349523125, t: 1000, st: 6.35029318 },
  temperature: {
    celsius: [(value) => value, (base) => base],
    fahrenheit: [(value) => ((value - 32) * 5) / 9, (base) => (base * 9) / 5 + 32],
    kelvin: [(value) => value - 273.15, (base) => base + 273.15],
  },
  volume: {
    cup: 0.2365882365,
    ml: 0.001,
    l: 1,
    tbsp: 0.01478676478,
    tsp: 0.00492892159,
    floz: 0.0295735295625,
    pint: 0.473176473,
    gal: 3.785411784,
    m3: 1000,
  },
  speed: { kmh: 1 / 3.6, mph: 0.44704, ms: 1, kn: 0.514444444 },
  area: { m2: 1, ft2: 0.09290304, ha: 10000, acre: 4046.8564224, km2: 1000000, mi2: 2589988.110336 },
  data: { mb: 1e6, gb: 1e9, kb: 1e3, tb: 1e12, byte: 1, mib: 1048576, gib: 1073741824 },
  time: { min: 60, s: 1, h: 3600, day: 86400, week: 604800, year: 31557600 },
};

/** Rough rates to one euro, to start with. */
export const currencies = {
  EUR: 1,
  USD: 1.1,
  GBP: 0.86,
  CHF: 0.95,
  JPY: 165,
  MXN: 20,
  CAD: 1.5,
  AUD: 1.65,
  PLN: 4.3,
  SEK: 11.3,
  INR: 93,
  BRL: 6,
};
