/** The three questions one asks about per cent, answered together. */
export const formula = {
  inputs: [
    { key: 'percent', label: 'percent', unit: '%', start: 15 },
    { key: 'whole', label: 'whole', start: 240 },
    { key: 'part', label: 'comparedWith', start: 300 },
  ],
  compute({ percent, whole, part }) {
    return [
      { label: 'percentOf', value: (whole * percent) / 100, format: 'number' },
      { label: 'wholePlus', value: whole * (1 + percent / 100), format: 'number' },
      { label: 'wholeMinus', value: whole * (1 - percent / 100), format: 'number' },
      ...(whole === 0
        ? []
        : [
            { label: 'isPercentOf', value: (100 * part) / whole, format: 'percent' },
            { label: 'changeInPercent', value: (100 * (part - whole)) / whole, format: 'percent' },
          ]),
    ];
  },
};
