/** Savings with a deposit each month and interest added each month. */
export const formula = {
  inputs: [
    { key: 'start', label: 'startAmount', unit: 'money', start: 1000, min: 0 },
    { key: 'monthly', label: 'monthlyDeposit', unit: 'money', start: 150, min: 0, slider: [0, 2000, 10] },
    { key: 'rate', label: 'interestRate', unit: '%', start: 4, min: -100, max: 100, slider: [0, 12, 0.1] },
    { key: 'years', label: 'termYears', start: 15, min: 1, max: 100, step: 0.25, slider: [1, 50, 1] },
  ],
  compute({ start, monthly, rate, years }) {
    const months = years * 12;
    const growth = 1 + rate / 1200;
    const grown = growth === 1 ? months : (growth ** months - 1) / (growth - 1);
    const end = start * growth ** months + monthly * grown;
    const paid = start + monthly * months;
    return [
      { label: 'finalAmount', value: end, format: 'money' },
      { label: 'paidIn', value: paid, format: 'money' },
      { label: 'interestEarned', value: end - paid, format: 'money' },
    ];
  },
};
