/** Body mass index with the ranges of the World Health Organization for adults. */
export const formula = {
  inputs: [
    { key: 'height', label: 'height', unit: 'cm', start: 172, min: 50, max: 260, slider: [120, 210, 1] },
    { key: 'weight', label: 'weight', unit: 'kg', start: 68, min: 10, max: 400, slider: [35, 160, 0.5] },
  ],
  compute({ height, weight }) {
    const metres = height / 100;
    const bmi = weight / metres ** 2;
    const range = [18.5, 25, 30].findIndex((bound) => bmi < bound);
    const note = ['underweight', 'normalWeight', 'overweight'][range] ?? 'obesity';
    return [
      {
        label: 'bmi',
        value: Math.round(bmi * 10) / 10,
        format: 'number',
        note,
        tone: note === 'normalWeight' ? 'good' : 'soon',
        scale: [14, 40, 18.5, 25, 30],
      },
      { label: 'healthyFrom', value: Math.round(18.5 * metres ** 2 * 10) / 10, format: 'number' },
      { label: 'healthyTo', value: Math.round(24.9 * metres ** 2 * 10) / 10, format: 'number' },
    ];
  },
};
