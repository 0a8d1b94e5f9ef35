/** Daily need by the Mifflin-St Jeor equation. */
const factors = { rest: 1.2, lightly: 1.375, moderately: 1.55, very: 1.725 };

export const formula = {
  inputs: [
    { key: 'sex', label: 'sex', options: ['female', 'male'], start: 'female' },
    { key: 'age', label: 'ageYears', start: 34, min: 15, max: 110, slider: [15, 90, 1] },
    { key: 'height', label: 'height', unit: 'cm', start: 170, min: 100, max: 250, slider: [140, 210, 1] },
    { key: 'weight', label: 'weight', unit: 'kg', start: 68, min: 30, max: 300, slider: [40, 150, 0.5] },
    {
      key: 'activity',
      label: 'activity',
      options: ['rest', 'lightly', 'moderately', 'very'],
      start: 'lightly',
    },
  ],
  compute({ sex, age, height, weight, activity }) {
    const basal = 10 * weight + 6.25 * height - 5 * age + (sex === 'male' ? 5 : -161);
    const need = Math.round(basal * factors[activity]);
    return [
      { label: 'dailyNeed', value: need, format: 'number' },
      { label: 'basalRate', value: Math.round(basal), format: 'number' },
      { label: 'toLose', value: Math.round(need - 500), format: 'number' },
      { label: 'toGain', value: Math.round(need + 300), format: 'number' },
    ];
  },
};
